/* Heart loop (ASTM D1388, option B; Peirce 1930): both ends of a strip are clamped back to back, pointing up, and its
 * loop hangs down. The loop of a weightless strip of length L is l0 = 0.1337 L high, and
 *
 *     c = l0 (cos t / tan t)^(1/3),   t = 32.85 degrees (l - l0)/l0
 *
 * where l is the height of the real loop. The formula is Peirce's own fit. */
#include "lab.h"

#include <math.h>

static const double WEIGHTLESS = 0.1337;

/* Traces a closed heart, from which the loop begins. Its curvature along the strip is -3 pi/L (1 + a cos(2 pi s/L)).
 * Returns how far its bottom is from the middle; fills `place` unless that is NULL. */
static double trace_heart(double a, int rows, double length, double (*place)[2])
{
    enum { PARTS = 64 };
    double x = 0, y = 0, step = length / (rows * PARTS), bottom = 0;
    for (int i = 0; i < rows * PARTS; i++) {
        double s = (i + 0.5) * step, turned = 3 * LAB_PI / length * s + 1.5 * a * sin(2 * LAB_PI * s / length);
        if (place && i % PARTS == 0) place[i / PARTS][0] = x, place[i / PARTS][1] = y;
        x += step * sin(turned), y += step * cos(turned);
        if (i == rows * PARTS / 2) bottom = x;
    }
    if (place) place[rows][0] = x, place[rows][1] = y;
    return bottom;
}

static bool bend_to_heart(lab_sample *s, int edges, double cell, taut_error *error)
{
    enum { MOST = 512 };
    static double place[MOST][2];
    static float xyz[3 * MOST * 64];
    double low = -2, high = 2, at_low = trace_heart(low, edges, edges * cell, NULL);
    for (int i = 0; i < 40; i++) {
        double middle = (low + high) / 2;
        if ((trace_heart(middle, edges, edges * cell, NULL) < 0) == (at_low < 0)) low = middle;
        else high = middle;
    }
    trace_heart(low, edges, edges * cell, place);
    for (int row = 0; row < s->along; row++)
        for (int i = 0; i < s->across; i++) {
            int v = row * s->across + i, inner = row - 1;
            double along = -(double)s->mesh.x[3 * v + 1] / cell - 1; /* in cells from the second row of pins */
            int k = (int)fmin(fmax(floor(along), 0), edges - 1);
            double t = along - k;
            xyz[3 * v] = s->mesh.x[3 * v];
            xyz[3 * v + 1] = (float)(place[k][1] + t * (place[k + 1][1] - place[k][1]));
            xyz[3 * v + 2] = (float)(place[k][0] + t * (place[k + 1][0] - place[k][0]));
            if (inner <= 0 || inner >= edges) /* the clamps stand upright */
                xyz[3 * v + 2] = 0, xyz[3 * v + 1] = (float)((inner < 0 || inner > edges) ? -cell : 0);
        }
    return taut_body_set_positions(s->world, s->body, xyz, error);
}

static bool measure(const lab_trial *trial, lab_result *result, taut_error *error)
{
    const int edges = 24 * trial->fineness, across = 3 * trial->fineness;
    const double length = 8 * lab_bending_length(trial->material), cell = length / (edges + 1);
    lab_sample s;
    bool done = lab_strip(&s, trial, across, edges + 2, cell, 90, error);
    for (int i = 0; i < 2 * s.across && done; i++)
        done = taut_mesh_pin(&s.mesh, i, error) && taut_mesh_pin(&s.mesh, s.mesh.nvertices - 1 - i, error);
    done = done && lab_build(&s, trial, (double[]){0, -LAB_GRAVITY, 0}, error) && bend_to_heart(&s, edges, cell, error);
    if (done) {
        lab_settle(&s, 4);
        double lowest = 0;
        for (int row = 0; row < s.along; row++) {
            double mean[3];
            lab_row(&s, row, mean);
            lowest = fmin(lowest, mean[1]);
        }
        double l0 = WEIGHTLESS * length, high = -lowest - cell / 2;
        double t = 32.85 * LAB_PI / 180 * (high - l0) / l0;
        result->figure = 1000 * l0 * cbrt(cos(t) / tan(t));
        lab_draw_rows(&s, 2, 1, &result->outline);
    }
    lab_free(&s);
    return done;
}

static double closed_form(const taut_material *material) { return 1000 * lab_bending_length(material); }

const lab_test lab_loop = {
    .name = "loop",
    .unit = "mm",
    .about = "bending length of a heart loop (ASTM D1388, Peirce)",
    .measure = measure,
    .closed_form = closed_form,
};
