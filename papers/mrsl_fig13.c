/* MRSL Fig. 13: a twisted sheet, where levels help less. */
#include "experiment.h"
#include "limited_body.h"
#include "perturbed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EACH = 4, WAYS = 2, STARTS = 2, MOST = 1200 };

static const char *const way_names[WAYS] = {"one level", "levels"};
static const char *const start_names[STARTS] = {"bent and stretched", "twisted"};
static const double GOAL = 1; /* percent of mean residual */

typedef struct course {
    int count;
    double passes[MOST], residual[MOST]; /* passes: over all levels together */
    float *xyz;                          /* at the end */
} course;

/* One full turn from the upper to the lower edge. */
static void twist(const taut_mesh *sheet, float *start)
{
    const double turn = 6.283185307179586;
    for (int v = 0; v < sheet->nvertices; v++) {
        double x = (double)sheet->x[3 * v], y = (double)sheet->x[3 * v + 1];
        start[3 * v] = (float)(x * cos(turn * y));
        start[3 * v + 1] = (float)y;
        start[3 * v + 2] = (float)(x * sin(turn * y));
    }
}

/* Long waves and a stretch by a quarter, without a twist. */
static void stretch(const taut_mesh *sheet, float *start)
{
    for (int v = 0; v < sheet->nvertices; v++) {
        double x = (double)sheet->x[3 * v], y = (double)sheet->x[3 * v + 1];
        start[3 * v] = (float)(1.25 * x);
        start[3 * v + 1] = (float)(1.25 * y);
        start[3 * v + 2] = (float)(0.1 * sin(5 * x) * cos(4 * y));
    }
}

static bool follow(paper_result *r, const taut_mesh *mesh, const float *start, bool levels, course *c,
                   taut_error *error)
{
    size_t size = 3 * (size_t)mesh->nvertices * sizeof *start;
    taut_limit limit = taut_default_material().limit;
    taut_model_options options = taut_default_model_options();
    limited_body b = {.model = NULL};
    limit.stretch[0] = limit.stretch[1] = 1;
    limit.iterations = EACH;
    if (!levels) options.levels = 0;
    c->xyz = paper_take(r, size);
    bool ok =
        c->xyz && limited_body_open(&b, mesh, &limit, &options, true, error) && limited_body_place(&b, start, error);
    c->residual[0] = perturbed_residual(mesh, start, NULL);
    for (c->count = 1; ok && c->count < MOST && c->residual[c->count - 1] > GOAL; c->count++) {
        limited_body_enforce(&b);
        c->passes[c->count] = c->passes[c->count - 1] + EACH * (b.levels + 1);
        c->residual[c->count] = perturbed_residual(mesh, limited_body_positions(&b), NULL);
    }
    if (ok) memcpy(c->xyz, limited_body_positions(&b), size);
    limited_body_close(&b);
    return ok;
}

static void report(paper_result *r, course (*c)[WAYS])
{
    double gain[STARTS];
    paper_plot *p =
        paper_add_plot(r, "residual", "passes over all levels", "mean residual strain, %", "What is left, by passes");
    p->log_x = p->log_y = true;
    paper_table(r, "Passes over all levels together until 1 % of strain is left", "start|one level|levels|gain");
    for (int s = 0; s < STARTS; s++) {
        double passes[WAYS];
        for (int w = 0; w < WAYS; w++) {
            char label[64];
            passes[w] = c[s][w].passes[c[s][w].count - 1];
            snprintf(label, sizeof label, "%s, %s", s ? "twisted" : "stretched", way_names[w]);
            paper_add_series(p, label, c[s][w].passes, c[s][w].residual, c[s][w].count);
        }
        gain[s] = passes[0] / passes[1];
        paper_row(r, "%s|%.0f%s|%.0f%s|%.2f", start_names[s], passes[0], c[s][0].count == MOST ? " and more" : "",
                  passes[1], c[s][1].count == MOST ? " and more" : "", gain[s]);
    }
    double ratio = gain[1] / gain[0];
    paper_claim(
        r,
        ratio < 0.8 ? PAPER_HOLDS
        : ratio < 1 ? PAPER_DIFFERS
                    : PAPER_DOES_NOT_HOLD,
        "levels help less where a sheet is twisted: they save a factor of %.1f of the passes, and %.1f where it "
        "is bent and stretched",
        gain[1], gain[0]);
}

static void show(paper_result *r, const taut_mesh *mesh, float *start[STARTS], course (*c)[WAYS])
{
    paper_picture *p =
        paper_add_picture(r, "sheets", 420, 0, 10,
                          "From left to right: twisted by a turn; within its limits by one level; by all "
                          "levels");
    paper_show(p, mesh, start[1], (float[3]){0, 0, 0}, paper_color[2]);
    for (int w = 0; w < WAYS; w++)
        paper_show(p, mesh, c[1][w].xyz, (float[3]){1.3f * (float)(w + 1), 0, 0}, paper_color[w]);
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    const int n = quick ? 49 : 81;
    taut_mesh mesh;
    course(*c)[WAYS] = paper_take(r, STARTS * sizeof *c);
    float *start[STARTS];
    for (int s = 0; s < STARTS; s++) start[s] = paper_take(r, 3 * sizeof(float) * (size_t)(n * n));
    if (!c || !start[0] || !start[1] || !taut_mesh_sheet(&mesh, n, n, 1, 1, error)) return false;
    stretch(&mesh, start[0]);
    twist(&mesh, start[1]);
    bool ok = true;
    for (int i = 0; i < STARTS * WAYS && ok; i++) {
        ok = follow(r, &mesh, start[i / WAYS], i % WAYS == 1, &c[i / WAYS][i % WAYS], error);
        paper_progress(r, (i + 1.0) / (STARTS * WAYS));
    }
    if (ok) report(r, c), show(r, &mesh, start, c);
    taut_mesh_free(&mesh);
    return ok;
}

const experiment mrsl_fig13 = {
    .id = "mrsl/fig13",
    .title = "a twisted sheet",
    .shows = "Levels are less effective where what remains for the fine mesh is not small, as in a twist.",
    .method =
        "A free sheet starts twisted by a full turn, or bent and stretched by a quarter, and is brought within its "
        "limits, which are 0 on both sides. Counted are passes over all levels until the mean residual strain is "
        "1 %. The levels limit compression too, as the paper's do.",
    .run = run,
};
