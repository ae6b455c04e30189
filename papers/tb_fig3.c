/* TB Fig. 3: a rigid fabric comes back from a highly violated state; three models of bending side by side. */
#include "experiment.h"
#include "fabric.h"

#include <string.h>

enum { FRAMES = 4, LONGEST = 301 };

static const int frames[FRAMES] = {0, 5, 17, LONGEST - 1};

/* The course of one model. */
typedef struct course {
    double bend[LONGEST]; /* degrees: root mean square over the triangles */
    float xyz[FRAMES][3 * FABRIC_VERTICES];
    int flat; /* the first frame after which the fabric is flat to 1 degree; -1: none */
} course;

static const double FLAT = 1; /* degrees */

static bool follow(course *c, trial *t, taut_error *error)
{
    float start[3 * FABRIC_VERTICES];
    fabric_crumple(&t->mesh, start);
    if (!trial_open(t, error) || !trial_place(t, start, error)) return false;
    for (int frame = 0, kept = 0; frame < LONGEST; frame++) {
        trial_measure bend;
        if (frame > 0 && !trial_run(t, 1, error)) return false;
        if (!trial_measure_of(t, TAUT_BEND, &bend, error)) return false;
        c->bend[frame] = bend.rms * 57.29577951308232;
        if (frame == frames[kept]) memcpy(c->xyz[kept++], trial_xyz(t), sizeof c->xyz[0]);
    }
    c->flat = LONGEST;
    while (c->flat > 0 && c->bend[c->flat - 1] < FLAT) c->flat--;
    if (c->flat == LONGEST) c->flat = -1;
    return true;
}

static void show(paper_result *r, const taut_mesh *mesh, const course *c)
{
    paper_picture *p = paper_add_picture(
        r, "frames", 900, 0, 8,
        "From top to bottom: triangle bending, dihedral angles, sticks. From left to right: the initial frame, after 5 "
        "frames, after 17 frames, the last frame");
    for (int m = 0; m < FABRIC_MODELS; m++)
        for (int f = 0; f < FRAMES; f++)
            paper_show(p, mesh, c[m].xyz[f], (float[3]){1.3f * (float)f, -1.25f * (float)m, 0}, paper_color[m]);
}

static void plot(paper_result *r, const course *c)
{
    double x[60];
    paper_plot *p = paper_add_plot(r, "bend", "frame", "bend angle, degrees (rms)", "How fast the fabric gets flat");
    p->log_y = true;
    for (int i = 0; i < 60; i++) x[i] = i;
    for (int m = 0; m < FABRIC_MODELS; m++) paper_add_series(p, fabric_name[m], x, c[m].bend, 60);
}

static void judge(paper_result *r, const course *c)
{
    const double *triangle = c[0].bend, *dihedral = c[1].bend, *stick = c[2].bend;
    const int last = LONGEST - 1;
    paper_claim(r, paper_holds(triangle[5] < dihedral[5] && triangle[17] < dihedral[17]),
                "triangle bending recovers faster than dihedral angles: %.1f against %.1f degrees are left after 5 "
                "frames, %.2f against %.2f after 17",
                triangle[5], dihedral[5], triangle[17], dihedral[17]);
    paper_claim(r, paper_holds(triangle[5] < stick[5] && triangle[17] < stick[17]),
                "it recovers faster than sticks: they leave %.1f degrees after 5 frames and %.2f after 17", stick[5],
                stick[17]);
    paper_claim(r, paper_holds(triangle[last] < FLAT), "with triangle bending the fabric at rest is flat: %.3f degrees",
                triangle[last]);
    paper_claim(r, paper_holds(dihedral[last] > FLAT || stick[last] > FLAT),
                "the other models do not all recover: dihedral angles end at %.3f degrees, sticks at %.3f",
                dihedral[last], stick[last]);
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    (void)quick;
    course *c = paper_take(r, FABRIC_MODELS * sizeof *c);
    taut_mesh mesh = {0};
    bool ok = c && taut_mesh_sheet(&mesh, FABRIC_SIDE, FABRIC_SIDE, 1, 1, error);
    paper_table(r, "Bend angle, degrees (root mean square over the triangles)",
                "model|frame 0|frame 5|frame 17|frame 300|flat to 1 degree from frame");
    for (int m = 0; m < FABRIC_MODELS && ok; m++) {
        trial t;
        ok = fabric_make(&t, fabric_model[m], error) && follow(&c[m], &t, error);
        trial_close(&t);
        if (!ok) break;
        const double *bend = c[m].bend;
        if (c[m].flat < 0)
            paper_row(r, "%s|%.1f|%.1f|%.2f|%.3f|never", fabric_name[m], bend[0], bend[5], bend[17], bend[300]);
        else
            paper_row(r, "%s|%.1f|%.1f|%.2f|%.3f|%d", fabric_name[m], bend[0], bend[5], bend[17], bend[300], c[m].flat);
    }
    if (ok) judge(r, c), show(r, &mesh, c), plot(r, c);
    taut_mesh_free(&mesh);
    return ok;
}

const experiment tb_fig3 = {
    .id = "tb/fig3",
    .title = "recovery of a rigid fabric",
    .shows = "A rigid fabric recovers from a highly violated state. Triangle bending brings it back within few frames; "
             "dihedral angles and sticks take longer or get stuck.",
    .method = "A sheet of 10 x 10 vertices starts crumpled, each vertex moved on its own. Edges are rigid, k = 1, "
              "\xce\xba = 0, 16 iterations, no gravity. Our dihedral angles have a sign, so they can tell a fold from "
              "its reflection, which those of the paper cannot.",
    .run = run,
};
