/* SBD Fig. 2: constraint values and projections of one vertex of a triangle, the other two being attached. */
#include "experiment.h"
#include "raster.h"
#include "reference.h"

#include <math.h>

enum { MODES = 3, PANEL = 380, GAP = 20, SAMPLES = 60 };
static const double LOW = -1, HIGH = 2; /* the square in which the vertex moves */

/* The triangle at rest has the vertex at 0 0 and the attached ones at 1 0 and 0 1, so f1 and f2 point to these. */
typedef struct field {
    ref_double_strain_tri triangle;
    ref_double_vec3 p[3];
} field;

static const ref_forms raw = {REF_STRETCH_RAW, REF_SHEAR_RAW}, modified = {REF_STRETCH_SPAN, REF_SHEAR_COSINE};

static void prepare(field *f)
{
    const int corner[3] = {0, 1, 2};
    f->p[0] = (ref_double_vec3){0, 0, 0};
    f->p[1] = (ref_double_vec3){1, 0, 0};
    f->p[2] = (ref_double_vec3){0, 1, 0};
    ref_double_strain_tri_rest(&f->triangle, corner, f->p, (ref_double_vec3){1, 0, 0});
}

/* C at (x, y), and the step of one projection with k = 1. */
static double project(field *f, ref_forms forms, int mode, double x, double y, double step[2])
{
    ref_double_vec3 g[3];
    f->p[0] = (ref_double_vec3){x, y, 0};
    double c = ref_double_strain_tri_gradient(&f->triangle, forms, mode, f->p, g);
    double square = g[0].x * g[0].x + g[0].y * g[0].y;
    step[0] = square > 0 ? -c * g[0].x / square : 0;
    step[1] = square > 0 ? -c * g[0].y / square : 0;
    return c;
}

/* |f1| and |f2|. */
static void stretches(double x, double y, double s[2])
{
    s[0] = sqrt((1 - x) * (1 - x) + y * y);
    s[1] = sqrt(x * x + (1 - y) * (1 - y));
}

/* ---- The picture ---- */

static void shade(const raster *r, field *f, ref_forms forms, int mode)
{
    for (int j = 0; j < PANEL; j++)
        for (int i = 0; i < PANEL; i++) {
            double step[2], x = LOW + (HIGH - LOW) * (i + 0.5) / PANEL, y = HIGH - (HIGH - LOW) * (j + 0.5) / PANEL;
            double c = project(f, forms, mode, x, y, step), size = fabs(c) < 1 ? fabs(c) : 1;
            unsigned char strong = (unsigned char)(255 - 60 * size), weak = (unsigned char)(255 - 190 * size);
            const unsigned char color[3] = {c > 0 ? weak : strong, c > 0 ? strong : weak, weak};
            raster_set(r, i, j, color);
        }
}

static void draw_panel(const raster *r, field *f, ref_forms forms, int mode)
{
    enum { ARROWS = 13 };
    static const unsigned char ink[3] = {40, 40, 40}, white[3] = {255, 255, 255};
    const double scale = PANEL / (HIGH - LOW), share = mode == REF_TRI_XY ? 0.5 : 1; /* the paper scales shear too */
    shade(r, f, forms, mode);
    for (int j = 0; j < ARROWS; j++)
        for (int i = 0; i < ARROWS; i++) {
            double step[2], x = LOW + (HIGH - LOW) * (i + 0.5) / ARROWS, y = LOW + (HIGH - LOW) * (j + 0.5) / ARROWS;
            project(f, forms, mode, x, y, step);
            double size = sqrt(step[0] * step[0] + step[1] * step[1]), cut = share * (size > 0.6 ? 0.6 / size : 1);
            double px = (x - LOW) * scale, py = (HIGH - y) * scale;
            raster_arrow(r, px, py, px + cut * step[0] * scale, py - cut * step[1] * scale, ink);
        }
    for (int v = 0; v < 3; v++) {
        static const double at[3][2] = {{0, 0}, {1, 0}, {0, 1}};
        double px = (at[v][0] - LOW) * scale, py = (HIGH - at[v][1]) * scale;
        raster_disc(r, px, py, 7, ink);
        if (v == 0) raster_disc(r, px, py, 5, white);
    }
}

static void draw(paper_result *r, field *f)
{
    static const int modes[MODES] = {REF_TRI_XX, REF_TRI_YY, REF_TRI_XY};
    raster image = {MODES * (PANEL + GAP) + GAP, 2 * (PANEL + GAP) + GAP, MODES * (PANEL + GAP) + GAP, NULL};
    image.rgb = paper_add_raster(r, "fields", image.width, image.height,
                                 "x-, y- and shear strain (green positive, red negative, clamped) and the projections "
                                 "of the white vertex, cut at 0.6; shear by half, as in the paper. Top: S11 - 1, "
                                 "S22 - 1, S12. Bottom: their modified forms");
    for (int m = 0; m < MODES; m++) {
        const int left = GAP + m * (PANEL + GAP);
        raster top = raster_window(&image, left, GAP, PANEL, PANEL);
        raster bottom = raster_window(&image, left, 2 * GAP + PANEL, PANEL, PANEL);
        draw_panel(&top, f, raw, modes[m]);
        draw_panel(&bottom, f, modified, modes[m]);
    }
}

/* ---- Measures ---- */

typedef struct sums {
    int points, same_sign[MODES];
    double before, left_raw, left_root, worst_root; /* |stretch - 1| along x, before and after one projection */
    double changed[2], turned[2]; /* by projections of shear, raw and modified: relative stretch; shear, rad */
} sums;

static double angle_of(double x, double y)
{
    double s[2];
    stretches(x, y, s);
    return asin(fmax(-1, fmin(1, (x * (x - 1) + y * (y - 1)) / (s[0] * s[1]))));
}

static void measure_shear(field *f, double x, double y, sums *sum)
{
    for (int form = 0; form < 2; form++) {
        double step[2], old[2], now[2];
        project(f, form ? modified : raw, REF_TRI_XY, x, y, step);
        double tiny = 1e-4; /* the direction counts, not its length, so a small part of the step is taken */
        stretches(x, y, old);
        stretches(x + tiny * step[0], y + tiny * step[1], now);
        double turned = fabs(angle_of(x + tiny * step[0], y + tiny * step[1]) - angle_of(x, y));
        double changed = fabs(now[0] / old[0] - 1) + fabs(now[1] / old[1] - 1);
        sum->changed[form] += changed / 2;
        sum->turned[form] += turned;
    }
}

static void measure_at(field *f, double x, double y, sums *sum)
{
    static const int modes[MODES] = {REF_TRI_XX, REF_TRI_YY, REF_TRI_XY};
    double step[2], s[2];
    sum->points++;
    for (int m = 0; m < MODES; m++) {
        double a = project(f, raw, modes[m], x, y, step), b = project(f, modified, modes[m], x, y, step);
        sum->same_sign[m] += (a > 0) == (b > 0);
    }
    stretches(x, y, s);
    sum->before += fabs(s[0] - 1);
    project(f, raw, REF_TRI_XX, x, y, step);
    stretches(x + step[0], y + step[1], s);
    sum->left_raw += fabs(s[0] - 1);
    project(f, modified, REF_TRI_XX, x, y, step);
    stretches(x + step[0], y + step[1], s);
    sum->left_root += fabs(s[0] - 1);
    sum->worst_root = fmax(sum->worst_root, fabs(s[0] - 1));
    measure_shear(f, x, y, sum);
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    field f;
    sums s = {0};
    const int n = quick ? SAMPLES : 4 * SAMPLES;
    (void)error;
    prepare(&f);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            measure_at(&f, LOW + (HIGH - LOW) * (i + 0.5) / n, LOW + (HIGH - LOW) * (j + 0.5) / n, &s);
    const double count = s.points, raw_share = s.changed[0] / s.turned[0], modified_share = s.changed[1] / s.turned[1];
    int same = s.same_sign[0] + s.same_sign[1] + s.same_sign[2];
    paper_value(r, "x-stretch off 1, mean over the square", s.before / count, "", "");
    paper_value(r, "after one projection of S11 - 1", s.left_raw / count, "", "");
    paper_value(r, "after one projection of the root", s.left_root / count, "", "0");
    paper_value(r, "relative change of stretch per radian that a projection of S12 turns", raw_share, "", "");
    paper_value(r, "the same with eq. 15", modified_share, "", "");
    paper_claim(r, paper_holds(same == MODES * s.points),
                "zero sets are unchanged: raw and modified value have the same sign in %d of %d cases", same,
                MODES * s.points);
    paper_claim(
        r, paper_holds(s.worst_root < 1e-9 && s.left_raw / count > 1e-3),
        "the modified x- and y-constraints are solved in one step: at most %.0e of x-stretch is left, where the "
        "raw form leaves %.3f on average (the form along y is the same, mirrored)",
        s.worst_root, s.left_raw / count);
    paper_claim(r, paper_holds(modified_share < raw_share),
                "the modified shear function tilts the projections so that shear has less to do with stretch: a "
                "projection changes stretch by %.2f per radian in place of %.2f",
                modified_share, raw_share);
    draw(r, &f);
    return true;
}

const experiment sbd_fig2 = {
    .id = "sbd/fig2",
    .title = "fields of constraint values and projections",
    .shows =
        "Values and projections of the strain of a triangle, for one vertex that moves in the plane while the others "
        "are attached. The modified forms have the same zero sets; x and y are solved in one step; modified shear "
        "is decoupled from stretch.",
    .method = "The formulas in double precision, for a triangle of unit edges along x and y, on a grid of positions of "
              "the vertex between its edges.",
    .run = run,
};
