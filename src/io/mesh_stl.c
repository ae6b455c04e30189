/* STL, ascii and binary. It has corners only: corners at exactly the same place become one vertex, numbered in the
 * order in which they come. Normals are passed over, because the order of the corners says the same. */
#include "io/mesh_build.h"

#include "base/error.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 80, FACET = 50, FACET_NUMBERS = 12 };

/* A hash table of the vertices so far, with open addressing. */
typedef struct weld {
    tio_builder *builder;
    int *slot;     /* a vertex, or -1 */
    size_t nslots; /* a power of two */
} weld;

static bool same_place(const float a[3], const float b[3]) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

static size_t place_of(const weld *w, const float x[3])
{
    const float *all = w->builder->x.data;
    size_t at = (size_t)tt_hash(TT_HASH_SEED, x, 3 * sizeof *x) & (w->nslots - 1);
    while (w->slot[at] >= 0 && !same_place(&all[3 * (size_t)w->slot[at]], x)) at = (at + 1) & (w->nslots - 1);
    return at;
}

/* Keeps at least half of the slots free. */
static bool grow(weld *w)
{
    if (w->nslots > 2 * (size_t)w->builder->nvertices) return true;
    size_t nslots = w->nslots ? 2 * w->nslots : 1024;
    int *slot = malloc(nslots * sizeof *slot);
    if (!slot) return tt_no_memory(w->builder->error);
    for (size_t i = 0; i < nslots; i++) slot[i] = -1;
    free(w->slot);
    w->slot = slot;
    w->nslots = nslots;
    const float *all = w->builder->x.data;
    for (int v = 0; v < w->builder->nvertices; v++) slot[place_of(w, &all[3 * (size_t)v])] = v;
    return true;
}

static bool add_corner(weld *w, const float x[3], int *vertex)
{
    float zeroed[3] = {0};
    for (int i = 0; i < 3; i++) zeroed[i] = x[i] == 0 ? 0 : x[i]; /* -0 is the same place as 0 */
    if (!grow(w)) return false;
    size_t at = place_of(w, zeroed);
    *vertex = w->slot[at];
    if (*vertex >= 0) return true;
    *vertex = w->slot[at] = w->builder->nvertices;
    return tio_add_vertex(w->builder, zeroed);
}

static bool add_facet(weld *w, const float x[9])
{
    int corner[3];
    for (int i = 0; i < 3; i++)
        if (!add_corner(w, &x[3 * i], &corner[i])) return false;
    return tio_add_polygon(w->builder, corner, NULL, 3);
}

static bool read_binary(tio_text *text, weld *w)
{
    int64_t count;
    if (!tio_skip_bytes(text, HEADER, "the header") ||
        !tio_binary_integer(text, TIO_UINT32, "the number of triangles", &count))
        return false;
    if ((uint64_t)count > tio_bytes_left(text) / FACET)
        return tio_fail(text, "%lld triangles do not fit in the %zu bytes that follow", (long long)count,
                        tio_bytes_left(text));
    for (int64_t i = 0; i < count; i++) {
        float x[FACET_NUMBERS] = {0};
        if (!tio_skip_bytes(text, 3 * sizeof *x, "a normal")) return false; /* often NaN */
        for (int j = 3; j < FACET_NUMBERS; j++)
            if (!tio_binary_float(text, TIO_FLOAT, "a coordinate", &x[j])) return false;
        if (!tio_skip_bytes(text, 2, "a triangle") || !add_facet(w, &x[3])) return false;
    }
    return true;
}

static bool expect(tio_text *text, const char *wanted)
{
    tio_word word;
    if (tio_flow_word(text, &word) && tio_word_is(word, wanted)) return true;
    return tio_fail(text, "expected %s", wanted);
}

/* Reads what follows the word "facet". */
static bool read_facet(tio_text *text, weld *w)
{
    float x[9] = {0};
    tio_word number;
    if (!expect(text, "normal")) return false;
    for (int i = 0; i < 3; i++)
        if (!tio_flow_word(text, &number)) return tio_fail(text, "the normal is missing");
    if (!expect(text, "outer") || !expect(text, "loop")) return false;
    for (int i = 0; i < 9; i++)
        if ((i % 3 == 0 && !expect(text, "vertex")) || !tio_flow_float(text, "a coordinate", &x[i])) return false;
    return expect(text, "endloop") && expect(text, "endfacet") && add_facet(w, x);
}

static bool read_ascii(tio_text *text, weld *w)
{
    tio_word word;
    tio_next_line(text); /* solid NAME */
    while (tio_flow_word(text, &word)) {
        if (tio_word_is(word, "facet")) {
            if (!read_facet(text, w)) return false;
        } else if (tio_word_is(word, "endsolid") || tio_word_is(word, "solid")) tio_rest_of_line(text);
        else return tio_fail(text, "expected facet or endsolid");
    }
    return true;
}

/* Some binary files begin with "solid" too. For these the size decides. */
static bool is_binary(const tio_text *text)
{
    size_t size = tio_bytes_left(text);
    const unsigned char *byte = (const unsigned char *)text->begin;
    if (size >= 8 && memcmp(byte, "\xef\xbb\xbfsolid", 8) == 0) return false; /* text behind a byte order mark */
    if (size < 5 || memcmp(byte, "solid", 5) != 0) return true;
    if (size < HEADER + 4) return false;
    uint64_t count = 0;
    for (int i = 3; i >= 0; i--) count = count << 8 | byte[HEADER + i];
    return size == HEADER + 4 + count * FACET;
}

bool tio_read_stl(tio_text *text, tio_builder *builder)
{
    weld w = {.builder = builder};
    text->binary = is_binary(text);
    bool good = text->binary ? read_binary(text, &w) : read_ascii(text, &w);
    free(w.slot);
    return good;
}
