#include "run_start.h"

#include <inttypes.h>
#include <stdlib.h>

/* The mesh of all bodies with contact: the triangles of cloth, the surfaces of solids, and lines. */
typedef struct crowd {
    taut_mesh mesh;
    int nbodies, *body;                 /* numbers of bodies in the scene */
    int *first_vertex, *first_triangle; /* per body, and the number of all */
    int **surface;                      /* of solids; NULL: the body has triangles of its own */
} crowd;

static bool out_of_memory(taut_error *error)
{
    *error = (taut_error){TAUT_NO_MEMORY, -1, "out of memory"};
    return false;
}

static bool touches(const taut_scene *scene, int i)
{
    const taut_mesh *own = &scene->body[i].file.mesh;
    taut_contact contact = taut_body_material(scene->world, scene->body[i].body)->contact;
    return contact == TAUT_CONTACT_AUTO ? own->ntris > 0 && own->ntets == 0 : contact != TAUT_CONTACT_OFF;
}

static void crowd_close(crowd *c)
{
    for (int i = 0; i < c->nbodies && c->surface; i++) free(c->surface[i]);
    free(c->surface);
    free(c->body);
    free(c->first_vertex);
    free(c->first_triangle);
    taut_mesh_free(&c->mesh);
}

static void fill_mesh(const crowd *c, const taut_scene *scene)
{
    size_t line = 0;
    for (int i = 0; i < c->nbodies; i++) {
        const taut_mesh *own = &scene->body[c->body[i]].file.mesh;
        int ntris = c->first_triangle[i + 1] - c->first_triangle[i], first = c->first_vertex[i];
        const int *from = c->surface[i] ? c->surface[i] : own->tri;
        int *tri = c->mesh.tri + 3 * (size_t)c->first_triangle[i];
        for (size_t k = 0; k < 3 * (size_t)ntris; k++) tri[k] = from[k] + first;
        for (size_t k = 0; k < 2 * (size_t)own->nlines; k++) c->mesh.line[line++] = own->line[k] + first;
        taut_body_positions_from(scene->world, scene->body[c->body[i]].body, scene->origin,
                                 c->mesh.x + 3 * (size_t)first);
    }
}

/* Counts the vertices and triangles of each body, and makes surfaces. */
static bool count_bodies(crowd *c, const taut_scene *scene, int64_t *lines, taut_error *error)
{
    size_t places = (size_t)scene->nbodies + 1;
    c->body = calloc(places, sizeof *c->body);
    c->surface = calloc(places, sizeof *c->surface);
    c->first_vertex = calloc(places, sizeof *c->first_vertex);
    c->first_triangle = calloc(places, sizeof *c->first_triangle);
    if (!c->body || !c->surface || !c->first_vertex || !c->first_triangle) return out_of_memory(error);
    for (int i = 0; i < scene->nbodies; i++) {
        const taut_mesh *own = &scene->body[i].file.mesh;
        int ntris = own->ntris, n = c->nbodies;
        if (!touches(scene, i)) continue;
        if (own->ntris == 0 && own->ntets > 0) {
            c->surface[n] = taut_mesh_surface(own, &ntris, error);
            if (!c->surface[n]) return false;
        }
        *lines += own->nlines;
        c->body[n] = i;
        c->first_vertex[n + 1] = c->first_vertex[n] + own->nvertices;
        c->first_triangle[n + 1] = c->first_triangle[n] + ntris;
        c->nbodies++;
    }
    return true;
}

static run_place place_of(const crowd *c, const int *first, int number)
{
    int k = 0;
    while (first[k + 1] <= number) k++;
    return (run_place){c->body[k], number - first[k]};
}

static bool search(const crowd *c, run_start *start, taut_error *error)
{
    taut_crossing list[RUN_START_LISTED];
    start->crossings = taut_mesh_crossings(&c->mesh, NULL, list, RUN_START_LISTED, &start->pairs, error);
    if (start->crossings < 0) return false;
    start->listed = start->crossings < RUN_START_LISTED ? (int)start->crossings : RUN_START_LISTED;
    for (int i = 0; i < start->listed; i++) {
        start->triangle[i] = place_of(c, c->first_triangle, list[i].triangle);
        for (int k = 0; k < 2; k++) start->edge[i][k] = place_of(c, c->first_vertex, list[i].edge[k]);
    }
    return true;
}

bool run_start_search(run *r, taut_error *error)
{
    crowd c = {0};
    int64_t lines = 0;
    bool good = count_bodies(&c, r->scene, &lines, error);
    if (good && c.nbodies > 0) {
        good = taut_mesh_allocate(&c.mesh, c.first_vertex[c.nbodies], c.first_triangle[c.nbodies], 0, lines, false,
                                  false, error);
        if (good) fill_mesh(&c, r->scene);
        good = good && search(&c, &r->start, error);
    }
    crowd_close(&c);
    return good;
}

static const char *name_of(const run *r, run_place place) { return r->scene->body[place.body].name; }

void run_start_warn(const run *r)
{
    const run_start *s = &r->start;
    if (s->crossings == 0 || r->options->quiet) return;
    fprintf(stderr,
            "%s: %" PRId64 " pair%s of triangles intersect%s at the start, first triangle %d of %s and edge %d-%d of "
            "%s; taut check %s lists them, and draws them with --render start.png\n",
            RUN_COMMAND, s->pairs, s->pairs == 1 ? "" : "s", s->pairs == 1 ? "s" : "", s->triangle[0].number,
            name_of(r, s->triangle[0]), s->edge[0][0].number, s->edge[0][1].number, name_of(r, s->edge[0][0]),
            r->options->scene);
}

void run_start_put(FILE *file, const run *r)
{
    const run_start *s = &r->start;
    fprintf(file, "  \"start\": {\"pairs\": %" PRId64 ", \"crossings\": %" PRId64 ", \"list\": [", s->pairs,
            s->crossings);
    for (int i = 0; i < s->listed; i++)
        fprintf(file, "%s{\"body\": %d, \"triangle\": %d, \"edge_body\": %d, \"edge\": [%d, %d]}", i ? ", " : "",
                s->triangle[i].body, s->triangle[i].number, s->edge[i][0].body, s->edge[i][0].number,
                s->edge[i][1].number);
    fputs("]},\n", file);
}
