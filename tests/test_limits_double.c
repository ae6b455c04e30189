/* test_limits_double.c: the tests of test_limits.c on the kernels compiled in double, where tolerances are tighter. */
#define TT_ISA_DOUBLE 1
#include "test_limits.c"
