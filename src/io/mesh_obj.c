/* Wavefront OBJ: vertices, faces and lines with indices that count from 1, or back from the last
 * one when negative; UVs of their own per corner; objects and groups, which become vertex groups.
 * Everything else (normals, materials, curves) is passed over. Elements may come before their
 * vertices, so they are checked at the end. */
#include "io/mesh_build.h"

#include "base/error.h"
#include "mesh/limits.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_GROUPS_AT_ONCE = 32, NO_UV = -1 };

/* A face or a line. */
typedef struct element {
    int first_corner, ncorners;
    int first_name, nnames; /* the groups it is in */
    int line;               /* of the file */
    bool is_face;
} element;

typedef struct corner {
    int vertex, uv; /* from 0, or NO_UV */
} corner;

typedef struct obj {
    tio_text *text;
    tio_builder *builder;
    int nuvs;
    tio_list uv;            /* 2 floats each              */
    tio_list element;       /* element                    */
    tio_list corner;        /* corner                     */
    tio_list name;          /* tio_word: every mention of a group, in the file's order */
    tio_word object;        /* the object that is open; size 0: none */
    int first_name, nnames; /* the groups that are open, its object among them */
    tio_list faces;         /* int, 1 per corner: the face at hand */
    tio_list face_uv;       /* float, 2 per corner        */
} obj;

static bool read_vertex(obj *o)
{
    float x[3];
    return tio_line_float(o->text, "x", &x[0]) && tio_line_float(o->text, "y", &x[1]) &&
           tio_line_float(o->text, "z", &x[2]) && tio_add_vertex(o->builder, x);
}

static bool read_uv(obj *o)
{
    float uv[2] = {0, 0};
    tio_word word;
    if (!tio_line_float(o->text, "u", &uv[0])) return false;
    if (tio_next_word(o->text, &word) && !tio_parse_float(o->text, word, "v", &uv[1])) return false;
    o->nuvs++;
    return tio_append(&o->uv, uv, sizeof uv, o->text->error);
}

/* Indices from 1 forward, or from the last one backward. Whether it is too large is seen at the end
 * of the file. */
static bool read_index(obj *o, tio_word word, const char *what, int count, int *index)
{
    int64_t number;
    if (!tio_parse_integer(o->text, word, what, &number)) return false;
    if (number == 0) return tio_fail(o->text, "%s 0: indices count from 1", what);
    if (number < -(int64_t)count)
        return tio_fail(o->text, "%s %lld goes back before the first of %d", what,
                        (long long)number, count);
    if (number > INT32_MAX)
        return tio_fail(o->text, "%s %lld is too large", what, (long long)number);
    *index = number < 0 ? (int)(count + number) : (int)(number - 1);
    return true;
}

/* "v", "v/vt", "v/vt/vn" or "v//vn". */
static bool read_corner(obj *o, tio_word word)
{
    corner c = {.uv = NO_UV};
    const char *end = word.at + word.size, *slash = memchr(word.at, '/', word.size);
    tio_word vertex = {word.at, (size_t)((slash ? slash : end) - word.at)};
    if (!read_index(o, vertex, "vertex index", o->builder->nvertices, &c.vertex)) return false;
    if (slash) {
        const char *begin = slash + 1, *second = memchr(begin, '/', (size_t)(end - begin));
        tio_word uv = {begin, (size_t)((second ? second : end) - begin)};
        if (uv.size > 0 && !read_index(o, uv, "texture index", o->nuvs, &c.uv)) return false;
    }
    return tio_append(&o->corner, &c, sizeof c, o->text->error);
}

static bool read_element(obj *o, bool is_face)
{
    element e = {.first_corner = (int)(o->corner.size / sizeof(corner)),
                 .first_name = o->first_name,
                 .nnames = o->nnames,
                 .line = o->text->line,
                 .is_face = is_face};
    tio_word word;
    for (; tio_next_word(o->text, &word); e.ncorners++)
        if (!read_corner(o, word)) return false;
    if (o->corner.size / sizeof(corner) > TT_MAX_SIDES)
        return tio_fail(o->text, "too many faces and lines");
    int least = is_face ? 3 : 2;
    if (e.ncorners < least)
        return tio_fail(o->text, "a %s needs %d vertices, got %d", is_face ? "face" : "line", least,
                        e.ncorners);
    if (is_face && e.ncorners > TIO_MAX_CORNERS)
        return tio_fail(o->text, "a face has %d corners, the most is %d", e.ncorners,
                        TIO_MAX_CORNERS);
    return tio_append(&o->element, &e, sizeof e, o->text->error);
}

static bool open_group(obj *o, tio_word name)
{
    if (o->nnames == MAX_GROUPS_AT_ONCE)
        return tio_fail(o->text, "more than %d groups at once", MAX_GROUPS_AT_ONCE);
    o->nnames++;
    return tio_append(&o->name, &name, sizeof name, o->text->error);
}

static bool read_groups(obj *o, bool is_object)
{
    tio_word word;
    if (is_object) o->object = tio_rest_of_line(o->text); /* may have spaces */
    o->first_name = (int)(o->name.size / sizeof word);
    o->nnames = 0;
    if (o->object.size > 0 && !open_group(o, o->object)) return false;
    while (tio_next_word(o->text, &word))
        if (!open_group(o, word)) return false;
    return true;
}

static bool read_lines(obj *o)
{
    tio_word word;
    while (tio_next_line(o->text)) {
        if (!tio_next_word(o->text, &word)) continue;
        bool good = true;
        if (tio_word_is(word, "v")) good = read_vertex(o);
        else if (tio_word_is(word, "vt")) good = read_uv(o);
        else if (tio_word_is(word, "f")) good = read_element(o, true);
        else if (tio_word_is(word, "l")) good = read_element(o, false);
        else if (tio_word_is(word, "g")) good = read_groups(o, false);
        else if (tio_word_is(word, "o")) good = read_groups(o, true);
        if (!good) return false;
    }
    return true;
}

/* ---- Elements ---- */

static bool check_corners(obj *o, const element *e, const corner *c)
{
    int ignored;
    o->text->line = e->line;
    for (int i = 0; i < e->ncorners; i++)
        if (!tio_check_index(o->text, "vertex index", (int64_t)c[i].vertex + 1, 1,
                             o->builder->nvertices, &ignored) ||
            (c[i].uv != NO_UV && !tio_check_index(o->text, "texture index", (int64_t)c[i].uv + 1, 1,
                                                  o->nuvs, &ignored)))
            return false;
    return true;
}

static bool add_face(obj *o, const element *e, const corner *c)
{
    const float *uv = o->uv.data;
    bool has_uv = true;
    o->faces.size = o->face_uv.size = 0;
    for (int i = 0; i < e->ncorners; i++) {
        const float *of_corner = c[i].uv == NO_UV ? NULL : &uv[2 * (size_t)c[i].uv];
        has_uv = has_uv && of_corner;
        if (!tio_append(&o->faces, &c[i].vertex, sizeof c[i].vertex, o->text->error) ||
            !tio_append(&o->face_uv, of_corner, 2 * sizeof *uv, o->text->error))
            return false;
    }
    return tio_add_polygon(o->builder, o->faces.data, has_uv ? o->face_uv.data : NULL, e->ncorners);
}

static bool add_elements(obj *o)
{
    const element *e = o->element.data;
    const corner *corners = o->corner.data;
    for (size_t k = 0; k < o->element.size / sizeof *e; k++, e++) {
        const corner *c = &corners[e->first_corner];
        if (!check_corners(o, e, c)) return false;
        if (e->is_face && !add_face(o, e, c)) return false;
        for (int i = 0; !e->is_face && i + 1 < e->ncorners; i++)
            if (!tio_add_line(o->builder, c[i].vertex, c[i + 1].vertex)) return false;
    }
    return true;
}

/* ---- Groups ---- */

typedef struct mention {
    tio_word name;
    int place; /* among all mentions */
} mention;

static int by_name(const void *a, const void *b)
{
    const mention *m = a, *n = b;
    size_t shorter = m->name.size < n->name.size ? m->name.size : n->name.size;
    int order = memcmp(m->name.at, n->name.at, shorter);
    if (order == 0) order = (m->name.size > n->name.size) - (m->name.size < n->name.size);
    return order ? order : (m->place > n->place) - (m->place < n->place);
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

/* group_of[i] becomes the first place at which the name of mention i stands. */
static void find_first_mentions(const tio_word *name, mention *sorted, int count, int *group_of)
{
    for (int i = 0; i < count; i++) sorted[i] = (mention){name[i], i};
    qsort(sorted, (size_t)count, sizeof *sorted, by_name);
    for (int i = 0, first = 0; i < count; i++) {
        const tio_word *a = &sorted[first].name, *b = &sorted[i].name;
        if (a->size != b->size || memcmp(a->at, b->at, a->size) != 0) first = i;
        group_of[sorted[i].place] = sorted[first].place;
    }
}

/* One key a vertex and group it is in: the group above, the vertex below. Seldom twice. */
static bool collect_members(obj *o, const int *group_of, tio_list *key)
{
    const corner *corners = o->corner.data;
    const element *e = o->element.data;
    int nvertices = o->builder->nvertices;
    /* The last group that a vertex was put in. */
    int *latest = malloc(((size_t)nvertices + 1) * sizeof *latest);
    if (!latest) return tt_no_memory(o->text->error);
    for (int i = 0; i < nvertices; i++) latest[i] = -1;
    bool good = true;
    for (size_t k = 0; k < o->element.size / sizeof *e; k++, e++)
        for (int i = 0; i < e->nnames; i++)
            for (int j = 0; good && j < e->ncorners; j++) {
                int group = group_of[e->first_name + i],
                    vertex = corners[e->first_corner + j].vertex;
                uint64_t pair = (uint64_t)group << 32 | (uint64_t)vertex;
                if (latest[vertex] != group)
                    good = tio_append(key, &pair, sizeof pair, o->text->error);
                latest[vertex] = group;
            }
    free(latest);
    return good;
}

/* The members key[0] .. key[count - 1] of one group, ascending, some twice. */
static bool add_group(obj *o, tio_word name, const uint64_t *key, size_t count)
{
    taut_vertex_group group = {.name = malloc(name.size + 1),
                               .vertex = malloc(count * sizeof *group.vertex)};
    bool good = group.name && group.vertex;
    if (!good) tt_no_memory(o->text->error);
    if (good) {
        memcpy(group.name, name.at, name.size);
        group.name[name.size] = '\0';
        for (size_t i = 0; i < count; i++)
            if (i == 0 || key[i] != key[i - 1])
                group.vertex[group.nvertices++] = (int)(key[i] & UINT32_MAX);
        good = tio_append(&o->builder->group, &group, sizeof group, o->text->error);
    }
    if (!good) {
        free(group.name);
        free(group.vertex);
    }
    return good;
}

static bool add_groups(obj *o)
{
    const tio_word *name = o->name.data;
    int count = (int)(o->name.size / sizeof *name);
    if (count == 0) return true;
    mention *sorted = malloc((size_t)count * sizeof *sorted);
    int *group_of = malloc((size_t)count * sizeof *group_of);
    tio_list keys = {0};
    bool good = sorted && group_of;
    if (!good) tt_no_memory(o->text->error);
    if (good) {
        find_first_mentions(name, sorted, count, group_of);
        good = collect_members(o, group_of, &keys);
    }
    uint64_t *key = keys.data;
    size_t nkeys = keys.size / sizeof *key;
    if (nkeys > 0) qsort(key, nkeys, sizeof *key, by_value);
    for (size_t begin = 0, end = 0; good && begin < nkeys; begin = end) {
        while (end < nkeys && key[end] >> 32 == key[begin] >> 32) end++;
        good = add_group(o, name[key[begin] >> 32], &key[begin], end - begin);
    }
    free(sorted);
    free(group_of);
    free(keys.data);
    return good;
}

bool tio_read_obj(tio_text *text, tio_builder *builder)
{
    obj o = {.text = text, .builder = builder};
    text->comment = '#';
    text->continued = true;
    bool good = read_lines(&o) && add_elements(&o) && add_groups(&o);
    tio_list_free(&o.uv);
    tio_list_free(&o.element);
    tio_list_free(&o.corner);
    tio_list_free(&o.name);
    tio_list_free(&o.faces);
    tio_list_free(&o.face_uv);
    return good;
}
