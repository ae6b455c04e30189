/* Wavefront OBJ: vertices; faces and lines with indices that count from 1, or back from the last vertex if negative;
 * UVs per corner; objects and groups, which become vertex groups. Everything else (normals, materials, curves) is
 * passed over. Elements may come before their vertices, so they are checked at the end. */
#include "io/mesh_obj.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_GROUPS_AT_ONCE = 32, NO_UV = -1 };

static bool read_vertex(tio_obj *o)
{
    float x[3];
    return tio_line_float(o->text, "x", &x[0]) && tio_line_float(o->text, "y", &x[1]) &&
           tio_line_float(o->text, "z", &x[2]) && tio_add_vertex(o->builder, x);
}

static bool read_uv(tio_obj *o)
{
    float uv[2] = {0, 0};
    tio_word word;
    if (!tio_line_float(o->text, "u", &uv[0])) return false;
    if (tio_next_word(o->text, &word) && !tio_parse_float(o->text, word, "v", &uv[1])) return false;
    o->nuvs++;
    return tio_append(&o->uv, uv, sizeof uv, o->text->error);
}

/* Indices count from 1 forward, or from the last vertex backward. Whether one is too large is known only at the end of
 * the file. */
static bool read_index(tio_obj *o, tio_word word, const char *what, int count, int *index)
{
    int64_t number;
    if (!tio_parse_integer(o->text, word, what, &number)) return false;
    if (number == 0) return tio_fail(o->text, "%s 0: indices count from 1", what);
    if (number < -(int64_t)count)
        return tio_fail(o->text, "%s %lld goes back before the first of %d", what, (long long)number, count);
    if (number > INT32_MAX) return tio_fail(o->text, "%s %lld is too large", what, (long long)number);
    *index = number < 0 ? (int)(count + number) : (int)(number - 1);
    return true;
}

/* "v", "v/vt", "v/vt/vn" or "v//vn". */
static bool read_corner(tio_obj *o, tio_word word)
{
    tio_obj_corner c = {.uv = NO_UV};
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

static bool read_element(tio_obj *o, bool is_face)
{
    tio_obj_element e = {.first_corner = (int)(o->corner.size / sizeof(tio_obj_corner)),
                         .first_name = o->first_name,
                         .nnames = o->nnames,
                         .line = o->text->line,
                         .is_face = is_face};
    tio_word word;
    for (; tio_next_word(o->text, &word); e.ncorners++)
        if (!read_corner(o, word)) return false;
    if (o->corner.size / sizeof(tio_obj_corner) > TAUT_MOST_SIDES) return tio_fail(o->text, "too many faces and lines");
    int least = is_face ? 3 : 2;
    if (e.ncorners < least)
        return tio_fail(o->text, "a %s needs %d vertices, got %d", is_face ? "face" : "line", least, e.ncorners);
    if (is_face && e.ncorners > TIO_MAX_CORNERS)
        return tio_fail(o->text, "a face has %d corners, the most is %d", e.ncorners, TIO_MAX_CORNERS);
    return tio_append(&o->element, &e, sizeof e, o->text->error);
}

static bool open_group(tio_obj *o, tio_word name)
{
    if (o->nnames == MAX_GROUPS_AT_ONCE) return tio_fail(o->text, "more than %d groups at once", MAX_GROUPS_AT_ONCE);
    o->nnames++;
    return tio_append(&o->name, &name, sizeof name, o->text->error);
}

static bool read_groups(tio_obj *o, bool is_object)
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

static bool read_lines(tio_obj *o)
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

static bool check_corners(tio_obj *o, const tio_obj_element *e, const tio_obj_corner *c)
{
    int ignored;
    o->text->line = e->line;
    for (int i = 0; i < e->ncorners; i++)
        if (!tio_check_index(o->text, "vertex index", (int64_t)c[i].vertex + 1, 1, o->builder->nvertices, &ignored) ||
            (c[i].uv != NO_UV &&
             !tio_check_index(o->text, "texture index", (int64_t)c[i].uv + 1, 1, o->nuvs, &ignored)))
            return false;
    return true;
}

static bool add_face(tio_obj *o, const tio_obj_element *e, const tio_obj_corner *c)
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

static bool add_elements(tio_obj *o)
{
    const tio_obj_element *e = o->element.data;
    const tio_obj_corner *corners = o->corner.data;
    for (size_t k = 0; k < o->element.size / sizeof *e; k++, e++) {
        const tio_obj_corner *c = &corners[e->first_corner];
        if (!check_corners(o, e, c)) return false;
        if (e->is_face && !add_face(o, e, c)) return false;
        for (int i = 0; !e->is_face && i + 1 < e->ncorners; i++)
            if (!tio_add_line(o->builder, c[i].vertex, c[i + 1].vertex)) return false;
    }
    return true;
}

bool tio_read_obj(tio_text *text, tio_builder *builder)
{
    tio_obj o = {.text = text, .builder = builder};
    text->comment = '#';
    text->continued = true;
    bool good = read_lines(&o) && add_elements(&o) && tio_add_obj_groups(&o);
    tio_list_free(&o.uv);
    tio_list_free(&o.element);
    tio_list_free(&o.corner);
    tio_list_free(&o.name);
    tio_list_free(&o.faces);
    tio_list_free(&o.face_uv);
    return good;
}
