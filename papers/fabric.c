#include "fabric.h"

#include "random.h"

const taut_bend_model fabric_model[FABRIC_MODELS] = {TAUT_BEND_TRIANGLE, TAUT_BEND_DIHEDRAL, TAUT_BEND_STICK};
const char *const fabric_name[FABRIC_MODELS] = {"triangle", "dihedral", "stick"};
const char *const fabric_kind[FABRIC_MODELS] = {"triangle_bend", "dihedral", "stick"};

bool fabric_make(trial *t, taut_bend_model model, taut_error *error)
{
    *t = trial_default();
    t->material.edge = 1;
    t->material.bend.model = model;
    t->material.bend.stiffness = 1;
    t->material.damping.global = 1;
    t->world_def.iterations = FABRIC_ITERATIONS;
    return taut_mesh_sheet(&t->mesh, FABRIC_SIDE, FABRIC_SIDE, 1, 1, error);
}

void fabric_crumple(const taut_mesh *mesh, float xyz[3 * FABRIC_VERTICES])
{
    const double cell = 1.0 / (FABRIC_SIDE - 1), size[3] = {0.7, 0.7, 1}, noise[3] = {0.4, 0.4, 1};
    uint32_t seed = 7;
    for (int i = 0; i < 3 * FABRIC_VERTICES; i++)
        xyz[i] = (float)(size[i % 3] * (double)mesh->x[i] + noise[i % 3] * cell * uniform(&seed, -1, 1));
}
