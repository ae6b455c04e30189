/* Shear between two clamps, as in KES-F: a wide, short sample is clamped at its top, and its lower clamp is pushed
 * sideways. The lower clamp is a heavy last row. Gravity leans, so that the weight of the clamp pushes sideways; it
 * also pulls down four times as hard, which keeps the sample flat. */
#include "lab.h"

#include <math.h>

static const double HEIGHT = 0.05, ANGLE = 0.05; /* m; rad that the push should give */
enum { WIDE = 4, PULL = 4 };

/* N/m a radian. The pull T counts too: the push tau gives the angle tau / (G + T). */
static bool measure(const lab_trial *trial, lab_result *result, taut_error *error)
{
    const int along = 4 * trial->fineness, across = WIDE * along;
    const double cell = HEIGHT / along, lean = LAB_GRAVITY / sqrt(1 + PULL * PULL);
    const double push = ANGLE * (double)trial->material->strain.xy, load = push / lean;
    lab_sample s;
    bool done = lab_strip(&s, trial, across, along, cell, 0, error);
    for (int v = 0; v < s.across && done; v++) done = taut_mesh_pin(&s.mesh, v, error);
    done = done && lab_build(&s, trial, (double[]){lean, -PULL * lean, 0}, error) &&
           lab_load_last_row(&s, trial, load, cell, error);
    if (done) {
        double from[3], to[3];
        lab_settle(&s, 3);
        lab_row(&s, along / 4, from); /* away from the clamps */
        lab_row(&s, 3 * along / 4, to);
        double weight = lean * (double)trial->material->density * HEIGHT / 2, sideways = push + weight;
        result->figure = sideways * (from[1] - to[1]) / (to[0] - from[0]) - PULL * sideways;
        lab_draw_rows(&s, 0, 1, &result->outline);
    }
    lab_free(&s);
    return done;
}

static double closed_form(const taut_material *material) { return (double)material->strain.xy; }

const lab_test lab_shear = {
    .name = "shear",
    .unit = "N/m",
    .about = "shear modulus between two clamps (KES-F)",
    .measure = measure,
    .closed_form = closed_form,
};
