/* The sheets of the benchmark: how they are held, what they fall on, how their pins move. */
#ifndef BENCH_DRAPE_SCENE_H
#define BENCH_DRAPE_SCENE_H

#include "drape_measures.h"
#include "drape_plan.h"

/* The part of a scene that belongs to a test. Shaking goes on where hanging ends. */
typedef struct drape_times {
    double begins, ends; /* s */
    double window;       /* the time before its end that is measured, s */
} drape_times;

extern const drape_times drape_test_times[DRAPE_TESTS];

/* One test on one mesh. There is a world for each number of threads, and all move alike. */
typedef struct drape_scene {
    drape_test test;
    int n, rate;           /* vertices along a side; frames a second */
    bool irregular;
    const drape_plan *plan;
    taut_material material;
    drape_gauge gauge;
    taut_model *model;
    taut_world *world[DRAPE_MOST];
    int frame;             /* the present frame of the worlds */
    double build_ms;       /* processor time, or time by the clock if that is more */
    /* A line of vertices whose folds are counted, by their distances from the middle or from the plane of the pins. */
    int *outline, noutline;
    bool closed;
    double width;          /* of the sheet, m */
    double sheet, support; /* areas, m^2; 0: it lies on nothing */
} drape_scene;

/* The test is not DRAPE_SHAKE, which is the later part of DRAPE_HANG. */
bool drape_scene_open(drape_scene *s, const drape_plan *plan, drape_test test, int n, bool irregular, int rate,
                      taut_error *error);
void drape_scene_close(drape_scene *s);

/* Advances all worlds by a frame. Adds the time of each, ms: processor time with one thread, time by the clock with
 * more. Keeps the longest. */
bool drape_scene_step(drape_scene *s, double ms[DRAPE_MOST], double longest[DRAPE_MOST], taut_error *error);

/* The positions of the first world: 3 numbers a vertex. */
const float *drape_positions(const drape_scene *s);

int drape_scene_folds(const drape_scene *s);
/* The share of the overhanging cloth that is seen from above; -1 if the sheet lies on nothing. */
double drape_coefficient(const drape_scene *s);
/* How far the lower hem is below its place without load, m. For DRAPE_TOP. */
double drape_sag(const drape_scene *s);
/* The same in closed form; 0 if the material is rigid or its stiffness is no modulus. */
double drape_expected_sag(const drape_scene *s);

#endif
