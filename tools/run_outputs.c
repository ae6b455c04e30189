#include "run_outputs.h"

#include "run_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Fields: how far each cell is stretched, sheared and bent ---- */

struct run_body_fields {
    taut_measurer *measurer; /* NULL: the mesh that is shown is not the simulated one */
    float *per_cell;
    float *value[TAUT_MEASURES]; /* one per polygon, or per tet */
    taut_cache_field field[TAUT_MEASURES];
};

static bool out_of_memory(taut_error *error)
{
    *error = (taut_error){TAUT_NO_MEMORY, -1, "out of memory"};
    return false;
}

static bool shows_itself(const taut_scene_body *body)
{
    int cells = body->file.npolygons ? body->file.mesh.ntris : body->file.mesh.ntris ? 0 : body->file.mesh.ntets;
    return cells > 0 && body->shown.polygon_start == body->file.polygon_start &&
           body->shown.npolygons == body->file.npolygons && body->shown.nvertices == body->file.mesh.nvertices;
}

static bool open_body_fields(run_body_fields *f, const taut_scene_body *body, taut_error *error)
{
    size_t shown = (size_t)(body->shown.npolygons ? body->shown.npolygons : body->shown.ntets);
    for (int i = 0; i < TAUT_MEASURES; i++) f->field[i].name = taut_measure_name((taut_measure)i);
    if (!shows_itself(body)) return true;
    f->measurer = taut_measurer_build(&body->file.mesh, body->warp_axis, error);
    if (!f->measurer) return false;
    f->per_cell = malloc(sizeof(float) * (size_t)taut_measurer_cells(f->measurer));
    bool good = f->per_cell != NULL;
    for (int i = 0; i < TAUT_MEASURES; i++) {
        f->field[i].value = f->value[i] = malloc(sizeof(float) * shown);
        good = good && f->value[i];
    }
    return good || out_of_memory(error);
}

static bool measure(run_body_fields *f, const taut_scene_body *body, const float *xyz)
{
    const taut_cache_object *shown = &body->shown;
    for (int i = 0; i < TAUT_MEASURES && f->measurer; i++) {
        float *cells = shown->npolygons ? f->per_cell : f->value[i];
        taut_measurer_apply(f->measurer, xyz, (taut_measure)i, cells);
        if (shown->npolygons && !taut_measurer_to_polygons(f->measurer, shown->npolygons, shown->polygon_start, cells,
                                                           f->value[i]))
            return false;
    }
    return true;
}

static void free_body_fields(run_body_fields *f)
{
    taut_measurer_free(f->measurer);
    free(f->per_cell);
    for (int i = 0; i < TAUT_MEASURES; i++) free(f->value[i]);
}

static bool any_holds_fields(const run_names *names)
{
    for (int i = 0; i < names->noutputs; i++)
        if (name_ends_in(names->output[i], "vtu") || name_ends_in(names->output[i], "pvd")) return true;
    return false;
}

/* ---- Opening ---- */

static bool take_memory(run_outputs *o, const run *r, taut_error *error)
{
    const taut_scene *scene = r->scene;
    size_t bodies = (size_t)scene->nbodies;
    bool with_fields = any_holds_fields(&r->names), good = true;
    o->nbodies = scene->nbodies;
    o->object = calloc(bodies, sizeof *o->object);
    o->xyz = calloc(bodies, sizeof *o->xyz);
    o->field_of_body = calloc(bodies, sizeof(const taut_cache_field *));
    o->fields = with_fields ? calloc(bodies, sizeof *o->fields) : NULL;
    if (!o->object || !o->xyz || !o->field_of_body || (with_fields && !o->fields))
        return out_of_memory(error);
    for (int i = 0; i < scene->nbodies; i++) {
        o->object[i] = scene->body[i].shown;
        o->xyz[i] = malloc(3 * sizeof(float) * (size_t)scene->body[i].shown.nvertices);
        good = good && o->xyz[i];
    }
    return good || out_of_memory(error);
}

bool run_outputs_open(run_outputs *outputs, const run *r, int first_frame, taut_error *error)
{
    const taut_scene *scene = r->scene;
    *outputs = (run_outputs){0};
    if (!take_memory(outputs, r, error)) return false;
    for (int i = 0; i < scene->nbodies && outputs->fields; i++) {
        if (!open_body_fields(&outputs->fields[i], &scene->body[i], error)) return false;
        outputs->field_of_body[i] = outputs->fields[i].measurer ? outputs->fields[i].field : NULL;
    }
    for (; outputs->count < r->names.noutputs; outputs->count++) {
        taut_cache *cache = taut_cache_open(r->names.output[outputs->count], outputs->object, scene->nbodies,
                                            scene->fps, scene->frames + 1, first_frame, error);
        if (!cache) return false;
        outputs->cache[outputs->count] = cache;
    }
    return true;
}

/* ---- Writing ---- */

bool run_outputs_write(run_outputs *outputs, const taut_scene *scene, taut_error *error)
{
    for (int i = 0; i < scene->nbodies; i++) {
        taut_scene_show(scene, i, outputs->xyz[i]);
        if (outputs->fields && !measure(&outputs->fields[i], &scene->body[i], outputs->xyz[i]))
            outputs->field_of_body[i] = NULL;
    }
    for (int i = 0; i < outputs->count; i++) {
        bool good = taut_cache_write(outputs->cache[i], (const float *const *)outputs->xyz,
                                     outputs->fields ? outputs->field_of_body : NULL,
                                     outputs->fields ? TAUT_MEASURES : 0, error);
        if (!good) return false;
    }
    return true;
}

bool run_outputs_flush(run_outputs *outputs, taut_error *error)
{
    for (int i = 0; i < outputs->count; i++)
        if (!taut_cache_flush(outputs->cache[i], error)) return false;
    return true;
}

static void free_memory(run_outputs *outputs)
{
    for (int i = 0; i < outputs->nbodies; i++) {
        if (outputs->xyz) free(outputs->xyz[i]);
        if (outputs->fields) free_body_fields(&outputs->fields[i]);
    }
    free(outputs->object);
    free(outputs->xyz);
    free(outputs->field_of_body);
    free(outputs->fields);
    *outputs = (run_outputs){0};
}

bool run_outputs_close(run_outputs *outputs, taut_error *error)
{
    bool good = true;
    for (int i = 0; i < outputs->count; i++) {
        if (good) good = taut_cache_close(outputs->cache[i], error);
        else taut_cache_leave(outputs->cache[i]);
    }
    free_memory(outputs);
    return good;
}

void run_outputs_leave(run_outputs *outputs)
{
    for (int i = 0; i < outputs->count; i++) taut_cache_leave(outputs->cache[i]);
    free_memory(outputs);
}

void run_outputs_discard(run_outputs *outputs)
{
    for (int i = 0; i < outputs->count; i++) taut_cache_discard(outputs->cache[i]);
    free_memory(outputs);
}

/* ---- Files that earlier runs left ---- */

bool run_outputs_complete(const run *r)
{
    run_outputs outputs;
    taut_error error;
    bool complete = run_outputs_open(&outputs, r, r->scene->frames + 1, &error);
    run_outputs_leave(&outputs);
    return complete;
}
