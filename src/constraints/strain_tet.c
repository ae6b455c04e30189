/* Strain of a tet (strain.h): three stretches, three shears, the volume.
 *
 * The volume keeps its sign, so it turns inverted tets round (SBD 3.7); while a tet is inverted it works at full
 * strength, whatever its stiffness: 0.5 left 36 of 200 inverted tets behind. Physical stiffness: energy V/2 * Y C^2 for
 * each mode, Y in Pa, V the rest volume. */
#include "base/vec.h"
#include "constraints/strain.h"

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

/* What solids mostly are: every mode, default forms. */
static const strain_shape usual = {.active = {true, true, true, true, true, true, true}};

TT_STRAIN_KERNELS(DIMENSION, FIELDS, MODES)

/* An orthonormal frame from the mesh's (Gram-Schmidt on x, then y; right-handed), or the world's axes. */
static void frame_of(const taut_mesh *mesh, int t, vec3 axis[3])
{
    const vec3 world[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int j = 0; j < 3; j++) axis[j] = world[j];
    if (!mesh->frame) return;
    vec3 x = vec_of(&mesh->frame[9 * t]), y = vec_of(&mesh->frame[9 * t + 3]);
    double xx = vec_dot(x, x);
    if (!(xx > 0)) return;
    vec3 flat = vec_sub(y, vec_scale(x, vec_dot(x, y) / xx));
    if (!(vec_length(flat) > 1e-6 * vec_length(y))) return;
    axis[0] = vec_scale(x, 1 / sqrt(xx));
    axis[1] = vec_scale(flat, 1 / vec_length(flat));
    axis[2] = vec_cross(axis[0], axis[1]);
}

static bool create(tt_maker *maker)
{
    const taut_strain *s = &maker->material->strain;
    if (!(s->xx > 0 || s->yy > 0 || s->zz > 0 || s->xy > 0 || s->yz > 0 || s->xz > 0 || s->volume > 0)) return true;
    const taut_mesh *mesh = maker->mesh;
    for (int t = 0; t < mesh->ntets; t++) {
        const int *v = &mesh->tet[4 * t];
        vec3 axis[3], e[3], p0 = vec_of(&mesh->x[3 * v[0]]);
        frame_of(mesh, t, axis);
        double size = 0;
        for (int k = 0; k < 3; k++) {
            vec3 edge = vec_sub(vec_of(&mesh->x[3 * v[k + 1]]), p0);
            e[k] = (vec3){vec_dot(axis[0], edge), vec_dot(axis[1], edge), vec_dot(axis[2], edge)};
            size = fmax(size, vec_length(edge));
        }
        double det = vec_dot(e[0], vec_cross(e[1], e[2]));
        if (!(fabs(det) > 1e-9 * size * size * size)) continue; /* a flat tet has no frame */
        /* Row k of Q^-1 is the cross product of the other two edges over det; column j is its component j. */
        vec3 row[3] = {vec_cross(e[1], e[2]), vec_cross(e[2], e[0]), vec_cross(e[0], e[1])};
        double data[WEIGHT];
        for (int k = 0; k < 3; k++) {
            data[0 * 3 + k] = row[k].x / det;
            data[1 * 3 + k] = row[k].y / det;
            data[2 * 3 + k] = row[k].z / det;
        }
        if (!tt_emit(maker, v, data, tt_tet_scale(mesh, t), fabs(det) / 6)) return false;
    }
    return true;
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
