/* The shapes of the instruction sets in this build. */
#include "collide/shape.h"

#include <string.h>

extern const tt_shape_set tt_shape_set_scalar, tt_shape_set_sse2, tt_shape_set_avx2, tt_shape_set_avx512,
    tt_shape_set_neon;

static const struct {
    const char *simd;
    const tt_shape_set *shapes;
} sets[] = {
    {"scalar", &tt_shape_set_scalar},
#if defined(TT_HAVE_SSE2)
    {"sse2", &tt_shape_set_sse2},
#endif
#if defined(TT_HAVE_AVX2)
    {"avx2", &tt_shape_set_avx2},
#endif
#if defined(TT_HAVE_AVX512)
    {"avx512", &tt_shape_set_avx512},
#endif
#if defined(TT_HAVE_NEON)
    {"neon", &tt_shape_set_neon},
#endif
};

const tt_shape_set *tt_shapes(const char *simd)
{
    for (size_t i = 1; i < sizeof sets / sizeof sets[0]; i++)
        if (strcmp(sets[i].simd, simd) == 0) return sets[i].shapes;
    return sets[0].shapes;
}
