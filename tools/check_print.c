#include "check_print.h"
#include "info.h"

#include <inttypes.h>
#include <stdio.h>

static const int *corners_of(const check *c, int triangle) { return c->mesh.tri + 3 * (size_t)triangle; }

static int vertex_of(const check *c, int vertex) { return check_place_of_vertex(c, vertex).number; }

/* ---- Text ---- */

static const char *plural(int64_t count) { return count == 1 ? "" : "s"; }

static void text_begin(const check *c, const char *path)
{
    printf("%s: %d triangle%s", path, c->mesh.ntris, plural(c->mesh.ntris));
    if (c->mesh.nlines) printf(", %d line%s", c->mesh.nlines, plural(c->mesh.nlines));
    putchar('\n');
}

/* Prints the name of an object, such as "flag ", if there is more than one. */
static void print_object(const check *c, int object)
{
    if (c->clip->nobjects < 2) return;
    if (c->clip->object[object].name) printf("%s ", c->clip->object[object].name);
    else printf("mesh %d ", object);
}

static void print_crossing(const check *c, const taut_crossing *crossing)
{
    const int *v = corners_of(c, crossing->triangle), *edge = crossing->edge;
    const check_place triangle = check_place_of_triangle(c, crossing->triangle);
    int next = check_next_on_edge(c, edge, -1);
    bool several = next >= 0 && check_next_on_edge(c, edge, next) >= 0;
    printf("  %-14s ", "");
    print_object(c, triangle.object);
    printf("triangle %d (%d %d %d), ", triangle.number, vertex_of(c, v[0]), vertex_of(c, v[1]), vertex_of(c, v[2]));
    print_object(c, check_place_of_vertex(c, edge[0]).object);
    printf("edge %d-%d of %s", vertex_of(c, edge[0]), vertex_of(c, edge[1]),
           next < 0 ? "a line" : several ? "triangles" : "triangle");
    for (const char *between = " "; next >= 0; next = check_next_on_edge(c, edge, next), between = ", ")
        printf("%s%d", between, check_place_of_triangle(c, next).number);
    putchar('\n');
}

static void text_frame(const check *c, const check_frame *f, bool first)
{
    (void)first;
    char label[32];
    int64_t pairs = f->counts.pairs, crossings = f->counts.crossings;
    snprintf(label, sizeof label, "frame %d", f->number);
    if (crossings == 0) info_row(label, "no intersections");
    else
        info_row(label, "%" PRId64 " pair%s of triangles, %" PRId64 " crossing%s of an edge and a triangle", pairs,
                 plural(pairs), crossings, plural(crossings));
    for (int i = 0; i < f->listed; i++) print_crossing(c, &f->list[i]);
    if (f->listed > 0 && crossings > f->listed) info_row("", "and %" PRId64 " more", crossings - f->listed);
}

static void text_end(const check_summary *s, const char *error)
{
    if (error || s->frames < 2) return;
    if (s->bad == 0) info_row("all frames", "no intersections in %d frames", s->frames);
    else
        info_row("all frames", "intersections in %d of %d, first in frame %d; most in frame %d: %" PRId64 " pair%s",
                 s->bad, s->frames, s->first_bad, s->worst, s->most.pairs, plural(s->most.pairs));
}

const check_printer check_text = {text_begin, text_frame, text_end};

/* ---- JSON ---- */

static void json_begin(const check *c, const char *path)
{
    info_json object;
    info_open(&object, "check", path);
    info_integer(&object, "triangles", c->mesh.ntris);
    info_integer(&object, "lines", c->mesh.nlines);
    info_key(&object, "frames");
    putchar('[');
}

static void json_vertices(info_json *object, const check *c, const char *key, const int *vertex, int count)
{
    info_key(object, key);
    for (int i = 0; i < count; i++) printf(i ? ", %d" : "[%d", vertex_of(c, vertex[i]));
    putchar(']');
}

static void json_object(info_json *object, const check *c, const char *key, int index)
{
    const char *name = c->clip->object[index].name;
    info_key(object, key);
    if (name) info_string(name);
    else printf("%d", index);
}

static void json_crossing(const check *c, const taut_crossing *crossing)
{
    info_json object = {0};
    const check_place triangle = check_place_of_triangle(c, crossing->triangle);
    putchar('{');
    json_object(&object, c, "body", triangle.object);
    info_integer(&object, "triangle", triangle.number);
    json_vertices(&object, c, "vertices", corners_of(c, crossing->triangle), 3);
    json_object(&object, c, "edge_body", check_place_of_vertex(c, crossing->edge[0]).object);
    json_vertices(&object, c, "edge", crossing->edge, 2);
    info_key(&object, "edge_triangles");
    putchar('[');
    int next = check_next_on_edge(c, crossing->edge, -1);
    for (const char *between = ""; next >= 0; next = check_next_on_edge(c, crossing->edge, next), between = ", ")
        printf("%s%d", between, check_place_of_triangle(c, next).number);
    printf("]}");
}

static void json_frame(const check *c, const check_frame *f, bool first)
{
    info_json object = {0};
    printf(first ? "\n {" : ",\n {");
    info_integer(&object, "frame", f->number);
    info_integer(&object, "pairs", f->counts.pairs);
    info_integer(&object, "crossings", f->counts.crossings);
    info_key(&object, "list");
    for (int i = 0; i < f->listed; i++) {
        printf(i ? ",\n   " : "[");
        json_crossing(c, &f->list[i]);
    }
    printf(f->listed ? "]}" : "[]}");
}

static void json_end(const check_summary *s, const char *error)
{
    info_json object = {.members = 1};
    printf("\n]");
    info_integer(&object, "bad_frames", s->bad);
    if (error) {
        info_key(&object, "error");
        info_string(error);
    }
    printf("}\n");
}

const check_printer check_json = {json_begin, json_frame, json_end};
