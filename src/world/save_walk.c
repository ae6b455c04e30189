#include "world/save.h"

#include <float.h>
#include <string.h>

const char tt_save_magic[8] = {'T', 'A', 'U', 'T', 's', 'a', 'v', 'e'};

void tt_save_head(tt_cursor *c, char head[8], int *format)
{
    tt_walk_text(c, head, 8);
    tt_walk_int(c, format);
}

void tt_save_settings(tt_cursor *c, taut_world *world)
{
    tt_walk_vector(c, world->def.gravity, 3);
    tt_walk_vector(c, world->def.wind, 3);
    tt_walk_vector(c, &world->def.air_density, 1);
    tt_walk_vector(c, &world->def.stretch, 1);
    tt_walk_int(c, &world->def.budget);
    tt_walk_int(c, &world->def.substeps);
    tt_walk_int(c, &world->def.iterations);
    tt_walk_i64(c, &world->steps);
    tt_walk_double(c, &world->seconds);
    tt_walk_vector(c, world->last_h, TT_PACES);
}

static void walk_slot(tt_cursor *c, tt_slot *slot)
{
    tt_walk_bool(c, &slot->used);
    tt_walk_int(c, &slot->uses);
    tt_walk_int(c, &slot->next);
}

void tt_save_slots(tt_cursor *c, tt_slots *slots)
{
    for (int i = 0; i < slots->count; i++) walk_slot(c, &slots->slot[i]);
    tt_walk_int(c, &slots->first_free);
}

void tt_save_filter(tt_cursor *c, uint32_t *group, uint32_t *mask)
{
    uint64_t both = (uint64_t)*group << 32 | *mask;
    tt_walk_u64(c, &both);
    *group = (uint32_t)(both >> 32);
    *mask = (uint32_t)both;
}

/* The place of a collider. Its cookie is that of this library. */
static void walk_place(tt_cursor *c, taut_collider_def *def)
{
    int shape = (int)def->shape;
    if (tt_is_reading(c)) *def = taut_default_collider_def();
    tt_walk_int(c, &shape);
    def->shape = (taut_shape)shape;
    tt_walk_point(c, def->origin);
    tt_walk_vector(c, def->a, 3);
    tt_walk_vector(c, def->b, 3);
    tt_walk_vector(c, def->normal, 3);
    tt_walk_vector(c, &def->radius, 1);
    tt_walk_vector(c, def->spin, 3);
    tt_walk_vector(c, &def->friction, 1);
    tt_save_filter(c, &def->group, &def->mask);
    tt_walk_vector(c, def->rotation, 4);
    tt_walk_vector(c, def->size, 3);
    tt_walk_vector(c, &def->radius_b, 1);
    tt_walk_vector(c, &def->thickness, 1);
    tt_walk_vector(c, def->belt, 3);
}

void tt_save_collider(tt_cursor *c, tt_collider *collider)
{
    walk_place(c, &collider->now);
    walk_place(c, &collider->target);
}

/* The cookie of a restored material is that of this library. */
void tt_save_material(tt_cursor *c, taut_material *material)
{
    if (tt_is_reading(c)) *material = taut_default_material();
    for (int i = 0; i < taut_parameter_count(); i++) {
        const taut_parameter *parameter = taut_parameter_at(i);
        taut_parameter_type type = parameter->type;
        void *member = (char *)material + parameter->offset;
        if (type == TAUT_PARAMETER_BOOL) tt_walk_bool(c, member);
        else if (type == TAUT_PARAMETER_INT || type == TAUT_PARAMETER_CHOICE) tt_walk_int(c, member);
        else
            for (size_t k = 0; k < parameter->size / sizeof(float); k++) tt_walk_float(c, (float *)member + k);
    }
}

void tt_save_pin(tt_cursor *c, tt_pin *pin)
{
    tt_walk_int(c, &pin->particle);
    tt_walk_vector(c, &pin->stiffness, 1);
    tt_walk_point(c, pin->target);
    tt_walk_bool(c, &pin->arrived);
}

void tt_save_particles(tt_cursor *c, const taut_model *model, tt_level *mesh)
{
    size_t n = (size_t)model->nparticles;
    tt_walk_array(c, mesh ? mesh->p : NULL, n, 3, 4, -FLT_MAX);
    tt_walk_array(c, mesh ? mesh->v : NULL, n, 3, 4, -FLT_MAX);
    tt_walk_array(c, mesh ? mesh->free_w : NULL, n, 1, 1, 0);
}

static bool holds_any(const tt_level *mesh)
{
    for (int side = 0; side < 2 && mesh && mesh->balance.held[side]; side++)
        for (size_t i = 0; i < 4 * (size_t)mesh->model->nparticles; i++)
            if (mesh->balance.held[side][i] != 0) return true;
    return false;
}

void tt_save_held(tt_cursor *c, const taut_model *model, tt_level *mesh)
{
    size_t n = (size_t)model->nparticles;
    bool any = holds_any(mesh);
    tt_walk_bool(c, &any);
    if (any && !model->balances) c->failed = true;
    for (int side = 0; side < 2 && !c->failed && model->balances; side++)
        if (any) tt_walk_array(c, mesh ? mesh->balance.held[side] : NULL, n, 4, 4, -FLT_MAX);
        else if (c->walk == TT_READ) memset(mesh->balance.held[side], 0, 4 * n * sizeof(float));
}

static void walk_doubles(tt_cursor *c, double *value, int count)
{
    for (int i = 0; i < count; i++) tt_walk_double(c, &value[i]);
}

void tt_save_tie(tt_cursor *c, tt_tie *tie)
{
    tt_walk_int(c, &tie->body);
    tt_walk_int(c, &tie->particle);
    tt_walk_int(c, &tie->collider);
    tt_walk_int(c, &tie->other);
    for (int i = 0; i < TT_TIE_ENDS - 1; i++) tt_walk_int(c, &tie->corner[i]);
    tt_walk_vector(c, tie->weight, TT_TIE_ENDS - 1);
    walk_doubles(c, &tie->ride.along, 1);
    walk_doubles(c, tie->ride.arm, 3);
    tt_walk_int(c, &tie->ride.triangle);
    walk_doubles(c, tie->ride.weight, 3);
    tt_walk_float(c, &tie->slack);
    tt_walk_float(c, &tie->backstop);
    tt_walk_float(c, &tie->speed);
    tt_walk_float(c, &tie->strength);
    walk_doubles(c, &tie->leash, 1);
    walk_doubles(c, &tie->wall, 1);
    walk_doubles(c, &tie->force, 1);
}

void tt_save_tier(tt_cursor *c, tt_tier *tier)
{
    int contact = (int)tier->contact;
    tt_walk_int(c, &tier->a);
    tt_walk_int(c, &tier->b);
    tt_walk_int(c, &contact);
    tier->contact = (taut_contact)contact;
}
