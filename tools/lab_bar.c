/* Young's modulus of a solid: a bar is pulled by a weight that stretches it by 2 %. */
#include "lab.h"

#include <math.h>

enum { SLENDER = 5 };
static const double SIDE = 0.05, STRAIN = 0.02;

/* Across, the bar takes the strain t that costs the least energy: the volume resists one way, the moduli across the
 * other. */
static double closed_form(const taut_material *m)
{
    double along = (double)m->strain.xx, across = (double)m->strain.yy, volume = (double)m->strain.volume;
    double t = -volume / (across + 2 * volume);
    return (along + 2 * across * t * t + volume * (1 + 2 * t) * (1 + 2 * t)) / 1000;
}

/* A weight of this mass is spread over the end face by area, in addition to the weight of the bar itself. */
static bool load_end(lab_sample *s, const lab_trial *trial, int cells, double mass, taut_error *error)
{
    double cell = SIDE / cells, length = SLENDER * SIDE;
    for (int v = 0; v < s->mesh.nvertices; v++) {
        const float *x = &s->mesh.x[3 * v];
        if ((double)x[0] < length - cell / 2) continue;
        double share = 1.0 / (cells * cells);
        for (int axis = 1; axis < 3; axis++)
            if (fabs((double)x[axis]) > SIDE / 2 - cell / 4) share /= 2;
        double own = (double)trial->material->density * SIDE * SIDE * cell / 2;
        if (!taut_body_set_mass(s->world, s->body, v, (float)(share * (mass + own)), error)) return false;
    }
    return true;
}

static bool measure(const lab_trial *trial, lab_result *result, taut_error *error)
{
    const int cells = 2 * trial->fineness;
    const double length = SLENDER * SIDE;
    double young = 1000 * closed_form(trial->material);
    double own = (double)trial->material->density * length / 2 * LAB_GRAVITY;
    double stress = fmax(STRAIN * young - own, 0);
    lab_sample s = {0};
    bool done = taut_mesh_beam(&s.mesh, SLENDER * cells, cells, cells, (float)length, (float)SIDE, (float)SIDE, error);
    for (int v = 0; v < s.mesh.nvertices && done; v++)
        if (s.mesh.x[3 * v] == 0) done = taut_mesh_pin(&s.mesh, v, error);
    done = done && lab_build(&s, trial, (double[]){LAB_GRAVITY, 0, 0}, error) &&
           load_end(&s, trial, cells, stress * SIDE * SIDE / LAB_GRAVITY, error);
    if (done) {
        lab_settle(&s, 3);
        const float *x = taut_body_positions(s.world, s.body, NULL);
        double end = 0;
        int tips = 0;
        for (int v = 0; v < s.mesh.nvertices; v++)
            if ((double)s.mesh.x[3 * v] > length * 0.999) end += (double)x[3 * v], tips++;
        result->figure = (stress + own) / ((end / tips - length) / length) / 1000;
    }
    lab_free(&s);
    return done;
}

const lab_test lab_bar = {
    .name = "bar",
    .unit = "kPa",
    .about = "Young's modulus of a bar that is pulled by 2 %",
    .solid = true,
    .measure = measure,
    .closed_form = closed_form,
};
