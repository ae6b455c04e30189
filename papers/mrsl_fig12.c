/* MRSL Fig. 12: what it costs to bring a stretched chain back to its length. */
#include "chain.h"
#include "experiment.h"

#include <math.h>

enum { THRESHOLDS = 6, SIZES = 5, AT_10 = 2, TOP_16 = 3, FAST = 4 };

static const int thresholds[THRESHOLDS] = {50, 20, 10, 5, 2, 1}; /* thousandths */
static const int sizes[SIZES] = {33, 65, 129, 257, 513};

typedef struct grid {
    int columns;
    double x[THRESHOLDS], ms[CHAIN_METHODS][THRESHOLDS], work[CHAIN_METHODS][THRESHOLDS];
} grid;

static bool fill(grid *g, int column, int n, int threshold, taut_error *error)
{
    chain_options options = {.threshold = threshold};
    for (int m = 0; m < CHAIN_METHODS; m++) {
        chain_cost cost;
        if (!chain_measure(n, m, &options, &cost, error)) return false;
        g->ms[m][column] = cost.done ? cost.ms : NAN;
        g->work[m][column] = cost.done ? cost.projections : NAN;
    }
    return true;
}

static void report(paper_result *r, const grid *g, const char *name, const char *x, const char *caption)
{
    paper_plot *p = paper_add_plot(r, name, x, "projections of lines", caption);
    p->log_x = p->log_y = true;
    paper_table(r, caption,
                "x|one level|top 4|top 8|top 16|fast projection|ms: one level|top 4|top 16|fast projection");
    for (int i = 0; i < g->columns; i++)
        paper_timed_row(r, "%g|%.0f|%.0f|%.0f|%.0f|%.0f|%.3f|%.4f|%.4f|%.4f", g->x[i], g->work[0][i], g->work[1][i],
                        g->work[2][i], g->work[3][i], g->work[4][i], g->ms[0][i], g->ms[1][i], g->ms[3][i],
                        g->ms[4][i]);
    for (int m = 0; m < CHAIN_METHODS; m++) paper_add_series(p, chain_method[m], g->x, g->work[m], g->columns);
}

static void judge(paper_result *r, const grid *t, const grid *s)
{
    int last = s->columns - 1;
    double gain = t->work[0][AT_10] / t->work[1][AT_10], time = t->ms[FAST][AT_10] / t->ms[TOP_16][AT_10];
    double growth = s->work[1][last] / s->work[1][0], one = s->work[0][last] / s->work[0][0];
    double size = (s->x[last] - 1) / (s->x[0] - 1);
    paper_time(r, "time of one level over levels with top 4, threshold 1 %", t->ms[0][AT_10] / t->ms[1][AT_10], "", "");
    paper_time(r, "time of fast projection over levels with top 16, threshold 1 %", time, "", "above 1");
    paper_time(r, "time of fast projection over levels with top 4, threshold 1 %", t->ms[FAST][AT_10] / t->ms[1][AT_10],
               "", "above 1");
    paper_claim(
        r, paper_holds(gain > 10),
        "levels need far less work than one level: %.0f times fewer projections for a chain of 129 vertices to 1 %%",
        gain);
    paper_claim(r, paper_holds(t->ms[1][AT_10] <= t->ms[TOP_16][AT_10]),
                "the fewer lines the top has, the better: %.4f ms with 4, %.4f ms with 16", t->ms[1][AT_10],
                t->ms[TOP_16][AT_10]);
    paper_claim(
        r, paper_holds(time > 1),
        "with 16 lines at the top they are a little faster than fast projection: they take %.1f times its time, "
        "which solves the chain in %.0f Newton steps. A tridiagonal system in plain C costs little more than a "
        "pass over its lines",
        1 / time, t->work[FAST][AT_10] / 128);
    paper_claim(r, paper_holds(growth < one / 4),
                "they scale to fine chains: %.0f times the lines take %.0f times the projections, with one level %.0f "
                "times",
                size, growth, one);
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    grid t = {.columns = THRESHOLDS}, s = {.columns = quick ? 3 : SIZES};
    for (int i = 0; i < t.columns; i++) {
        t.x[i] = thresholds[i] / 1000.0;
        if (!fill(&t, i, 129, thresholds[i], error)) return false;
        paper_progress(r, 0.5 * (i + 1) / t.columns);
    }
    for (int i = 0; i < s.columns; i++) {
        s.x[i] = sizes[i];
        if (!fill(&s, i, sizes[i], 10, error)) return false;
        paper_progress(r, 0.5 + 0.5 * (i + 1) / s.columns);
    }
    report(r, &t, "thresholds", "threshold", "Projections, and ms, by threshold: a chain of 129 vertices");
    report(r, &s, "sizes", "vertices", "Projections, and ms, by vertices: threshold 1 %");
    judge(r, &t, &s);
    return true;
}

const experiment mrsl_fig12 = {
    .id = "mrsl/fig12",
    .title = "a stretched chain",
    .shows = "The cost of bringing a chain back to its length, by termination threshold and by number of vertices. "
             "Levels beat a single level by far; even with 16 vertices at the top they are a little better than fast "
             "projection (Goldenthal 2007).",
    .method =
        "A chain that is pinned at one end starts with each line a tenth to three tenths too long, as in `taut "
        "bench chain`. Counted are projections of single lines over all levels, and processor time; a Newton step "
        "of fast projection counts as one projection of each line.",
    .timed = true,
    .run = run,
};
