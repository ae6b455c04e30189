/* SBD Fig. 3: stiffness along x, along y and of shear, on an irregular cloth. */
#include "experiment.h"
#include "trial.h"

enum { SETTINGS = 3, MEASURES = 3 };

static const struct {
    const char *name;
    float stiffness[MEASURES]; /* x, y, shear */
} settings[SETTINGS] = {
    {"high, high, high", {1, 1, 1}}, {"high, high, low", {1, 1, 0.2f}}, {"low, high, high", {0.2f, 1, 1}}};

/* A cloth of 1.5 m x 1 m hangs by its upper corners until it is at rest. */
static bool hang(trial *t, const float stiffness[MEASURES], bool quick, taut_error *error)
{
    const int nx = quick ? 25 : 49, ny = quick ? 17 : 33;
    t->material.strain.xx = stiffness[0];
    t->material.strain.yy = stiffness[1];
    t->material.strain.xy = stiffness[2];
    t->material.damping.global = 2;
    t->world_def.gravity[1] = -9.81f;
    t->world_def.substeps = 8;
    t->world_def.iterations = quick ? 10 : 40;
    t->body_def.imperfection = 0.01f;
    return taut_mesh_sheet_irregular(&t->mesh, nx, ny, 1.5f, 1, 0.4f, 5, error) && taut_mesh_pin(&t->mesh, 0, error) &&
           taut_mesh_pin(&t->mesh, nx - 1, error) && trial_open(t, error) && trial_run(t, 360, error);
}

/* Mean sizes of stretch along x and y, percent, and of shear, degrees. */
static bool measure(const trial *t, double mean[MEASURES], taut_error *error)
{
    static const taut_measure which[MEASURES] = {TAUT_STRETCH_X, TAUT_STRETCH_Y, TAUT_SHEAR};
    for (int i = 0; i < MEASURES; i++) {
        trial_measure m;
        if (!trial_measure_of(t, which[i], &m, error)) return false;
        mean[i] = m.mean * (i < 2 ? 100 : 57.29577951308232);
    }
    return true;
}

static void judge(paper_result *r, double m[SETTINGS][MEASURES])
{
    paper_claim(r, paper_holds(m[1][2] > 2 * m[0][2] && m[1][0] < 2 * m[0][0] + 1 && m[1][1] < 2 * m[0][1] + 1),
                "low shear stiffness lets shear go and little else: %.1f degrees of shear in place of %.1f, stretch of "
                "%.1f %% and %.1f %% in place of %.1f %% and %.1f %%",
                m[1][2], m[0][2], m[1][0], m[1][1], m[0][0], m[0][1]);
    paper_claim(
        r, paper_holds(m[2][0] > 5 * m[0][0] && m[2][0] > 5 * m[2][1]),
        "low stiffness along x lets the cloth stretch along x and not along y: %.1f %% and %.1f %%, in place of "
        "%.1f %% and %.1f %%",
        m[2][0], m[2][1], m[0][0], m[0][1]);
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    double m[SETTINGS][MEASURES];
    bool ok = true;
    paper_picture *picture =
        paper_add_picture(r, "cloths", 460, 12, 4,
                          "Resistance to x-stretch, y-stretch and shear, "
                          "from left to right: high, high, high; high, high, low; low, high, high");
    picture->wire = true;
    paper_table(r, "Means over all triangles at rest", "resistance to x, y, shear|stretch x|stretch y|shear");
    for (int i = 0; ok && i < SETTINGS; i++) {
        trial t = trial_default();
        const float at[3] = {1.9f * (float)i, 0, 0};
        ok = hang(&t, settings[i].stiffness, quick, error) && measure(&t, m[i], error);
        if (ok) {
            paper_row(r, "%s|%.1f %%|%.1f %%|%.1f\xc2\xb0", settings[i].name, m[i][0], m[i][1], m[i][2]);
            paper_show(picture, &t.mesh, trial_xyz(&t), at, paper_color[i]);
        }
        trial_close(&t);
        paper_progress(r, (i + 1.0) / SETTINGS);
    }
    if (ok) judge(r, m);
    return ok;
}

const experiment sbd_fig3 = {
    .id = "sbd/fig3",
    .title = "three stiffness settings on an irregular cloth",
    .shows = "Resistance to stretch along x, along y and to shear can be set one by one, whatever the triangulation.",
    .method =
        "A highly irregular cloth of 1.5 m x 1 m hangs by its upper corners, by plain position-based dynamics with "
        "stiffness 1 (high) and 0.2 (low). Stretch and shear of all triangles are measured at rest.",
    .run = run,
};
