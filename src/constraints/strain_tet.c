/* Strain of a tet (strain.h): three stretches, three shears, the volume.
 *
 * The volume has a sign, so it turns inverted tets round (SBD 3.7). While a tet is inverted, its volume has full
 * strength, whatever its stiffness, because with a stiffness of 0.5 it left 36 of 200 tets inverted. Physical
 * stiffness: energy V/2 * Y C^2 for each mode, Y in Pa, V the rest volume. */
#include "constraints/strain.h"

#include <math.h>

enum { DIMENSION = 3, PARTICLES = 4, FIELDS = 10, WEIGHT = 9, XX = 0, YY, ZZ, XY, YZ, XZ, VOLUME, MODES };

TT_INLINE lane rest_volume(const tt_tuning *tuning)
{
    return lane_all(tuning->rest[0]) * lane_all(tuning->rest[1]) * lane_all(tuning->rest[2]);
}

TT_INLINE strain_mode mode_of(const strain_axes *x, int mode, const strain_shape *shape, const tt_tuning *tuning)
{
    if (mode <= ZZ) return stretch_mode(x, mode, lane_all(tuning->rest[mode]), shape->stretch_form);
    if (mode == XY) return shear_mode(x, 0, 1, shape->shear_form);
    if (mode == YZ) return shear_mode(x, 1, 2, shape->shear_form);
    if (mode == XZ) return shear_mode(x, 0, 2, shape->shear_form);
    return volume_mode(x, rest_volume(tuning));
}

TT_INLINE void project_volume(const tt_batch *batch, const tt_go *go, const strain_shape *shape, strain_element *e)
{
    if (!shape->active[VOLUME]) return;
    strain_mode m = mode_of(&e->x, VOLUME, shape, batch->tuning);
    mask upright = lane_less(lane_all(0), m.lever.C + rest_volume(batch->tuning));
    lane full = -lane_divide_above(m.lever.C, m.lever.denominator, m.lever.least);
    tt_lever soft = m.lever;
    soft.least = lane_select(upright, soft.least, lane_all((real)INFINITY)); /* no step, no lambda while inverted */
    lane t = lane_select(upright, multiplier(batch, go, VOLUME, e->weight, soft), full);
    strain_apply(&m, t, DIMENSION, e->x.W, false, e->x.f, e->u);
}

TT_INLINE void project_shape(const tt_batch *batch, const tt_go *go, const strain_shape *shape)
{
    strain_element e;
    strain_load(batch, go, DIMENSION, &e);
    strain_project(batch, go, shape, DIMENSION, XX, true, mode_of, &e);
    strain_project(batch, go, shape, DIMENSION, YY, true, mode_of, &e);
    strain_project(batch, go, shape, DIMENSION, ZZ, true, mode_of, &e);
    strain_project(batch, go, shape, DIMENSION, XY, true, mode_of, &e);
    strain_project(batch, go, shape, DIMENSION, YZ, true, mode_of, &e);
    strain_project(batch, go, shape, DIMENSION, XZ, true, mode_of, &e);
    project_volume(batch, go, shape, &e);
    strain_store(batch, go, DIMENSION, &e);
}

/* The modes that most solids have: all of them, in the default forms. */
static const strain_shape usual = {.active = {true, true, true, true, true, true, true}};

TT_STRAIN_KERNELS(DIMENSION, FIELDS, MODES)

static bool create(tt_maker *maker)
{
    const taut_strain *s = &maker->material->strain;
    if (!(s->xx > 0 || s->yy > 0 || s->zz > 0 || s->xy > 0 || s->yz > 0 || s->xz > 0 || s->volume > 0)) return true;
    return tt_emit_simplices(maker, DIMENSION, fields_of);
}

static void tune(const taut_material *material, tt_tuning *tuning)
{
    const taut_strain *s = &material->strain;
    const taut_damping *d = &material->damping;
    const float stiffness[MODES] = {s->xx, s->yy, s->zz, s->xy, s->yz, s->xz, s->volume};
    const float rate[MODES] = {d->stretch, d->stretch, d->stretch, d->shear, d->shear, d->shear, d->volume};
    for (int mode = 0; mode < MODES; mode++) {
        tuning->stiffness[mode] = stiffness[mode];
        tuning->damping[mode] = rate[mode];
    }
}

const tt_kind TT_NAME(tt_strain_tet) = {
    .name = "strain_tet", .particles = PARTICLES, .fields = FIELDS, .modes = MODES,
    .create = create, .tune = tune, .project = project, .damp = damp, .value = value,
};
