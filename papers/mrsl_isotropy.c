/* MRSL 3.1.5: a limit on principal strains acts alike in every direction, limits on components do not. */
#include "baselines.h"
#include "experiment.h"
#include "limited_body.h"

#include <math.h>
#include <string.h>

enum { DIRECTIONS = 19, METHODS = 3, PASSES = 200 };

static const double PULL = 4, LIMIT = 2, RADIAN = 0.017453292519943295;
static const float rest[9] = {0, 0, 0, 1, 0, 0, 0.4f, 0.9f, 0};
static const int corners[3] = {0, 1, 2};

static const char *const names[METHODS] = {"principal strains", "components (CSL)", "warp and weft"};

/* Stretches the triangle fourfold in one direction. */
static void pull(double angle, float x[9])
{
    double c = cos(angle * RADIAN), s = sin(angle * RADIAN);
    for (int v = 0; v < 3; v++) {
        double along = (double)rest[3 * v] * c + (double)rest[3 * v + 1] * s;
        x[3 * v] = rest[3 * v] + (float)((PULL - 1) * along * c);
        x[3 * v + 1] = rest[3 * v + 1] + (float)((PULL - 1) * along * s);
        x[3 * v + 2] = 0;
    }
}

/* The largest principal stretch that is left. */
static double stretch_of(const float x[9])
{
    double det = (double)rest[3] * (double)rest[7] - (double)rest[6] * (double)rest[4], f[2][2];
    for (int k = 0; k < 2; k++) {
        double a = (double)x[3 + k] - (double)x[k], b = (double)x[6 + k] - (double)x[k];
        f[k][0] = (a * (double)rest[7] - b * (double)rest[4]) / det;
        f[k][1] = (b * (double)rest[3] - a * (double)rest[6]) / det;
    }
    double xx = f[0][0] * f[0][0] + f[1][0] * f[1][0], yy = f[0][1] * f[0][1] + f[1][1] * f[1][1];
    double xy = f[0][0] * f[0][1] + f[1][0] * f[1][1];
    return sqrt((xx + yy) / 2 + sqrt((xx - yy) * (xx - yy) / 4 + xy * xy));
}

static bool limit_ours(bool principal, const float *start, double *stretch, taut_error *error)
{
    taut_mesh mesh;
    taut_limit limit = taut_default_material().limit;
    limited_body b = {.model = NULL};
    if (principal) limit.stretch[1] = (float)LIMIT;
    else limit.axis[0][1] = limit.axis[1][1] = (float)LIMIT;
    limit.iterations = PASSES;
    if (!taut_mesh_allocate(&mesh, 3, 1, 0, 0, false, false, error)) return false;
    memcpy(mesh.x, rest, sizeof rest);
    memcpy(mesh.tri, corners, sizeof corners);
    bool ok = limited_body_open(&b, &mesh, &limit, NULL, false, error) && limited_body_place(&b, start, error);
    if (ok) {
        limited_body_enforce(&b);
        *stretch = stretch_of(limited_body_positions(&b));
    }
    limited_body_close(&b);
    taut_mesh_free(&mesh);
    return ok;
}

static void limit_components(const float *start, double *stretch)
{
    static const float limit[BASE_STRAINS][2] = {{-1, 1}, {-1, 1}, {-1, 1}}, w[3] = {1, 1, 1};
    base_cauchy c;
    ref_float_vec3 p[3];
    memcpy(p, rest, sizeof rest);
    base_cauchy_rest(&c, corners, p);
    memcpy(p, start, sizeof rest);
    for (int i = 0; i < PASSES; i++) base_cauchy_project(&c, 1, limit, p, w);
    *stretch = stretch_of((const float *)p);
}

static double spread(const double *stretch)
{
    double low = stretch[0], high = stretch[0];
    for (int i = 1; i < DIRECTIONS; i++) low = fmin(low, stretch[i]), high = fmax(high, stretch[i]);
    return high / low - 1;
}

static void report(paper_result *r, const double *angle, double stretch[METHODS][DIRECTIONS])
{
    paper_plot *p = paper_add_plot(r, "directions", "direction of the pull, degrees", "stretch that the limit leaves",
                                   "A limit of 2 on a pull by 4, by direction");
    paper_table(r, "Stretch that is left", "direction|principal strains|components|along warp and weft");
    for (int i = 0; i < DIRECTIONS; i += 3)
        paper_row(r, "%.0f\xc2\xb0|%.3f|%.3f|%.3f", angle[i], stretch[0][i], stretch[1][i], stretch[2][i]);
    for (int m = 0; m < METHODS; m++) paper_add_series(p, names[m], angle, stretch[m], DIRECTIONS);
    paper_claim(
        r, paper_holds(spread(stretch[0]) < 0.001),
        "principal strains are limited alike in all directions: the stretch that is left is %.4f at 0\xc2\xb0 and "
        "%.4f at 45\xc2\xb0, and differs by %.4f %% at most",
        stretch[0][0], stretch[0][DIRECTIONS / 2], 100 * spread(stretch[0]));
    paper_claim(r, paper_holds(spread(stretch[1]) > 0.1),
                "components are not: a limit of 1.0 on each leaves %.3f at 0\xc2\xb0 and %.3f at 45\xc2\xb0, where a "
                "stretch of 2 has the components 0.5",
                stretch[1][0], stretch[1][DIRECTIONS / 2]);
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    double angle[DIRECTIONS], stretch[METHODS][DIRECTIONS];
    (void)quick;
    for (int i = 0; i < DIRECTIONS; i++) {
        float start[9];
        angle[i] = 5.0 * i;
        pull(angle[i], start);
        limit_components(start, &stretch[1][i]);
        if (!limit_ours(true, start, &stretch[0][i], error) || !limit_ours(false, start, &stretch[2][i], error))
            return false;
    }
    report(r, angle, stretch);
    return true;
}

const experiment mrsl_isotropy = {
    .id = "mrsl/isotropy",
    .title = "limits in every direction",
    .shows = "A material that may stretch to twice its length needs the limit 1.0 on the components of Cauchy's strain "
             "for a pull along an axis, but 0.5 for a pull at 45\xc2\xb0. Limits on principal strains do not depend on "
             "the direction.",
    .method = "A triangle is stretched fourfold in 19 directions and then limited: its principal stretches to 2; each "
              "component of Cauchy's strain to 1.0 (Thomaszewski 2009); its stretch along warp and weft to 2 each. "
              "Measured is the largest stretch that is left.",
    .run = run,
};
