/* SBD Fig. 4 (e) to (h): materials of a torus that differ in the stiffness of single modes. */
#include "experiment.h"
#include "subject.h"
#include "tets.h"
#include "trial.h"

enum { MATERIALS = 5 };
enum { STIFF, VOLUME_ONLY, SOFT_AXIS, SHEAR_ONLY, STRETCH_ONLY };

static const struct {
    const char *name;
    float main, across, shear, volume; /* `main`: stretch along the big circle */
} materials[MATERIALS] = {{"all stiff", 1, 1, 1, 1},
                          {"(e) volume alone", 0.008f, 0.008f, 0.008f, 1},
                          {"(f) volume and main axis soft", 0.002f, 0.3f, 0.3f, 0},
                          {"(g) shear stiff, stretch soft", 0.004f, 0.004f, 0.3f, 0},
                          {"(h) stretch stiff, shear soft", 0.06f, 0.06f, 0, 0}};

/* The torus stands on its rim and is held at the top; gravity pulls. */
static bool hang(const paper_result *r, trial *t, int which, bool quick, taut_error *error)
{
    taut_strain *s = &t->material.strain;
    s->xx = materials[which].main;
    s->yy = s->zz = materials[which].across;
    s->xy = s->yz = s->xz = materials[which].shear;
    s->volume = materials[which].volume;
    t->material.damping.global = 3;
    t->world_def.gravity[1] = -9.81f;
    t->world_def.substeps = 8;
    t->world_def.iterations = 6;
    t->body_def.rotation[0] = t->body_def.rotation[3] = 0.70710678f;
    bool ok = subject_torus(r, &t->mesh, 24, 2, 0.5f, 0.16f, error);
    for (int v = 0; ok && v < t->mesh.nvertices; v++)
        if (t->mesh.x[3 * v + 2] < -0.55f) ok = taut_mesh_pin(&t->mesh, v, error);
    return ok && trial_open(t, error) && trial_run(t, quick ? 180 : 480, error);
}

static void judge(paper_result *r, const tets_measure m[MATERIALS])
{
    const tets_measure *e = &m[VOLUME_ONLY], *f = &m[SOFT_AXIS], *g = &m[SHEAR_ONLY], *h = &m[STRETCH_ONLY];
    const double degrees = 57.29577951308232;
    paper_claim(
        r, paper_holds(e->volume_off < 0.05 && e->stretch[0] > 3 * e->volume_off && e->shear > 0.1),
        "(e) deforms heavily, volume is conserved: %.1f %% of stretch along the main axis, %.1f degrees of shear, "
        "but volume is off by %.1f %% on average and by %.1f %% as a whole",
        100 * e->stretch[0], e->shear * degrees, 100 * e->volume_off, 100 * (e->volume - 1));
    paper_claim(r, paper_holds(f->stretch[0] > 3 * f->stretch[1] && f->stretch[0] > 3 * f->stretch[2]),
                "(f) gives along its main axis: %.1f %% of stretch there, %.1f %% and %.1f %% across",
                100 * f->stretch[0], 100 * f->stretch[1], 100 * f->stretch[2]);
    paper_claim(r, paper_holds(g->stretch[0] > 2 * h->stretch[0] && g->shear < 0.5 * h->shear),
                "(g) distorts angles little while it stretches: %.1f degrees of shear and %.1f %% of stretch along the "
                "main axis; (h) is the opposite: %.1f degrees and %.1f %%",
                g->shear * degrees, 100 * g->stretch[0], h->shear * degrees, 100 * h->stretch[0]);
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    tets_measure m[MATERIALS];
    bool ok = true;
    paper_picture *picture =
        paper_add_picture(r, "materials", 460, 14, 6,
                          "From left to right: all stiff, (e) volume "
                          "alone, (f) volume and main axis soft, (g) shear stiff and stretch soft, "
                          "(h) stretch stiff and shear soft");
    paper_table(r, "At rest, means over all tets",
                "material|stiffness: main axis, across, shear, volume|stretch along the main axis|radial|along the "
                "axis of symmetry|shear|volume off|whole volume");
    for (int i = 0; ok && i < MATERIALS; i++) {
        const float at[3] = {2.1f * (float)i, 0, 0};
        trial t = trial_default();
        ok = hang(r, &t, i, quick, error);
        if (ok) {
            tets_measure_of(&t.mesh, trial_xyz(&t), &m[i]);
            paper_row(r, "%s|%g, %g, %g, %g|%.1f %%|%.1f %%|%.1f %%|%.1f\xc2\xb0|%.1f %%|%.3f", materials[i].name,
                      (double)materials[i].main, (double)materials[i].across, (double)materials[i].shear,
                      (double)materials[i].volume, 100 * m[i].stretch[0], 100 * m[i].stretch[1], 100 * m[i].stretch[2],
                      m[i].shear * 57.29577951308232, 100 * m[i].volume_off, m[i].volume);
            paper_show(picture, &t.mesh, trial_xyz(&t), at, paper_color[i]);
        }
        trial_close(&t);
        paper_progress(r, (i + 1.0) / MATERIALS);
    }
    if (ok) judge(r, m);
    return ok;
}

const experiment sbd_fig4_materials = {
    .id = "sbd/fig4-materials",
    .title = "materials of a torus (e to h)",
    .shows =
        "A torus with local axes: (e) with volume stiffness alone it deforms heavily and keeps its volume; (f) soft "
        "volume and main axis; (g) high shear and low stretch resistance distorts angles little; (h) the opposite "
        "stretches little and bends heavily.",
    .method =
        "A torus with frames along its tube stands on its rim, held at the top, under gravity, until it is at rest. "
        "The table has the stiffnesses. Stretch, shear and volume of all tets are measured along their axes.",
    .mesh = &public_torus,
    .run = run,
};
