/* test_projection_double.c: the tests of test_projection.c on the kernels compiled in double, where
 * tolerances are a billion times tighter. */
#define TT_ISA_DOUBLE 1
#include "test_projection.c"
