/* Strain of a triangle as springs (strain.h has the modes).
 *
 * Every mode is a function of the Gram scalars S_ij = f_i.f_j, so a few scalars describe what the springs do to the
 * axes:
 *
 *     force       u_1 = -(pull_1 f_1 + turn_pull m_1 + grow_pull n_1)
 *     stiffness   u_1 = along_1 (f_1.g_1) f_1 + across_1 g_1
 *                     + turn (m_1.g_1 + m_2.g_2) m_1 + grow (n_1.g_1 + n_2.g_2) n_1
 *
 *     m_1 = f_2 - lean_1 f_1,   n_1 = S_22 f_1 - S_12 f_2,   g_j the change of f_j;   u_2, m_2 and n_2 likewise
 *
 * Particle k is pushed by F_k = sum_j a_jk u_j, and the first particle by minus the sum of the others. */
#include "constraints/narrow.h" /* sixteen lanes of two axes and their changes spill */

#include "constraints/rows.h"
#include "constraints/strain_springs.h"

/* a[j][k]: a_jk of particles 1 and 2. */
typedef struct tri_axes {
    lane a[2][2];
    lane3 f[2];
} tri_axes;

/* The scalars of the axes that the springs need. An axis shorter than a millionth of its rest length counts as that
 * long. A is at least a thousandth of |f_1||f_2|, as in strain.h. Divisions are slow, so there are few, and none waits
 * for another. */
typedef struct tri_gram {
    lane S11, S12, S22, AA;
    lane flat;       /* 1/(S_11 S_22)     */
    lane inverse[2]; /* 1/S_11 and 1/S_22 */
    lane light;      /* 1/weight          */
} tri_gram;

typedef struct tri_springs {
    lane pull[2], along[2], across[2];
    lane lean[2], turn_pull, turn;
    lane grow_pull, grow;
} tri_springs;

TT_INLINE void tri_load(const tt_go *go, const real *p, const lane a[2][2], lane3 f[2])
{
    const tt_rows first = rows_load(p, go->offset);
    quad e1 = quad_of(rows_sub(rows_load(p, go->offset + TT_BLOCK), first));
    quad e2 = quad_of(rows_sub(rows_load(p, go->offset + 2 * TT_BLOCK), first));
    TT_UNROLL
    for (int j = 0; j < 2; j++) f[j] = add3(scale3(a[j][0], lane3_of(e1)), scale3(a[j][1], lane3_of(e2)));
}

TT_INLINE tri_axes tri_axes_of(const tt_batch *batch, const tt_go *go)
{
    tri_axes x;
    TT_UNROLL
    for (int i = 0; i < 4; i++) x.a[i / 2][i % 2] = field(go, i);
    tri_load(go, batch->p, x.a, x.f);
    return x;
}

TT_INLINE tri_gram tri_gram_of(const tri_axes *x, lane weight)
{
    const lane shortest = lane_all((real)1e-12), one = lane_all(1);
    tri_gram g = {.S12 = dot3(x->f[0], x->f[1]), .light = one / weight};
    g.S11 = lane_max(dot3(x->f[0], x->f[0]), shortest);
    g.S22 = lane_max(dot3(x->f[1], x->f[1]), shortest);
    lane product = g.S11 * g.S22;
    g.AA = lane_max(product - g.S12 * g.S12, lane_all((real)1e-6) * product);
    g.flat = one / product;
    g.inverse[0] = g.flat * g.S22;
    g.inverse[1] = g.flat * g.S11;
    return g;
}

/* A mode's stiffness for an element of unit weight. */
TT_INLINE lane tri_modulus(const tt_batch *batch, int mode) { return lane_all(tt_tuning_modulus(batch->tuning, mode)); }

/* Raw stretch and area get only a share of their stiffness if the axes are long, and shear if they are short. In these
 * cases C changes faster than the axes move, and the full stiffness would be more than the balance reckons with. */
TT_INLINE void tri_stretch(const tt_batch *batch, const strain_shape *shape, const tri_gram *g, int j, tri_springs *s)
{
    const lane one = lane_all(1), two = lane_all(2), rest = lane_all(batch->tuning->rest[j]), S = j ? g->S22 : g->S11;
    lane k = tri_modulus(batch, j) * g->light;
    if (shape->stretch_form == TAUT_STRETCH_SPAN) {
        lane ratio = rest * lane_sqrt(S) * g->inverse[j], slack = lane_min(ratio, one);
        s->pull[j] = k * (one - ratio);
        s->along[j] = k * slack * g->inverse[j];
        s->across[j] = k * (one - slack);
        return;
    }
    lane twice = two * k / lane_max(one, S);
    s->pull[j] = twice * (S - rest * rest);
    s->along[j] = two * twice;
    s->across[j] = lane_all(0);
}

TT_INLINE void tri_shear(const tt_batch *batch, const strain_shape *shape, const tri_gram *g, tri_springs *s)
{
    lane k = tri_modulus(batch, XY) * g->light * lane_min(lane_all(1), lane_min(g->S11, g->S22));
    if (shape->shear_form == TAUT_SHEAR_RAW) {
        s->lean[0] = s->lean[1] = lane_all(0);
        s->turn = k;
        s->turn_pull = k * g->S12;
        return;
    }
    s->lean[0] = g->S12 * g->inverse[0];
    s->lean[1] = g->S12 * g->inverse[1];
    if (shape->shear_form == TAUT_SHEAR_ANGLE) {
        lane A = lane_sqrt(g->AA);
        s->turn = k / g->AA;
        s->turn_pull = k * lane_atan2(g->S12, A) / A;
    } else {
        s->turn = k * g->flat;
        s->turn_pull = s->turn * g->S12;
    }
}

TT_INLINE void tri_area(const tt_batch *batch, const tri_axes *x, const tri_gram *g, tri_springs *s)
{
    lane3 normal = cross3(x->f[0], x->f[1]);
    lane rest = lane_all(batch->tuning->rest[0] * batch->tuning->rest[1]), one = lane_all(1);
    lane AA = dot3(normal, normal), least = lane_max(AA, lane_all((real)1e-6) * (g->S11 * g->S22));
    lane k = tri_modulus(batch, AREA) * g->light / lane_max(one, lane_max(g->S11, g->S22));
    s->grow = k / least;
    s->grow_pull = k * (lane_sqrt(AA) - rest) / lane_sqrt(least);
}

TT_INLINE tri_springs tri_springs_of(const tt_batch *batch, const strain_shape *shape, const tri_axes *x,
                                     const tri_gram *g)
{
    const lane zero = lane_all(0);
    tri_springs s = {.pull = {zero, zero},
                     .along = {zero, zero},
                     .across = {zero, zero},
                     .lean = {zero, zero},
                     .turn_pull = zero,
                     .turn = zero,
                     .grow_pull = zero,
                     .grow = zero};
    TT_UNROLL
    for (int j = 0; j < 2; j++)
        if (shape->active[j]) tri_stretch(batch, shape, g, j, &s);
    if (shape->active[XY]) tri_shear(batch, shape, g, &s);
    if (shape->active[AREA]) tri_area(batch, x, g, &s);
    return s;
}

/* Adds the forces of u to v. */
TT_INLINE void tri_add(const tt_batch *batch, const tt_go *go, const lane a[2][2], const lane3 u[2])
{
    tt_rows F[2];
    TT_UNROLL
    for (int k = 0; k < 2; k++) {
        lane3 force = add3(scale3(a[0][k], u[0]), scale3(a[1][k], u[1]));
        F[k] = rows_of((quad){force.x, force.y, force.z, lane_all(0)});
    }
    rows_store(batch->v, go->offset, rows_sub(rows_load(batch->v, go->offset), rows_add(F[0], F[1])));
    TT_UNROLL
    for (int k = 0; k < 2; k++) add_rows(batch->v, go->offset + (k + 1) * TT_BLOCK, F[k]);
}

TT_INLINE void tri_resist(const tt_batch *batch, const tt_go *go, const strain_shape *shape)
{
    const tri_axes x = tri_axes_of(batch, go);
    const tri_gram g = tri_gram_of(&x, field(go, WEIGHT));
    const tri_springs s = tri_springs_of(batch, shape, &x, &g);
    lane own1 = s.lean[0] * s.turn_pull - s.pull[0], own2 = s.lean[1] * s.turn_pull - s.pull[1], other = -s.turn_pull;
    if (shape->active[AREA]) {
        own1 = own1 - s.grow_pull * g.S22;
        own2 = own2 - s.grow_pull * g.S11;
        other = other + s.grow_pull * g.S12;
    }
    const lane3 u[2] = {add3(scale3(own1, x.f[0]), scale3(other, x.f[1])),
                        add3(scale3(own2, x.f[1]), scale3(other, x.f[0]))};
    tri_add(batch, go, x.a, u);
}

TT_INLINE void tri_stiffen(const tt_batch *batch, const tt_go *go, const strain_shape *shape)
{
    const tri_axes x = tri_axes_of(batch, go);
    const tri_gram g = tri_gram_of(&x, field(go, WEIGHT));
    const tri_springs s = tri_springs_of(batch, shape, &x, &g);
    lane3 d[2];
    tri_load(go, batch->x, x.a, d);
    lane d11 = dot3(x.f[0], d[0]), d22 = dot3(x.f[1], d[1]), mixed = dot3(x.f[0], d[1]) + dot3(x.f[1], d[0]);
    lane other = s.turn * (mixed - (s.lean[0] * d11 + s.lean[1] * d22));
    lane own1 = s.along[0] * d11 - s.lean[0] * other, own2 = s.along[1] * d22 - s.lean[1] * other;
    if (shape->active[AREA]) {
        lane more = s.grow * (g.S22 * d11 + g.S11 * d22 - g.S12 * mixed);
        own1 = own1 + more * g.S22;
        own2 = own2 + more * g.S11;
        other = other - more * g.S12;
    }
    const lane3 u[2] = {
        add3(add3(scale3(own1, x.f[0]), scale3(other, x.f[1])), scale3(s.across[0], d[0])),
        add3(add3(scale3(own2, x.f[1]), scale3(other, x.f[0])), scale3(s.across[1], d[1])),
    };
    tri_add(batch, go, x.a, u);
}

/* A symmetric matrix: xx yy zz, xy yz xz. */
typedef struct tri_matrix {
    lane3 straight, mixed;
} tri_matrix;

/* a b^T + b a^T */
TT_INLINE tri_matrix tri_pair(lane3 a, lane3 b)
{
    const lane two = lane_all(2);
    return (tri_matrix){{two * (a.x * b.x), two * (a.y * b.y), two * (a.z * b.z)},
                        {a.x * b.y + a.y * b.x, a.y * b.z + a.z * b.y, a.x * b.z + a.z * b.x}};
}

/* a a^T */
TT_INLINE tri_matrix tri_square(lane3 a)
{
    return (tri_matrix){{a.x * a.x, a.y * a.y, a.z * a.z}, {a.x * a.y, a.y * a.z, a.x * a.z}};
}

/* The stiffness against a particle with the coefficients a1 and a2 that moves alone. The area is left out: if it has a
 * stiffness, stretch has one too. */
TT_INLINE void tri_brace_one(const tt_batch *batch, const uint32_t *offset, const tri_springs *s,
                             const tri_matrix square[3], lane a1, lane a2)
{
    lane m1 = a2 - a1 * s->lean[0], m2 = a1 - a2 * s->lean[1], a11 = a1 * a1, a22 = a2 * a2, turn = s->turn * m1;
    const lane factor[3] = {a11 * s->along[0] + turn * m1, a22 * s->along[1] + s->turn * m2 * m2, turn * m2};
    lane across = a11 * s->across[0] + a22 * s->across[1];
    lane3 straight = {across, across, across}, mixed = lane3_zero();
    TT_UNROLL
    for (int i = 0; i < 3; i++) {
        straight = add3(straight, scale3(factor[i], square[i].straight));
        mixed = i == 0 ? scale3(factor[i], square[i].mixed) : add3(mixed, scale3(factor[i], square[i].mixed));
    }
    add_rows(batch->v, offset, rows_of((quad){straight.x, straight.y, straight.z, lane_all(0)}));
    add_rows(batch->sum, offset, rows_of((quad){mixed.x, mixed.y, mixed.z, lane_all(0)}));
}

TT_INLINE void tri_brace(const tt_batch *batch, const tt_go *go, const strain_shape *shape)
{
    const tri_axes x = tri_axes_of(batch, go);
    const tri_gram g = tri_gram_of(&x, field(go, WEIGHT));
    const tri_springs s = tri_springs_of(batch, shape, &x, &g);
    const tri_matrix square[3] = {tri_square(x.f[0]), tri_square(x.f[1]), tri_pair(x.f[0], x.f[1])};
    tri_brace_one(batch, go->offset, &s, square, -(x.a[0][0] + x.a[0][1]), -(x.a[1][0] + x.a[1][1]));
    tri_brace_one(batch, go->offset + TT_BLOCK, &s, square, x.a[0][0], x.a[1][0]);
    tri_brace_one(batch, go->offset + 2 * TT_BLOCK, &s, square, x.a[0][1], x.a[1][1]);
}

TT_INLINE void resist_usual(const tt_batch *batch, const tt_go *go) { tri_resist(batch, go, &usual); }
TT_INLINE void resist_any(const tt_batch *batch, const tt_go *go)
{
    strain_shape shape = strain_shape_of(batch->tuning, MODES);
    tri_resist(batch, go, &shape);
}

void TT_NAME(tt_strain_resist)(const tt_batch *batch)
{
    if (strain_shape_is(batch->tuning, &usual, MODES)) sweep_springs(batch, PARTICLES, FIELDS, resist_usual);
    else sweep_springs(batch, PARTICLES, FIELDS, resist_any);
}

TT_INLINE void stiffen_usual(const tt_batch *batch, const tt_go *go) { tri_stiffen(batch, go, &usual); }
TT_INLINE void stiffen_any(const tt_batch *batch, const tt_go *go)
{
    strain_shape shape = strain_shape_of(batch->tuning, MODES);
    tri_stiffen(batch, go, &shape);
}

void TT_NAME(tt_strain_stiffen)(const tt_batch *batch)
{
    if (strain_shape_is(batch->tuning, &usual, MODES)) sweep_springs(batch, PARTICLES, FIELDS, stiffen_usual);
    else sweep_springs(batch, PARTICLES, FIELDS, stiffen_any);
}

TT_INLINE void brace_usual(const tt_batch *batch, const tt_go *go) { tri_brace(batch, go, &usual); }
TT_INLINE void brace_any(const tt_batch *batch, const tt_go *go)
{
    strain_shape shape = strain_shape_of(batch->tuning, MODES);
    tri_brace(batch, go, &shape);
}

void TT_NAME(tt_strain_brace)(const tt_batch *batch)
{
    if (strain_shape_is(batch->tuning, &usual, MODES)) sweep_springs(batch, PARTICLES, FIELDS, brace_usual);
    else sweep_springs(batch, PARTICLES, FIELDS, brace_any);
}
