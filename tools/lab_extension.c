/* Extension under a weight of 5 gf/cm, as in FAST: along warp and weft, and on the bias. */
#include "lab.h"

#include <math.h>

static const double LOAD = 0.5; /* kg a metre of width: 4.9 N/m           */
enum { SLENDER = 3 };           /* how many times longer than wide the strip is */
static const double WIDTH = 0.05;

/* N/m: the load over the strain. The strip's own weight pulls too, half of it in the mean. */
static bool measure(const lab_trial *trial, double degrees, lab_result *result, taut_error *error)
{
    const int across = 4 * trial->fineness, along = SLENDER * across;
    const double cell = WIDTH / across, length = along * cell;
    lab_sample s;
    bool done = lab_strip(&s, trial, across, along, cell, degrees, error);
    for (int v = 0; v < s.across && done; v++) done = taut_mesh_pin(&s.mesh, v, error);
    done = done && lab_build(&s, trial, (double[]){0, -LAB_GRAVITY, 0}, error) &&
           lab_load_last_row(&s, trial, LOAD, cell, error);
    if (done) {
        double end[3];
        lab_settle(&s, 3);
        lab_row(&s, along, end);
        double force = LAB_GRAVITY * (LOAD + (double)trial->material->density * length / 2);
        result->figure = force / ((-end[1] - length) / length);
        lab_draw_rows(&s, 0, 1, &result->outline);
    }
    lab_free(&s);
    return done;
}

static bool measure_warp(const lab_trial *t, lab_result *r, taut_error *e) { return measure(t, 90, r, e); }
static bool measure_weft(const lab_trial *t, lab_result *r, taut_error *e) { return measure(t, 0, r, e); }
static bool measure_bias(const lab_trial *t, lab_result *r, taut_error *e) { return measure(t, 45, r, e); }

static double warp(const taut_material *m) { return (double)m->strain.xx; }
static double weft(const taut_material *m) { return (double)m->strain.yy; }

/* A strip cut at 45 degrees whose end is free to narrow gives by shear: 1/E = (1/X + 1/Y + 1/G) / 4. */
static double bias(const taut_material *m)
{
    return 4 / (1 / (double)m->strain.xx + 1 / (double)m->strain.yy + 1 / (double)m->strain.xy);
}

const lab_test lab_warp = {
    .name = "warp",
    .unit = "N/m",
    .about = "stretch modulus along the warp, under 5 gf/cm",
    .measure = measure_warp,
    .closed_form = warp,
};
const lab_test lab_weft = {
    .name = "weft",
    .unit = "N/m",
    .about = "stretch modulus along the weft, under 5 gf/cm",
    .measure = measure_weft,
    .closed_form = weft,
};
const lab_test lab_bias = {
    .name = "bias",
    .unit = "N/m",
    .about = "stretch modulus at 45 degrees, under 5 gf/cm",
    .measure = measure_bias,
    .closed_form = bias,
};
