#define _POSIX_C_SOURCE 200809L

#include "limited_body.h"

#include "base/error.h"
#include "own_clock.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

taut_material limited_body_material(const taut_limit *limit)
{
    taut_material m = taut_default_material();
    m.edge = m.tether = m.drag = m.lift = 0;
    m.strain = (taut_strain){.rest = {1, 1, 1}};
    m.bend = (taut_bend){.model = TAUT_BEND_NONE};
    m.contact = TAUT_CONTACT_OFF;
    m.damping = (taut_damping){0};
    m.limit = *limit;
    return m;
}

static taut_world *still_world(taut_error *error)
{
    taut_world_def def = taut_default_world_def();
    memset(def.gravity, 0, sizeof def.gravity);
    def.substeps = def.iterations = def.threads = 1;
    return taut_world_create(&def, error);
}

/* Makes the coarser levels limit compression too, although their material does not. This is for comparison only. */
static void limit_both_ways(tt_body *body)
{
    for (int i = 1; i < body->nlevels; i++)
        for (int kind = 0; kind < TT_KINDS; kind++) {
            tt_tuning *tuning = &body->level[i].tuning[kind];
            tuning->edge_limit[0] = tuning->edge_limit[1];
        }
}

bool limited_body_open(limited_body *b, const taut_mesh *mesh, const taut_limit *limit,
                       const taut_model_options *options, bool both_ways, taut_error *error)
{
    taut_material material = limited_body_material(limit);
    *b = (limited_body){.model = taut_model_build(mesh, &material, options, error)};
    if (!b->model) return false;
    b->world = still_world(error);
    b->body = b->world ? taut_world_add_body(b->world, b->model, NULL, error) : -1;
    if (b->body < 0) return false;
    b->still = calloc(3 * (size_t)mesh->nvertices, sizeof *b->still);
    if (!b->still) return tt_no_memory(error);
    b->levels = taut_model_levels(b->model);
    if (both_ways) limit_both_ways(tt_world_body(b->world, b->body));
    return true;
}

void limited_body_close(limited_body *b)
{
    taut_world_free(b->world);
    taut_model_free(b->model);
    free(b->still);
}

bool limited_body_place(limited_body *b, const float *xyz, taut_error *error)
{
    return taut_body_set_positions(b->world, b->body, xyz, error);
}

/* Vertices that the limits moved have a velocity after the step. It is set to 0, because they must not move on. */
double limited_body_enforce(limited_body *b)
{
    taut_body_set_velocities(b->world, b->body, b->still, NULL);
    double start = own_clock();
    taut_world_step(b->world, 1);
    return own_clock() - start;
}

/* A pass that finds nothing to do ends the passes of a level early. Such a pass counts too. */
double limited_body_projections(const limited_body *b)
{
    double sum = 0;
    const tt_body *body = tt_world_body(b->world, b->body);
    for (int i = 0; i < body->nlevels; i++) {
        const tt_level *level = &body->level[i];
        int elements = 0, most = level->material.limit.iterations;
        for (int kind = 0; kind < TT_KINDS; kind++)
            if (tt_kind_table()[kind]->limit) elements += level->model->group[kind].count;
        sum += (double)elements * (level->pass < most ? level->pass + 1 : most);
    }
    return sum;
}

const float *limited_body_positions(const limited_body *b) { return taut_body_positions(b->world, b->body, NULL); }
