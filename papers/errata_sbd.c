/* Errata of Strain Based Dynamics. An erratum is an experiment whose paper says what is printed; it does not hold. */
#include "experiment.h"
#include "vec.h"

#include <string.h>

enum { TRIANGLES = 1000 };

/* A triangle of random shape in the plane, and deformed in space. */
typedef struct pair {
    vec rest[3], p[3];
    double w[3];
    ref_double_strain_tri tri;
} pair;

static pair random_pair(uint32_t *seed)
{
    const int corner[3] = {0, 1, 2};
    pair t = {.rest = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    for (int i = 0; i < 3; i++) {
        vec moved = random_vec(seed, 0.25);
        moved.z = 0;
        t.rest[i] = plus(t.rest[i], 1, moved);
        t.p[i] = plus(times(uniform(seed, 0.8, 1.25), t.rest[i]), 1, random_vec(seed, 0.15));
        t.w[i] = uniform(seed, 0.2, 1);
    }
    ref_double_strain_tri_rest(&t.tri, corner, t.rest, (vec){1, 0, 0});
    return t;
}

/* ---- 3.1: the loop forgets the inverse masses ---- */

static bool run_velocity(paper_result *r, bool quick, taut_error *error)
{
    static const double mass[2] = {1, 10};
    const double force = 5, dt = 1.0 / 60;
    double printed = 0, right = 0;
    (void)quick, (void)error;
    for (int i = 0; i < 2; i++) {
        double v = 0, u = 0;
        for (int step = 0; step < 60; step++) v += dt * force, u += dt * force / mass[i];
        printed = fmax(printed, fabs(mass[i] * v / force - 1));
        right = fmax(right, fabs(mass[i] * u / force - 1));
    }
    paper_claim(
        r, paper_holds(printed < 1e-12),
        "a force of 5 N acts on 1 kg and on 10 kg for a second: as printed the momentum is up to %.0f times too "
        "large, with v + dt w f it is right to %.0e",
        printed + 1, right);
    return true;
}

const experiment errata_sbd_velocity = {
    .id = "errata/sbd-loop",
    .title = "the loop of 3.1 forgets the inverse mass",
    .shows = "As printed: v = v + dt f.",
    .method = "Right: v = v + dt w f. Both accelerate two particles of different mass by the same force.",
    .run = run_velocity,
};

/* ---- eq. 35: which gradient ---- */

/* Projects x-stretch with eq. 35; `root`: takes the gradient of the root. Returns the share of C that is left. */
static double left_of_stretch(pair *t, bool root)
{
    const ref_forms raw = {REF_STRETCH_RAW, REF_SHEAR_RAW}, span = {REF_STRETCH_SPAN, REF_SHEAR_RAW};
    vec g[3], unused[3];
    double sum = 0, before = ref_double_strain_tri_gradient(&t->tri, span, REF_TRI_XX, t->p, unused);
    double stretch = before + 1; /* the root of S11 */
    ref_double_strain_tri_gradient(&t->tri, raw, REF_TRI_XX, t->p, g);
    for (int i = 0; i < 3; i++) sum += t->w[i] * dot(g[i], g[i]);
    double lambda = 2 * (stretch - 1) / sum * stretch;
    for (int i = 0; i < 3; i++) t->p[i] = plus(t->p[i], -lambda * t->w[i] / (root ? 2 * stretch : 1), g[i]);
    return fabs(ref_double_strain_tri_gradient(&t->tri, span, REF_TRI_XX, t->p, unused) / before);
}

static bool run_eq35(paper_result *r, bool quick, taut_error *error)
{
    double left[2] = {0, 0};
    (void)quick, (void)error;
    for (int root = 0; root < 2; root++) {
        uint32_t seed = 21;
        for (int i = 0; i < TRIANGLES; i++) {
            pair t = random_pair(&seed);
            left[root] += left_of_stretch(&t, root) / TRIANGLES;
        }
    }
    paper_value(r, "error that is left, gradient of the root", left[1], "", "0");
    paper_value(r, "error that is left, gradient of S (eq. 29)", left[0], "", "0");
    paper_claim(r, paper_holds(left[1] < 1e-9),
                "eq. 35 for the constraint of eq. 14 with the gradient of that constraint leaves %.2f of the error on "
                "average; it is exact (%.0e) only with the gradient of S, eq. 29",
                left[1], left[0]);
    return true;
}

const experiment errata_sbd_eq35 = {
    .id = "errata/sbd-eq35",
    .title = "eq. 35 belongs to the gradient of S, not of its root",
    .shows = "As printed: the multiplier for the root of strain, eq. 14, from the formula for projections, eq. 32.",
    .method =
        "Right: eq. 35 is to be used with the gradient of S (eq. 29), which cancels its factor 2. One projection of "
        "1000 random triangles, both ways.",
    .run = run_eq35,
};

/* ---- eq. 23: damping ---- */

/* Damps x-stretch with k = 1. Returns the share of kinetic energy that a rigid motion loses. */
static double lost(const pair *t, const vec v[3], bool printed)
{
    const ref_forms forms = {REF_STRETCH_SPAN, REF_SHEAR_RAW};
    vec g[3], now[3];
    double rate = 0, sum = 0, before = 0, after = 0;
    ref_double_strain_tri_gradient(&t->tri, forms, REF_TRI_XX, t->p, g);
    for (int i = 0; i < 3; i++) {
        if (printed) g[i] = unit(g[i]); /* n_i is the direction of the correction of particle i */
        rate += dot(v[i], g[i]);
        sum += t->w[i] * dot(g[i], g[i]);
    }
    for (int i = 0; i < 3; i++) {
        now[i] = plus(v[i], printed ? -rate : -t->w[i] * rate / sum, g[i]);
        before += dot(v[i], v[i]) / t->w[i];
        after += dot(now[i], now[i]) / t->w[i];
    }
    return 1 - after / before;
}

static bool run_eq23(paper_result *r, bool quick, taut_error *error)
{
    double shift[2] = {0, 0}, spin[2] = {0, 0};
    (void)quick, (void)error;
    for (int printed = 0; printed < 2; printed++) {
        uint32_t seed = 22;
        for (int i = 0; i < TRIANGLES; i++) {
            pair t = random_pair(&seed);
            vec v = unit(random_vec(&seed, 1)), turn = random_vec(&seed, 1);
            const vec along[3] = {v, v, v}, about[3] = {cross(turn, t.p[0]), cross(turn, t.p[1]), cross(turn, t.p[2])};
            shift[printed] += fabs(lost(&t, along, printed)) / TRIANGLES;
            spin[printed] += fabs(lost(&t, about, printed)) / TRIANGLES;
        }
    }
    paper_value(r, "change of the energy of a translation, as printed", 100 * shift[1], "%", "0");
    paper_value(r, "change of the energy of a rotation, as printed", 100 * spin[1], "%", "0");
    paper_claim(
        r, paper_holds(shift[1] < 1e-9 && spin[1] < 1e-9),
        "damping of x-stretch with k = 1 as printed changes the energy of a translating triangle by %.0f %% and of "
        "a rotating one by %.0f %% on average; the right form by %.0e %% and %.0e %%",
        100 * shift[1], 100 * spin[1], 100 * shift[0], 100 * spin[0]);
    return true;
}

const experiment errata_sbd_eq23 = {
    .id = "errata/sbd-eq23",
    .title = "eq. 23 damps rigid motion",
    .shows =
        "As printed: v_i = v_i - k (sum of v_j n_j) n_i, n_i being the unit vector of the correction of particle i, "
        "damps no rigid motion, \"as the sum cancels out\".",
    .method =
        "Right: v_i = v_i - k w_i g_i (sum of g_j v_j) / (sum of w_j |g_j|\xc2\xb2), with gradients in place of unit "
        "vectors: these have a sum of zero. Both for 1000 random triangles that translate or rotate.",
    .run = run_eq23,
};

/* ---- eq. 54: area ---- */

/* Projects area once from a scale of 1/2; returns the error of the area at rest that is left. */
static double left_of_area(pair *t, bool squared)
{
    vec g[3];
    double sum = 0, rest = length(cross(minus(t->rest[1], t->rest[0]), minus(t->rest[2], t->rest[0])));
    for (int i = 0; i < 3; i++) t->p[i] = times(0.5, t->rest[i]);
    vec a = minus(t->p[1], t->p[0]), b = minus(t->p[2], t->p[0]), n = cross(a, b);
    double area = length(n), c = squared ? area * area - rest * rest : area - rest;
    vec along = squared ? times(2, n) : times(1 / area, n);
    g[1] = cross(b, along), g[2] = cross(along, a);
    g[0] = times(-1, plus(g[1], 1, g[2]));
    for (int i = 0; i < 3; i++) sum += dot(g[i], g[i]);
    for (int i = 0; i < 3; i++) t->p[i] = plus(t->p[i], -c / sum, g[i]);
    return fabs(length(cross(minus(t->p[1], t->p[0]), minus(t->p[2], t->p[0]))) / rest - 1);
}

static bool run_eq54(paper_result *r, bool quick, taut_error *error)
{
    double left[2] = {0, 0};
    (void)quick, (void)error;
    for (int squared = 0; squared < 2; squared++) {
        uint32_t seed = 23;
        for (int i = 0; i < TRIANGLES; i++) {
            pair t = random_pair(&seed);
            left[squared] += left_of_area(&t, squared) / TRIANGLES;
        }
    }
    paper_value(r, "error of the area after one projection, squared", 100 * left[1], "%", "");
    paper_value(r, "the same, not squared", 100 * left[0], "%", "");
    paper_claim(
        r, paper_holds(left[1] <= left[0]),
        "a triangle of half its size has %.0f %% of error in area after one projection of eq. 54, of |p1 x p2| - "
        "|q1 x q2| %.0f %%: %.1f times as much",
        100 * left[1], 100 * left[0], left[1] / left[0]);
    return true;
}

const experiment errata_sbd_eq54 = {
    .id = "errata/sbd-eq54",
    .title = "eq. 54 squares the area",
    .shows = "As printed: C = |p1 x p2|\xc2\xb2 - |q1 x q2|\xc2\xb2, though 3.4 warns of squares.",
    .method = "Better: C = |p1 x p2| - |q1 x q2|. One projection of 1000 random triangles from half their size.",
    .run = run_eq54,
};

/* ---- eq. 38: the material frame ---- */

static bool run_eq38(paper_result *r, bool quick, taut_error *error)
{
    double wrong[2] = {0, 0};
    uint32_t seed = 24;
    (void)quick, (void)error;
    for (int i = 0; i < TRIANGLES; i++) {
        pair t = random_pair(&seed);
        vec e[2] = {minus(t.rest[1], t.rest[0]), minus(t.rest[2], t.rest[0])}, normal = unit(cross(e[0], e[1]));
        double shear = uniform(&seed, -0.5, 0.5); /* of the texture: u = x + shear y, v = y */
        vec tu = {1, 0, 0}, tv = unit((vec){-shear, 1, 0}), n2 = cross(normal, tu);
        for (int k = 0; k < 2; k++) {
            double as_printed = hypot(dot(tu, e[k]), dot(tv, e[k])), right = hypot(dot(tu, e[k]), dot(n2, e[k]));
            wrong[0] += fabs(right / length(e[k]) - 1) / (2 * TRIANGLES);
            wrong[1] += fabs(as_printed / length(e[k]) - 1) / (2 * TRIANGLES);
        }
    }
    paper_claim(
        r, paper_holds(wrong[1] < 1e-12),
        "where texture coordinates are sheared by up to 0.5, rest edges by eq. 38 are %.1f %% too long or short on "
        "average; with n2 = n x n1 they are right to %.0e",
        100 * wrong[1], wrong[0]);
    return true;
}

const experiment errata_sbd_eq38 = {
    .id = "errata/sbd-eq38",
    .title = "eq. 38: axes that are not at right angles",
    .shows =
        "As printed: (c1, c2) = [n1, n2]^T (x1 - x0, x2 - x0) with n1 = tu/|tu| and n2 = tv/|tv|. The cross product "
        "with the normal is offered as an alternative.",
    .method =
        "Right: (q1, q2) on the left (c1 and c2 are columns of the inverse elsewhere), and n2 = n x n1 always, since "
        "tu and tv of a sheared texture are not at right angles. Lengths of rest edges for 1000 random triangles.",
    .run = run_eq38,
};

/* ---- 3.7: soft volume constraints and inverted tets ---- */

/* Projects strain with k = 1 and volume with k. Returns whether the tet is the right way round in the end. */
static bool recovers(const ref_double_strain_tet *tet, vec p[4], double k, bool full_while_inverted)
{
    enum { ITERATIONS = 50 };
    const ref_forms forms = {REF_STRETCH_SPAN, REF_SHEAR_ANGLE};
    vec g[4];
    for (int i = 0; i < ITERATIONS * REF_TET_MODES; i++) {
        const int mode = i % REF_TET_MODES;
        double c = ref_double_strain_tet_gradient(tet, forms, mode, p, g), sum = 0;
        double now = mode != REF_TET_VOLUME || (full_while_inverted && c < -1) ? 1 : k;
        for (int v = 0; v < 4; v++) sum += dot(g[v], g[v]);
        for (int v = 0; v < 4 && sum > 0; v++) p[v] = plus(p[v], -now * c / sum, g[v]);
    }
    return ref_double_strain_tet_gradient(tet, forms, REF_TET_VOLUME, p, g) > -1;
}

static int count_recovered(double k, bool full_while_inverted)
{
    const int corner[4] = {0, 1, 2, 3};
    const vec rest[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    uint32_t seed = 25;
    int count = 0;
    ref_double_strain_tet tet;
    ref_double_strain_tet_rest(&tet, corner, rest, axes);
    for (int found = 0; found < 200;) {
        vec p[4], e[3];
        for (int v = 0; v < 4; v++) p[v] = random_vec(&seed, 1);
        for (int v = 0; v < 3; v++) e[v] = minus(p[v + 1], p[0]);
        if (dot(e[0], cross(e[1], e[2])) >= 0) continue;
        found++;
        count += recovers(&tet, p, k, full_while_inverted);
    }
    return count;
}

static bool run_volume(paper_result *r, bool quick, taut_error *error)
{
    static const double ks[] = {1, 0.9, 0.5, 0.2, 0};
    int soft[5], full[5];
    (void)quick, (void)error;
    paper_table(r, "Of 200 random inverted tets recover within 50 iterations, strain having k = 1",
                "k of volume|the same k while inverted|k = 1 while inverted");
    for (int i = 0; i < 5; i++) {
        soft[i] = count_recovered(ks[i], false);
        full[i] = i < 4 ? count_recovered(ks[i], true) : soft[i];
        paper_row(r, "%g|%d|%d", ks[i], soft[i], full[i]);
    }
    paper_claim(r, paper_holds(soft[1] == 200),
                "softened a little, to k = 0.9, it lets %d of 200 inverted tets recover, "
                "with k = 1 %d, without volume %d",
                soft[1], soft[0], soft[4]);
    paper_claim(r, paper_holds(soft[2] == 200),
                "with k = 0.5 %d of 200 recover; with k = 0.5 that is 1 while a tet is "
                "inverted, %d",
                soft[2], full[2]);
    return true;
}

const experiment errata_sbd_volume = {
    .id = "errata/volume",
    .title = "soft volume constraints leave tets inverted (3.7)",
    .shows = "The volume constraint handles inversion; softening it a little stops jitter.",
    .method =
        "Right: soften it only while det F > 0, and give it full strength while a tet is inverted. Single tets with "
        "random corners that are inverted.",
    .run = run_volume,
};
