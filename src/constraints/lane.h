/* Lanes: the one type in which every kernel is written.
 *
 * A lane holds the same quantity of LANES constraints. Kernel sources are compiled once for each instruction set (and
 * once in double, as the oracle of tests and residuals); each set brings one header with a dozen small
 * functions. + - * / and unary minus are the compiler's own vector operators.
 *
 *     lane   LANES numbers          mask   LANES yes/no
 *     lane_all(s)                   the same number in all lanes
 *     lane_load(a), lane_store(a,v) LANES consecutive numbers, aligned
 *     lane_sqrt(v)                  correctly rounded
 *     lane_min(a,b), lane_max(a,b)  a < b ? a : b, and b < a ? a : b: b where either is NaN
 *     lane_less(a,b)                a < b, false for NaN
 *     lane_abs(v)                   without its sign bit, as fabs
 *     lane_select(m,a,b)            m ? a : b
 *     mask_and, mask_or, mask_any
 *     gather(p, offset, q)          particles p[offset[i] .. +3] = {x,y,z,w} of each lane, transposed
 *     scatter(p, offset, q)         the inverse; where two lanes have the same offset, they have the same particle
 *
 * Only operations that IEEE 754 rounds exactly are used, no estimates and no fused multiply-add, so every width gives
 * the same bits. */
#ifndef TAUT_CONSTRAINTS_LANE_H
#define TAUT_CONSTRAINTS_LANE_H

#include "constraints/real.h"

#include <stdint.h>

#define TT_INLINE static inline __attribute__((always_inline, unused))
/* Stands before a loop over the particles or axes of an element. The bounds of the loop are constants. Arrays of lanes
 * stay in registers only if the loop is unrolled before the optimiser splits the arrays. */
#if defined(__clang__)
#define TT_UNROLL _Pragma("clang loop unroll(full)")
#else
#define TT_UNROLL _Pragma("GCC unroll 16")
#endif
#define TT_JOIN_(a, b) a##b
#define TT_JOIN(a, b) TT_JOIN_(a, b)
#define TT_NAME(name) TT_JOIN(name, TT_SUFFIX) /* tt_distance -> tt_distance_avx2 */

#if defined(TT_ISA_DOUBLE)
#define TT_SUFFIX _double
#include "constraints/lane_scalar.h"
#elif defined(TT_ISA_SCALAR)
#define TT_SUFFIX _scalar
#include "constraints/lane_scalar.h"
#elif defined(TT_ISA_SSE2)
#define TT_SUFFIX _sse2
#include "constraints/lane_sse2.h"
#elif defined(TT_ISA_AVX2)
#define TT_SUFFIX _avx2
#if defined(TT_NARROW) /* narrow.h */
#include "constraints/lane_avx2_narrow.h"
#else
#include "constraints/lane_avx2.h"
#endif
#elif defined(TT_ISA_AVX512)
#define TT_SUFFIX _avx512
#include "constraints/lane_avx512.h"
#elif defined(TT_ISA_NEON)
#define TT_SUFFIX _neon
#include "constraints/lane_neon.h"
#else
#error "compile kernel sources with one of TT_ISA_SCALAR, DOUBLE, SSE2, AVX2, AVX512, NEON"
#endif

#if !defined(TT_ISA_DOUBLE) && !defined(TT_ISA_SCALAR)
TT_INLINE lane lane_abs(lane a)
{
    typedef int32_t bits __attribute__((vector_size(sizeof(lane))));
    return (lane)((bits)a & 0x7fffffff); /* all but the sign */
}
#endif

/* a / b where b > least, else 0. With it every kernel does nothing on a degenerate element. */
TT_INLINE lane lane_divide_above(lane a, lane b, lane least)
{
    return lane_select(lane_less(least, b), a / b, lane_all(0));
}

/* a / b where b > 0, except for the smallest numbers, where 1/b would overflow: there it is 0. */
TT_INLINE lane lane_divide(lane a, lane b) { return lane_divide_above(a, b, lane_all((real)1e-36)); }

#endif
