/* The contact kernels of the instruction sets in this build. */
#include "collide/contact.h"

#include <string.h>

tt_contacts tt_contacts_scalar, tt_contacts_sse2, tt_contacts_avx2, tt_contacts_avx512, tt_contacts_neon;

static const struct {
    const char *simd;
    tt_contacts *run;
} sets[] = {
    {"scalar", tt_contacts_scalar},
#if defined(TT_HAVE_SSE2)
    {"sse2", tt_contacts_sse2},
#endif
#if defined(TT_HAVE_AVX2)
    {"avx2", tt_contacts_avx2},
#endif
#if defined(TT_HAVE_AVX512)
    {"avx512", tt_contacts_avx512},
#endif
#if defined(TT_HAVE_NEON)
    {"neon", tt_contacts_neon},
#endif
};

tt_contacts *tt_contacts_kernel(const char *simd)
{
    tt_contacts *run = sets[0].run;
    for (size_t i = 1; i < sizeof sets / sizeof sets[0]; i++)
        if (strcmp(sets[i].simd, simd) == 0) run = sets[i].run;
    return run;
}
