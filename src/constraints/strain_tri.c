/* Strain of a triangle (strain.h): stretch along warp and weft, their shear, the area.
 *
 * Its springs are in strain_springs.c.
 *
 * Physical stiffness: energy A/2 * Y C^2 for each mode, Y in N/m, A the rest area. */
#include "constraints/strain_springs.h"

TT_INLINE strain_mode mode_of(const strain_axes *x, int mode, const strain_shape *shape, const tt_tuning *tuning)
{
    const lane s1 = lane_all(tuning->rest[0]), s2 = lane_all(tuning->rest[1]);
    if (mode == XX) return stretch_mode(x, 0, s1, shape->stretch_form);
    if (mode == YY) return stretch_mode(x, 1, s2, shape->stretch_form);
    if (mode == XY) return shear_mode(x, 0, 1, shape->shear_form);
    return area_mode(x, s1 * s2);
}

/* The modes of a triangle, projected in their order, need no vectors, only the Gram scalars S_ij = f_i.f_j. The axes
 * stay combinations of those at the start, f_i = sum_j M_ij f_j(0), and so do the sums of steps, u_i = sum_j L_ij
 * f_j(0). This is the loop of strain.h, but it updates dot products instead of vectors. That takes half the registers
 * and makes a shorter chain of dependent steps. */
typedef struct gram {
    lane S11, S12, S22;
    lane W11, W12, W22;
    lane bound1, bound2;
    lane M11, M12, M21, M22;
    lane L11, L12, L21, L22;
} gram;

/* The t of a mode, as in strain.h, from these scalars. */
TT_INLINE lane stretch_multiplier(const tt_batch *batch, const tt_go *go, const strain_shape *shape, int mode,
                                  lane weight, lane S, lane W, lane bound)
{
    if (!shape->active[mode]) return lane_all(0);
    lane length = lane_sqrt(S), s = lane_all(batch->tuning->rest[mode]), half = lane_all(0.5f);
    if (shape->stretch_form == TAUT_STRETCH_SPAN)
        return multiplier(batch, go, mode, weight,
                          (tt_lever){length - s, length, lane_all(1), W * length, lever_least(bound, length)});
    return multiplier(batch, go, mode, weight, (tt_lever){S - s * s, half, half, W * S, lever_least(bound, S)});
}

/* u_1 += t f_1, so f_1 grows by t W11 of itself and f_2 by t W12 f_1. */
TT_INLINE void project_xx(const tt_batch *batch, const tt_go *go, const strain_shape *shape, lane weight, gram *g)
{
    lane t = stretch_multiplier(batch, go, shape, XX, weight, g->S11, g->W11, g->bound1);
    lane grow = lane_all(1) + t * g->W11, c = t * g->W12, cS = c * g->S11;
    g->S22 = g->S22 + c * (g->S12 + g->S12 + cS);
    g->S12 = grow * (g->S12 + cS);
    g->S11 = grow * grow * g->S11;
    g->M11 = grow, g->M12 = lane_all(0);
    g->M21 = c, g->M22 = lane_all(1);
    g->L11 = t, g->L12 = lane_all(0);
}

/* u_2 += t f_2. */
TT_INLINE void project_yy(const tt_batch *batch, const tt_go *go, const strain_shape *shape, lane weight, gram *g)
{
    lane t = stretch_multiplier(batch, go, shape, YY, weight, g->S22, g->W22, g->bound2);
    lane grow = lane_all(1) + t * g->W22, c = t * g->W12, cS = c * g->S22;
    g->L21 = t * g->M21, g->L22 = t;
    g->S11 = g->S11 + c * (g->S12 + g->S12 + cS);
    g->S12 = grow * (g->S12 + cS);
    g->S22 = grow * grow * g->S22;
    g->M11 = g->M11 + c * g->M21, g->M12 = c;
    g->M21 = grow * g->M21, g->M22 = grow;
}

/* u_1 += a f_2 - b1 f_1, u_2 += a f_1 - b2 f_2. */
TT_INLINE void add_steps(gram *g, lane a, lane b1, lane b2)
{
    g->L11 = g->L11 + (a * g->M21 - b1 * g->M11);
    g->L12 = g->L12 + (a * g->M22 - b1 * g->M12);
    g->L21 = g->L21 + (a * g->M11 - b2 * g->M21);
    g->L22 = g->L22 + (a * g->M12 - b2 * g->M22);
}

TT_INLINE void project_xy(const tt_batch *batch, const tt_go *go, const strain_shape *shape, lane weight, gram *g)
{
    lane product = g->S11 * g->S22, twice = g->S12 + g->S12, zero = lane_all(0);
    lane same = g->W11 * g->S22 + g->W22 * g->S11, mixed = g->W12 * twice;
    lane bound = g->bound1 * g->S22 + g->bound2 * g->S11, one = lane_all(1);
    if (shape->shear_form == TAUT_SHEAR_RAW) {
        lane t = multiplier(batch, go, XY, weight, (tt_lever){g->S12, one, one, same + mixed, lever_least(bound, one)});
        add_steps(g, t, zero, zero);
        return;
    }
    lane AA = lane_max(product - g->S12 * g->S12, lane_all((real)1e-6) * product), N = same - mixed, t;
    if (shape->shear_form == TAUT_SHEAR_ANGLE) {
        lane A = lane_sqrt(AA);
        t = multiplier(batch, go, XY, weight,
                       (tt_lever){lane_atan2(g->S12, A), A * product, one, N * A, lever_least(bound, A)});
    } else {
        lane lengths = lane_sqrt(product), C = lane_divide(g->S12, lengths), scale = lane_divide(AA, lengths);
        t = multiplier(batch, go, XY, weight,
                       (tt_lever){C, lengths * product, one, N * scale, lever_least(bound, scale)});
    }
    lane tS = t * g->S12;
    add_steps(g, t * product, tS * g->S22, tS * g->S11);
}

TT_INLINE void project_shape(const tt_batch *batch, const tt_go *go, const strain_shape *shape)
{
    strain_element e;
    strain_load(batch, go, DIMENSION, &e);
    const lane3 f1 = e.x.f[0], f2 = e.x.f[1];
    gram g = {.S11 = dot3(f1, f1), .S12 = dot3(f1, f2), .S22 = dot3(f2, f2),
              .W11 = e.x.W[0][0], .W12 = e.x.W[0][1], .W22 = e.x.W[1][1],
              .bound1 = e.x.bound[0], .bound2 = e.x.bound[1]};
    project_xx(batch, go, shape, e.weight, &g);
    project_yy(batch, go, shape, e.weight, &g);
    if (shape->active[XY]) project_xy(batch, go, shape, e.weight, &g);
    e.u[0] = add3(scale3(g.L11, f1), scale3(g.L12, f2));
    e.u[1] = add3(scale3(g.L21, f1), scale3(g.L22, f2));
    if (shape->active[AREA]) {
        e.x.f[0] = add3(f1, add3(scale3(g.W11, e.u[0]), scale3(g.W12, e.u[1])));
        e.x.f[1] = add3(f2, add3(scale3(g.W12, e.u[0]), scale3(g.W22, e.u[1])));
        strain_project(batch, go, shape, DIMENSION, AREA, false, mode_of, &e);
    }
    strain_store(batch, go, DIMENSION, &e);
}

TT_STRAIN_KERNELS(DIMENSION, FIELDS, MODES)

static bool create(tt_maker *maker)
{
    const taut_strain *strain = &maker->material->strain;
    if (!(strain->xx > 0 || strain->yy > 0 || strain->xy > 0 || strain->area > 0)) return true;
    return tt_emit_simplices(maker, DIMENSION, fields_of);
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
    .create = create, .tune = tune, .project = project,
    .resist = TT_NAME(tt_strain_resist), .stiffen = TT_NAME(tt_strain_stiffen), .brace = TT_NAME(tt_strain_brace),
    .damp = damp, .value = value,
};
