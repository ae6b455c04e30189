/* Strain of a triangle (strain.h): stretch along warp and weft, their shear, the area.
 *
 * Physical stiffness: energy A/2 * Y C^2 for each mode, Y in N/m, A the rest area. */
#include "base/vec.h"
#include "constraints/strain.h"

enum { DIMENSION = 2, PARTICLES = 3, FIELDS = 5, WEIGHT = 4, XX = 0, YY, XY, AREA, MODES };

TT_INLINE strain_mode mode_of(const strain_axes *x, int mode, const tt_tuning *tuning)
{
    const lane s1 = lane_all(tuning->rest[0]), s2 = lane_all(tuning->rest[1]);
    if (mode == XX) return stretch_mode(x, 0, s1, tuning->stretch_form);
    if (mode == YY) return stretch_mode(x, 1, s2, tuning->stretch_form);
    if (mode == XY) return shear_mode(x, 0, 1, tuning->shear_form);
    return area_mode(x, s1 * s2);
}

TT_INLINE void project_go(const tt_batch *batch, const tt_go *go)
{
    strain_element e;
    strain_load(batch, go, DIMENSION, &e);
    strain_project(batch, go, DIMENSION, XX, mode_of, &e);
    strain_project(batch, go, DIMENSION, YY, mode_of, &e);
    strain_project(batch, go, DIMENSION, XY, mode_of, &e);
    strain_project(batch, go, DIMENSION, AREA, mode_of, &e);
    strain_store(batch, go, DIMENSION, &e);
}

TT_INLINE void damp_go(const tt_batch *batch, const tt_go *go) { strain_damp(batch, go, DIMENSION, MODES, mode_of); }

static void project(const tt_batch *batch) { sweep(batch, PARTICLES, FIELDS, MODES, project_go); }
static void damp(const tt_batch *batch) { sweep(batch, PARTICLES, FIELDS, MODES, damp_go); }

static double value(const double *x, const double *data, const tt_tuning *tuning, int mode, double *gradient)
{
    return strain_value(x, data, tuning, DIMENSION, mode, mode_of, gradient);
}

/* The warp direction of a triangle in its plane: from UVs (SBD eq. 37), from a direction, or its first edge. `flip` tells
 * that the UVs run the other way round than the triangle. */
static vec3 warp_of(const tt_maker *maker, int t, vec3 e1, vec3 e2, vec3 normal, bool *flip)
{
    const taut_mesh *mesh = maker->mesh;
    *flip = false;
    if (mesh->uv) {
        const float *uv = &mesh->uv[6 * t];
        double u1 = (double)uv[2] - (double)uv[0], v1 = (double)uv[3] - (double)uv[1];
        double u2 = (double)uv[4] - (double)uv[0], v2 = (double)uv[5] - (double)uv[1];
        double det = u1 * v2 - u2 * v1;
        vec3 warp = vec_sub(vec_scale(e1, v2), vec_scale(e2, v1)); /* t_u * det */
        double size = fabs(u1 * v2) + fabs(u2 * v1);
        if (fabs(det) > 1e-9 * size && vec_length(warp) > 0) {
            *flip = det < 0;
            return vec_scale(warp, det < 0 ? -1 : 1);
        }
    }
    const float *given = mesh->direction ? &mesh->direction[3 * t] : maker->axis;
    vec3 d = vec_of(given);
    vec3 flat = vec_sub(d, vec_scale(normal, vec_dot(d, normal) / vec_dot(normal, normal)));
    return vec_length(flat) > 1e-6 * vec_length(d) ? flat : e1;
}

static bool create(tt_maker *maker)
{
    const taut_strain *strain = &maker->material->strain;
    if (!(strain->xx > 0 || strain->yy > 0 || strain->xy > 0 || strain->area > 0)) return true;
    const taut_mesh *mesh = maker->mesh;
    for (int t = 0; t < mesh->ntris; t++) {
        const int *v = &mesh->tri[3 * t];
        vec3 p0 = vec_of(&mesh->x[3 * v[0]]);
        vec3 e1 = vec_sub(vec_of(&mesh->x[3 * v[1]]), p0), e2 = vec_sub(vec_of(&mesh->x[3 * v[2]]), p0);
        vec3 normal = vec_cross(e1, e2);
        double twice = vec_length(normal);
        if (!(twice > 1e-9 * (vec_dot(e1, e1) + vec_dot(e2, e2)))) continue; /* a sliver has no frame */
        bool flip;
        vec3 n1 = warp_of(maker, t, e1, e2, normal, &flip);
        n1 = vec_scale(n1, 1 / vec_length(n1));
        vec3 n2 = vec_scale(vec_cross(normal, n1), (flip ? -1 : 1) / twice);
        /* Q = [n1 n2]^T [e1 e2] (SBD eq. 38) */
        double q11 = vec_dot(n1, e1), q12 = vec_dot(n1, e2), q21 = vec_dot(n2, e1), q22 = vec_dot(n2, e2);
        double det = q11 * q22 - q12 * q21;
        double data[WEIGHT] = {q22 / det, -q21 / det, -q12 / det, q11 / det};
        if (!tt_emit(maker, v, data, tt_tri_scale(mesh, t), twice / 2)) return false;
    }
    return true;
}

static void tune(const taut_material *material, tt_tuning *tuning)
{
    const taut_strain *strain = &material->strain;
    const taut_damping *damping = &material->damping;
    const float stiffness[MODES] = {strain->xx, strain->yy, strain->xy, strain->area};
    const float rate[MODES] = {damping->stretch, damping->stretch, damping->shear, damping->area};
    for (int mode = 0; mode < MODES; mode++) {
        tuning->stiffness[mode] = stiffness[mode];
        tuning->damping[mode] = rate[mode];
    }
}

const tt_kind TT_NAME(tt_strain_tri) = {
    .name = "strain_tri", .particles = PARTICLES, .fields = FIELDS, .modes = MODES,
    .create = create, .tune = tune, .project = project, .damp = damp, .value = value,
};
