/* Asks for narrow lanes: eight in one register where AVX2 has sixteen in two. A kernel of very many values is faster
 * with them, because it spills less. This header must come before every header that includes lane.h. */
#if defined(TAUT_CONSTRAINTS_LANE_H) && !defined(TT_NARROW)
#error "include constraints/narrow.h (constraints/limit.h does) before all other headers of kernels"
#endif
#ifndef TT_NARROW
#define TT_NARROW
#endif
