/* Cantilever bending length (ASTM D1388, option A): it follows from how far a strip sticks out and how far its tip
 * falls. */
#include "lab.h"

#include <math.h>

/* The clamp is half a cell before the second row of pins (docs/constraints.md). */
static bool measure(const lab_trial *trial, lab_result *result, taut_error *error)
{
    const int edges = 8 * trial->fineness, across = 3 * trial->fineness;
    const double overhang = 2 * lab_bending_length(trial->material), cell = overhang / (edges + 0.5);
    lab_sample s;
    bool done = lab_strip(&s, trial, across, edges + 1, cell, 90, error);
    for (int v = 0; v < 2 * s.across && done; v++) done = taut_mesh_pin(&s.mesh, v, error);
    done = done && lab_build(&s, trial, (double[]){0, 0, -LAB_GRAVITY}, error);
    if (done) {
        double tip[3];
        lab_settle(&s, 3);
        lab_row(&s, s.along - 1, tip);
        double angle = atan2(-tip[2], -tip[1] - cell / 2);
        result->figure = 1000 * overhang / lab_elastica_length(angle);
        lab_draw_rows(&s, 1, 2, &result->outline);
    }
    lab_free(&s);
    return done;
}

static double closed_form(const taut_material *material) { return 1000 * lab_bending_length(material); }

const lab_test lab_cantilever = {
    .name = "cantilever",
    .unit = "mm",
    .about = "bending length of a strip that sticks out (ASTM D1388)",
    .measure = measure,
    .closed_form = closed_form,
};
