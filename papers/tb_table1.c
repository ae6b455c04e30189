/* TB Table 1: how many constraints a rigid fabric of 100 vertices has, and what they cost. */
#define _POSIX_C_SOURCE 200809L

#include "experiment.h"
#include "fabric.h"
#include "kernels.h"

enum { SIDE = FABRIC_SIDE };

static const int paper_count[FABRIC_MODELS] = {160, 144, 160};
static const double paper_ns[FABRIC_MODELS] = {158, 503, 113};

/* ---- The fabric of the paper: a grid of quads ---- */

/* The neighbours of vertex (i, j) along the grid's lines. */
static int neighbours(int i, int j, int list[4][2])
{
    static const int way[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    int count = 0;
    for (int k = 0; k < 4; k++) {
        int x = i + way[k][0], y = j + way[k][1];
        if (x < 0 || x >= SIDE || y < 0 || y >= SIDE) continue;
        list[count][0] = way[k][0], list[count][1] = way[k][1];
        count++;
    }
    return count;
}

/* Fig. 6 at one vertex: each neighbour takes the most opposite one, and each pair counts once. */
static int pairs_at(int i, int j)
{
    int list[4][2], count = neighbours(i, j, list), pairs = 0;
    for (int a = 0; a < count; a++) {
        int best = a, dot = 0;
        for (int b = 0; b < count; b++) {
            int cosine = list[a][0] * list[b][0] + list[a][1] * list[b][1];
            if (cosine < dot) dot = cosine, best = b;
        }
        pairs += best > a;
    }
    return pairs;
}

/* The constraints of each model on that grid. */
static void count_quads(int count[FABRIC_MODELS])
{
    count[0] = 0;
    for (int v = 0; v < SIDE * SIDE; v++) count[0] += pairs_at(v % SIDE, v / SIDE);
    count[1] = 2 * (SIDE - 1) * (SIDE - 2); /* edges between two quads */
    count[2] = count[0];                    /* sticks join the ends of the same pairs */
}

/* ---- The fabric of triangles ---- */

static bool count_triangles(int count[FABRIC_MODELS], taut_error *error)
{
    for (int m = 0; m < FABRIC_MODELS; m++) {
        trial t;
        bool ok = fabric_make(&t, fabric_model[m], error) && trial_open(&t, error);
        if (ok) count[m] = taut_model_constraints(t.model, taut_kind_find(fabric_kind[m]));
        trial_close(&t);
        if (!ok) return false;
    }
    return true;
}

static void judge(paper_result *r, const int quads[FABRIC_MODELS], const kernels_time *time)
{
    double plain = time[1].reference_ns / time[0].reference_ns, ours = time[1].ns / time[0].ns;
    bool same = true;
    for (int m = 0; m < FABRIC_MODELS; m++) same = same && quads[m] == paper_count[m];
    paper_claim(r, paper_holds(same),
                "a grid of 10 x 10 vertices has %d triangle, %d dihedral and %d stick constraints", quads[0], quads[1],
                quads[2]);
    paper_claim(r, paper_holds(plain > 3),
                "triangle bending is more than 3 times as fast as dihedral angles: %.2f times in plain C", plain);
    paper_claim(
        r, paper_holds(ours > 3),
        "the same with the kernels of the library: %.2f times; vectors make triangle bending %.1f times as fast "
        "as plain C and dihedral angles, which compute more for each number they load, %.1f times",
        ours, time[0].reference_ns / time[0].ns, time[1].reference_ns / time[1].ns);
    paper_claim(r, paper_holds(time[2].reference_ns < time[0].reference_ns),
                "sticks are the cheapest: they take %.2f of the time of triangle bending in plain C (paper: 0.72)",
                time[2].reference_ns / time[0].reference_ns);
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    int quads[FABRIC_MODELS], triangles[FABRIC_MODELS];
    kernels_time time[FABRIC_MODELS];
    count_quads(quads);
    if (!count_triangles(triangles, error)) return false;
    for (int m = 0; m < FABRIC_MODELS; m++)
        if (!kernels_measure(fabric_kind[m], 400, quick, &time[m], error)) return false;
    paper_table(r, "Constraints of 100 vertices, and the time of one; a frame has 16 iterations",
                "model|constraints|in the paper|on our triangles|plain C, ns|library, ns|paper, ns|plain C, ms a frame|"
                "library, ms a frame|paper, ms a frame");
    for (int m = 0; m < FABRIC_MODELS; m++) {
        double frame = 1e-6 * FABRIC_ITERATIONS * quads[m];
        paper_timed_row(r, "%s|%d|%d|%d|%.1f|%.2f|%.0f|%.4f|%.5f|%.4f", fabric_name[m], quads[m], paper_count[m],
                        triangles[m], time[m].reference_ns, time[m].ns, paper_ns[m], time[m].reference_ns * frame,
                        time[m].ns * frame, paper_ns[m] * 1e-6 * FABRIC_ITERATIONS * paper_count[m]);
    }
    paper_time(r, "time of dihedral over triangle, plain C", time[1].reference_ns / time[0].reference_ns, "", "3.18");
    paper_time(r, "time of dihedral over triangle, library", time[1].ns / time[0].ns, "", "3.18");
    paper_time(r, "time of stick over triangle, plain C", time[2].reference_ns / time[0].reference_ns, "", "0.72");
    judge(r, quads, time);
    return true;
}

const experiment tb_table1 = {
    .id = "tb/table1",
    .title = "constraints, and times of three bending models",
    .shows = "A rigid fabric of 100 vertices has 160 triangle, 144 dihedral or 160 stick constraints. Triangle bending "
             "is on average more than 3 times as fast as dihedral angles, and a little slower than sticks.",
    .method =
        "The constraints of a grid of quads are counted by the paper's algorithm (Fig. 6, each pair once). "
        "Processor time of one projection: the formulas in plain C, and the kernels of the library, on a sheet of "
        "about 400 constraints, as of `taut bench kernels`.",
    .timed = true,
    .run = run,
};
