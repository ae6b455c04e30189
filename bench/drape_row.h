/* One row of the benchmark of draped sheets: a test on a mesh at a frame rate. */
#ifndef BENCH_DRAPE_ROW_H
#define BENCH_DRAPE_ROW_H

#include "drape_scene.h"

/* A spread over the frames of a window: the medians of p50 and p99, the largest p99, the worst of all. */
typedef struct spread_over_time {
    double p50, p99, p99_peak, worst;
} spread_over_time;

typedef struct drape_row {
    drape_test test;
    int n, rate, vertices, levels;
    bool irregular;
    double density;                                        /* kg/m^2 */
    double build_ms;
    double ms[DRAPE_MOST], longest[DRAPE_MOST];            /* a frame, for each number of threads */
    spread_over_time weave[2], edges[2];                   /* stretch and compression */
    double shear;                                          /* rad: the median of p99 */
    double crease;                                         /* rad, at the end */
    double speed;                                          /* root mean square over the window, m/s */
    double plumb;                                          /* rad; -1: it does not hang */
    int folds;
    double coefficient;                                    /* -1: it lies on nothing */
    double sag, expected_sag;                              /* m; expected 0: there is no closed form */
} drape_row;

/* Advances a scene to the end of a test, which is the scene's own or DRAPE_SHAKE, and measures it. */
bool drape_row_measure(drape_row *row, drape_scene *s, drape_test test, void (*tick)(void *user), void *user,
                       taut_error *error);

/* The least and the largest of a number. */
typedef struct drape_range {
    bool any;
    double low, high;
} drape_range;

/* For each test, the figures that should be the same on all meshes and at all frame rates. */
typedef struct drape_summary {
    drape_range folds[DRAPE_TESTS], coefficient[DRAPE_TESTS], bend[DRAPE_TESTS], sag[DRAPE_TESTS];
} drape_summary;

void drape_summary_add(drape_summary *s, const drape_row *r);

void drape_print_begin(const drape_plan *plan, bool json);
void drape_print_row(const drape_plan *plan, const drape_row *row, bool json, bool first);
void drape_print_end(bool json, const drape_summary *summary);

#endif
