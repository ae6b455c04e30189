/* Errata of Multi-Resolution Isotropic Strain Limiting. */
#include "experiment.h"
#include "vec.h"

#include <stdlib.h>

/* ---- 3.1: which elements can be skipped ---- */

static bool run_skip(paper_result *r, bool quick, taut_error *error)
{
    enum { ELEMENTS = 10000 };
    const double low = 0.95, high = 1.05;
    int printed_right = 0, right = 0;
    uint32_t seed = 51;
    (void)quick, (void)error;
    for (int i = 0; i < ELEMENTS; i++) {
        double f[4];
        for (int k = 0; k < 4; k++) f[k] = (k == 0 || k == 3) + uniform(&seed, -0.07, 0.07);
        double a = f[0] * f[0] + f[2] * f[2], b = f[0] * f[1] + f[2] * f[3], c = f[1] * f[1] + f[3] * f[3];
        double middle = (a + c) / 2, radius = sqrt((a - c) * (a - c) / 4 + b * b), root[2];
        root[0] = sqrt(middle - radius), root[1] = sqrt(middle + radius);
        int inside = 0;
        for (int k = 0; k < 2; k++) inside += root[k] >= low && root[k] <= high;
        printed_right += (inside == 0) == (inside == 2);
        right += (inside == 2) == (inside == 2);
    }
    paper_claim(r, paper_holds(printed_right == ELEMENTS),
                "skipping elements of which no root is within the limits decides rightly for %d of %d random elements, "
                "skipping those of which all roots are for %d",
                printed_right, ELEMENTS, right);
    return true;
}

const experiment errata_mrsl_skip = {
    .id = "errata/mrsl-skip",
    .title = "3.1: elements are skipped if all roots are within the limits",
    .shows = "As printed: an element can be skipped \"if no root exists within the limiting range\".",
    .method = "Right: if all roots are within it. Random deformations of triangles around rest, limits 0.95 and 1.05.",
    .run = run_skip,
};

/* ---- eq. 5 ---- */

static bool run_range(paper_result *r, bool quick, taut_error *error)
{
    int empty = 0, sound = 0, cases = 0;
    (void)quick, (void)error;
    for (int i = 1; i < 10; i++)
        for (int k = 1; k <= 30; k++, cases++) {
            const double d = 0.01 * i, t = 10.0 * k, least = -t * d,
                         most = t / 2 * d;               /* coefficients: minus t below, t / 2 above */
            empty += !(0 - least <= 0 && 0 <= 0 + most); /* the rest angle itself is outside */
            sound += 0 + least <= 0 && 0 <= 0 + most;
        }
    paper_claim(
        r, paper_holds(empty == 0),
        "with a negative theta_min the interval of eq. 5 leaves out the rest angle in %d of %d cases; with a plus "
        "in front of theta_min it has the rest angle in %d",
        empty, cases, sound);
    return true;
}

const experiment errata_mrsl_range = {
    .id = "errata/mrsl-eq5",
    .title = "eq. 5: the sign of the lower limit",
    .shows = "As printed: clamp(theta, theta0 - (d1 + d2) theta_min, theta0 + (d1 + d2) theta_max), while training and "
             "figures have a negative theta_min.",
    .method = "Right: theta0 + (d1 + d2) theta_min. Intervals for many sizes and limits.",
    .run = run_range,
};

/* ---- eq. 6 with its correction of mass centres ---- */

typedef struct wing {
    int tip, a, b, other; /* a triangle's vertex, the edge opposite to it, the vertex beyond; other -1: none */
} wing;

static int beyond(const taut_mesh *mesh, int triangle, int a, int b)
{
    for (int t = 0; t < mesh->ntris; t++) {
        const int *v = mesh->tri + 3 * (size_t)t;
        for (int k = 0; t != triangle && k < 3; k++)
            if ((v[k] == b && v[(k + 1) % 3] == a) || (v[k] == a && v[(k + 1) % 3] == b)) return v[(k + 2) % 3];
    }
    return -1;
}

/* What eq. 6 moves the tip of a wing by, so that the hinge becomes flat. Areas are masses. */
static vec tip_move(const wing *w, const vec *p, double *angle)
{
    vec e = minus(p[w->b], p[w->a]), u = minus(p[w->tip], p[w->a]), v = minus(p[w->other], p[w->a]);
    vec n1 = cross(e, u), n2 = cross(v, e), axis = unit(e);
    double d1 = length(n1) / length(e), d2 = length(n2) / length(e), m1 = length(n1) / 2, m2 = length(n2) / 2;
    *angle = atan2(dot(cross(n1, n2), axis), dot(n1, n2));
    double turn = m2 * d2 * d2 / (m1 * d1 * d1 + m2 * d2 * d2) * *angle;
    vec along = times(dot(u, axis), axis), across = minus(u, along);
    vec turned = plus(times(cos(turn), across), sin(turn), cross(axis, across));
    return minus(turned, across);
}

/* One pass over all triangles, one after the other. Returns the root mean square of the angles before it. */
static double pass(const taut_mesh *mesh, const wing *wings, vec *p, bool centered)
{
    double squares = 0;
    int count = 0;
    for (int t = 0; t < mesh->ntris; t++) {
        vec move[3], mean = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
            const wing *w = &wings[3 * t + k];
            double angle = 0;
            move[k] = w->other < 0 ? (vec){0, 0, 0} : tip_move(w, p, &angle);
            mean = plus(mean, 1.0 / 3, move[k]);
            squares += angle * angle;
            count += w->other >= 0;
        }
        for (int k = 0; k < 3; k++) {
            vec *at = &p[mesh->tri[3 * t + k]];
            *at = plus(*at, 1, centered ? minus(move[k], mean) : move[k]);
        }
    }
    return sqrt(squares / count);
}

enum { PASSES = 600 };

/* Makes a rumpled sheet flat. Fills the root mean square of the angles, degrees, before each pass. */
static bool flatten(paper_result *r, double jitter, bool centered, double angle[PASSES + 1], taut_error *error)
{
    enum { SIDE = 13 };
    uint32_t seed = 53;
    taut_mesh mesh;
    if (!taut_mesh_sheet_irregular(&mesh, SIDE, SIDE, 1, 1, (float)jitter, 3, error)) return false;
    vec *p = paper_take(r, sizeof *p * (size_t)mesh.nvertices);
    wing *wings = paper_take(r, sizeof *wings * 3 * (size_t)mesh.ntris);
    for (int v = 0; p && v < mesh.nvertices; v++) {
        p[v] = vec_at(mesh.x + 3 * (size_t)v);
        p[v].z = uniform(&seed, -0.01, 0.01);
    }
    for (int i = 0; wings && i < 3 * mesh.ntris; i++) {
        const int *v = mesh.tri + 3 * (i / 3);
        const int a = v[(i + 1) % 3], b = v[(i + 2) % 3];
        wings[i] = (wing){v[i % 3], a, b, beyond(&mesh, i / 3, a, b)};
    }
    for (int i = 0; p && wings && i <= PASSES; i++) angle[i] = 57.29577951308232 * pass(&mesh, wings, p, centered);
    taut_mesh_free(&mesh);
    return true;
}

static bool run_center(paper_result *r, bool quick, taut_error *error)
{
    static const double jitters[] = {0, 0.2, 0.4};
    static double angle[3][PASSES + 1], plain[PASSES + 1];
    double at[PASSES + 1];
    (void)quick;
    paper_plot *plot = paper_add_plot(r, "passes", "passes", "angle over edges, degrees",
                                      "A rumpled sheet that is to be "
                                      "flat, mass centres corrected triangle by triangle");
    plot->log_y = true;
    paper_table(r, "Root mean square of the angles over edges", "mesh|at the start|after 10 passes|after 600");
    for (int i = 0; i <= PASSES; i++) at[i] = i;
    for (int i = 0; i < 3; i++) {
        static const char *const name[] = {"irregular by 0", "irregular by 0.2 of a cell",
                                           "irregular by 0.4 of a cell"};
        if (!flatten(r, jitters[i], true, angle[i], error)) return false;
        paper_row(r, "%s|%.2f\xc2\xb0|%.2g\xc2\xb0|%.2g\xc2\xb0", name[i], angle[i][0], angle[i][10], angle[i][PASSES]);
        paper_add_series(plot, name[i], at, angle[i], PASSES + 1);
    }
    if (!flatten(r, 0.4, false, plain, error)) return false;
    paper_row(r, "irregular by 0.4, without the correction|%.2f\xc2\xb0|%.2g\xc2\xb0|", plain[0], plain[10]);
    paper_add_series(plot, "0.4, no correction", at, plain, PASSES + 1);
    paper_claim(
        r, paper_holds(angle[2][PASSES] < angle[2][10]),
        "600 passes of eq. 6 with mass centres corrected triangle by triangle take the angles of a sheet from "
        "%.1f to %.2g degrees if its mesh is irregular by 0.4 of a cell, from %.1f to %.2g if by 0.2, from %.1f to "
        "%.2g if its vertices lie on a grid; without the correction from %.1f to %.2g after 10",
        angle[2][0], angle[2][PASSES], angle[1][0], angle[1][PASSES], angle[0][0], angle[0][PASSES], plain[0],
        plain[10]);
    return true;
}

const experiment errata_mrsl_center = {
    .id = "errata/mrsl-eq6",
    .title = "eq. 6: bend limits with their correction of mass centres",
    .shows =
        "As printed: each angle rotates the two wings about its edge by eq. 6; then the shift of each triangle's mass "
        "centre is removed, which \"eliminates the jittering and convergence problems\".",
    .method =
        "Eq. 6 as printed, triangle by triangle, on a sheet whose vertices are up to 10 mm off the plane, with limits "
        "that ask for angles of 0, on meshes of growing irregularity; cells are 83 mm. Taut rotates wings and hinge "
        "so that linear and angular momentum are kept.",
    .run = run_center,
};

/* ---- eq. 7 ---- */

/* The speed that friction takes away in 0.1 s from what slides at 1 m/s, for steps of different length. */
static double taken(double dt, bool printed)
{
    const double mu = 0.5, depth = 0.001, push = 9.81; /* m; m/s^2: what presses it on the ground */
    double v = 1;
    for (int i = 0; i < (int)(0.1 / dt + 0.5); i++) {
        double loss = printed ? mu * depth : mu * push * dt;
        v = v > loss ? v - loss : 0;
    }
    return 1 - v;
}

static bool run_friction(paper_result *r, bool quick, taut_error *error)
{
    const double printed[2] = {taken(1.0 / 60, true), taken(1.0 / 600, true)};
    const double right[2] = {taken(1.0 / 60, false), taken(1.0 / 600, false)};
    (void)quick, (void)error;
    paper_claim(
        r, paper_holds(fabs(printed[1] / printed[0] - 1) < 0.01),
        "mu d is a length, and taken as a speed it brakes what slides at 1 m/s by %.4f m/s in 0.1 s with steps of "
        "1/60 s, by %.4f m/s with steps of 1/600 s; Coulomb friction brakes by %.3f and %.3f m/s",
        printed[0], printed[1], right[0], right[1]);
    return true;
}

const experiment errata_mrsl_friction = {
    .id = "errata/mrsl-eq7",
    .title = "eq. 7: friction with a length for a speed",
    .shows = "As printed: f = -mu d v/|v| from the penetration depth d; a vertex sticks if |v| < mu d.",
    .method =
        "Right: Coulomb friction on what a contact pushes: mu times the push, whatever the step. How much do both "
        "brake in 0.1 s with steps of different length, if the depth is 1 mm?",
    .run = run_friction,
};
