/* Errata of the dihedral angle: SBD's appendix, the notes. */
#include "experiment.h"
#include "vec.h"

/* Triangles (p1, p3, p4) and (p2, p4, p3), numbered from 0 here. */
static void normals(const vec p[4], vec n[2])
{
    n[0] = cross(minus(p[2], p[0]), minus(p[3], p[0]));
    n[1] = cross(minus(p[3], p[1]), minus(p[2], p[1]));
}

/* Eq. 39. */
static double angle(const vec p[4])
{
    vec n[2];
    normals(p, n);
    return acos(fmax(-1, fmin(1, dot(unit(n[0]), unit(n[1])))));
}

/* Eq. 40 to 46, with the flip that the text below them asks for. */
static void printed_gradient(const vec p[4], vec g[4])
{
    vec n[2], e = minus(p[3], p[2]);
    normals(p, n);
    double edge = length(e), flip = dot(cross(n[0], n[1]), e) > 0 ? -1 : 1;
    n[0] = times(flip / dot(n[0], n[0]), n[0]), n[1] = times(flip / dot(n[1], n[1]), n[1]);
    g[0] = times(edge, n[0]), g[1] = times(edge, n[1]);
    g[2] = plus(times(dot(minus(p[0], p[3]), e) / edge, n[0]), dot(minus(p[1], p[3]), e) / edge, n[1]);
    g[3] = plus(times(dot(minus(p[2], p[0]), e) / edge, n[0]), dot(minus(p[2], p[1]), e) / edge, n[1]);
}

static double *coordinate(vec *v, int c) { return c == 0 ? &v->x : c == 1 ? &v->y : &v->z; }

static bool run_gradient(paper_result *r, bool quick, taut_error *error)
{
    enum { HINGES = 1000 };
    const double h = 1e-6;
    double worst = 0;
    uint32_t seed = 31;
    (void)quick, (void)error;
    for (int i = 0; i < HINGES; i++) {
        vec p[4] = {{0.5, 1, 0}, {0.5, -1, 0}, {0, 0, 0}, {1, 0, 0}}, g[4];
        for (int v = 0; v < 4; v++) p[v] = plus(p[v], 1, random_vec(&seed, 0.3));
        if (angle(p) < 0.05) continue; /* the derivative of arccos has no bound there */
        printed_gradient(p, g);
        for (int k = 0; k < 12; k++) {
            double *x = coordinate(&p[k / 3], k % 3), at = *x;
            *x = at + h;
            double more = angle(p);
            *x = at - h;
            double less = angle(p);
            *x = at;
            worst = fmax(worst, fabs((more - less) / (2 * h) - *coordinate(&g[k / 3], k % 3)));
        }
    }
    paper_value(r, "largest difference to finite differences", worst, "rad per unit", "0");
    paper_claim(
        r, paper_holds(worst < 1e-5),
        "eq. 40 to 46 with the flip of signs agree with finite differences to %.0e for %d random hinges: they are "
        "right",
        worst, HINGES);
    paper_note(r,
               "With the signed angle atan2((N1 x N2) e, N1 N2) in place of arccos no sign is to be flipped: all four "
               "gradients then have a minus. Copies of the paper's text in which the equations of the gradients differ "
               "from these were misread.");
    return true;
}

const experiment errata_dihedral = {
    .id = "errata/sbd-eq40",
    .title = "eq. 40 to 46: gradients of the dihedral angle",
    .shows = "As printed: the bending mode of Bridson et al. 2003 is the gradient of the dihedral angle, up to a sign.",
    .method = "Compared with finite differences of eq. 39, in double precision.",
    .run = run_gradient,
};

/* ---- Float and arccos ---- */

/* The angle of two unit triangles by arccos of unit normals, all in float. */
static float float_arccos(float a)
{
    const float n1[3] = {0, 0, 1}, n2[3] = {0, -sinf(a), cosf(a)};
    return acosf(fminf(1, n1[0] * n2[0] + n1[1] * n2[1] + n1[2] * n2[2]));
}

static float float_atan2(float a)
{
    const float n1[3] = {0, 0, 1}, n2[3] = {0, -sinf(a), cosf(a)};
    return atan2f(n1[2] * -n2[1] + n1[1] * n2[2], n1[1] * n2[1] + n1[2] * n2[2]);
}

static bool run_arccos(paper_result *r, bool quick, taut_error *error)
{
    enum { ANGLES = 1157 }; /* to 0.1 rad */
    double largest = 0, worst = 0;
    (void)quick, (void)error;
    double a = 1e-6;
    for (int i = 0; i < ANGLES; i++, a *= 1.01) {
        if (float_arccos((float)a) == 0) largest = a;
        worst = fmax(worst, fabs((double)float_atan2((float)a) / a - 1));
    }
    paper_value(r, "largest angle that arccos takes for 0", largest, "rad", "");
    paper_value(r, "largest relative error of atan2", worst, "", "");
    paper_claim(r, paper_holds(largest < 1e-6),
                "in float, arccos takes every angle up to %.1e rad for 0; atan2 of sine and cosine is right to %.0e",
                largest, worst);
    return true;
}

const experiment errata_arccos = {
    .id = "errata/sbd-eq39",
    .title = "eq. 39: arccos cannot resolve small angles",
    .shows = "As printed: the angle is the arccos of the product of the unit normals (SBD, TB and the notes).",
    .method = "Right in float: atan2((N1 x N2) e, N1 N2), which is signed too. Both for angles from 1e-6 to 0.1 rad.",
    .run = run_arccos,
};

/* ---- The notes: folds up and down ---- */

static double signed_angle(const vec p[4])
{
    vec n[2];
    normals(p, n);
    return atan2(dot(cross(n[0], n[1]), unit(minus(p[3], p[2]))), dot(n[0], n[1]));
}

static bool run_unsigned(paper_result *r, bool quick, taut_error *error)
{
    enum { ANGLES = 89 };
    int same = 0, apart = 0;
    (void)quick, (void)error;
    for (int i = 1; i <= ANGLES; i++) {
        double a = i * 0.017453292519943295;
        const vec up[4] = {{0.5, 1, 0}, {0.5, -cos(a), sin(a)}, {0, 0, 0}, {1, 0, 0}};
        const vec down[4] = {{0.5, 1, 0}, {0.5, -cos(a), -sin(a)}, {0, 0, 0}, {1, 0, 0}};
        same += fabs(angle(up) - angle(down)) < 1e-9;
        apart += fabs(signed_angle(up) - signed_angle(down)) > a;
    }
    paper_claim(
        r, paper_holds(same == 0),
        "folds up and down by the same angle have the same value of the constraint in %d of %d cases, so a rest "
        "angle is kept by either; the signed angle tells %d of them apart",
        same, ANGLES, apart);
    return true;
}

const experiment errata_unsigned = {
    .id = "errata/notes-angle",
    .title = "an unsigned angle cannot tell a fold up from a fold down",
    .shows = "As printed: C = arccos(n1 n2) - phi0 restores the rest angle phi0.",
    .method = "Right: the signed angle. Hinges folded up and down by 1 to 89 degrees.",
    .run = run_unsigned,
};

/* ---- The notes: isometric bending ---- */

static bool run_isometric(paper_result *r, bool quick, taut_error *error)
{
    enum { HINGES = 1000 };
    const int corner[4] = {0, 1, 2, 3};
    double left[2] = {0, 0};
    uint32_t seed = 33;
    (void)quick, (void)error;
    for (int i = 0; i < HINGES; i++) {
        vec p[4] = {{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, -1, 0}}, g[4];
        ref_double_isometric c;
        for (int v = 0; v < 4; v++)
            p[v] = plus(p[v], 1, (vec){uniform(&seed, -0.2, 0.2), uniform(&seed, -0.2, 0.2), 0});
        ref_double_isometric_rest(&c, corner, p, true);
        for (int v = 0; v < 4; v++) p[v].z += uniform(&seed, -0.5, 0.5);
        double l = ref_double_isometric_gradient(&c, p, g), sum = 0; /* C = l; E = l * l / 2 has the gradient l g */
        for (int v = 0; v < 4; v++) sum += dot(g[v], g[v]);
        for (int energy = 0; energy < 2; energy++) {
            vec q[4], unused[4];
            double step = energy ? l * l / 2 / (l * l * sum) * l : l / sum;
            for (int v = 0; v < 4; v++) q[v] = plus(p[v], -step, g[v]);
            double now = ref_double_isometric_gradient(&c, q, unused);
            left[energy] += now * now / (l * l) / HINGES;
        }
    }
    paper_value(r, "energy that is left after one projection of C = E", 100 * left[1], "%", "");
    paper_value(r, "the same of C = root of 2 E", 100 * left[0], "%", "");
    paper_claim(r, paper_holds(left[1] < 1e-9),
                "one projection of C = E leaves %.1f %% of the energy; C = sqrt(2 E), which is the length of a linear "
                "combination of positions, is solved in one step (%.0e %%)",
                100 * left[1], 100 * left[0]);
    return true;
}

const experiment errata_isometric = {
    .id = "errata/notes-isometric",
    .title = "isometric bending: C = E only quarters the energy",
    .shows = "As printed: the constraint is the quadratic energy itself, C = E.",
    .method = "Right: C = sqrt(2 E). One projection of 1000 random hinges, both ways.",
    .run = run_isometric,
};
