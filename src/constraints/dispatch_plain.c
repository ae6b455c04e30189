/* The instruction sets of this build, and the choice between them. */
#include "constraints/constraint.h"

#include <stdlib.h>
#include <string.h>

typedef struct set {
    tt_simd simd;
    bool (*available)(void);
} set;

static bool always(void) { return true; }

extern const tt_kind *const tt_kinds_scalar[TT_KINDS], *const tt_kinds_double[TT_KINDS];
#if defined(TT_HAVE_SSE2)
extern const tt_kind *const tt_kinds_sse2[TT_KINDS];
#endif
#if defined(TT_HAVE_AVX2)
extern const tt_kind *const tt_kinds_avx2[TT_KINDS];
static bool has_avx2(void) { return __builtin_cpu_supports("avx2"); }
#endif
#if defined(TT_HAVE_AVX512)
extern const tt_kind *const tt_kinds_avx512[TT_KINDS];
#if defined(TT_SIMDE_AVX512)
static bool has_avx512(void) { return true; }
#else
static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}
#endif
#endif
#if defined(TT_HAVE_NEON)
extern const tt_kind *const tt_kinds_neon[TT_KINDS];
#endif

/* Narrowest first. */
static const set sets[] = {
    {{"scalar", tt_kinds_scalar}, always},
#if defined(TT_HAVE_SSE2)
    {{"sse2", tt_kinds_sse2}, always},
#endif
#if defined(TT_HAVE_AVX2)
    {{"avx2", tt_kinds_avx2}, has_avx2},
#endif
#if defined(TT_HAVE_AVX512)
    {{"avx512", tt_kinds_avx512}, has_avx512},
#endif
#if defined(TT_HAVE_NEON)
    {{"neon", tt_kinds_neon}, always},
#endif
};

tt_simd tt_simd_choose(void)
{
    const char *wanted = getenv("TAUT_SIMD");
    tt_simd best = sets[0].simd;
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        if (!sets[i].available()) continue;
        best = sets[i].simd;
        if (wanted && strcmp(wanted, best.name) == 0) return best;
    }
    return best;
}

const tt_kind *const *tt_kind_table(void) { return tt_kinds_scalar; }
const tt_kind *const *tt_oracle(void) { return tt_kinds_double; }

int taut_kind_count(void) { return TT_KINDS; }

const char *taut_kind_name(int kind) { return kind < 0 || kind >= TT_KINDS ? NULL : tt_kinds_scalar[kind]->name; }

int taut_kind_find(const char *name)
{
    for (int kind = 0; name && kind < TT_KINDS; kind++)
        if (strcmp(name, tt_kinds_scalar[kind]->name) == 0) return kind;
    return -1;
}
