/* The plan of the benchmark of draped sheets: the words of the command line as numbers. */
#ifndef BENCH_DRAPE_PLAN_H
#define BENCH_DRAPE_PLAN_H

#include "drape.h"
#include "lists.h"

typedef enum drape_test { DRAPE_HANG = 0, DRAPE_SHAKE, DRAPE_BALL, DRAPE_TABLE, DRAPE_TOP, DRAPE_TESTS } drape_test;

extern const char *const drape_test_name[DRAPE_TESTS];
extern const char *const drape_mesh_name[2]; /* regular, irregular */
extern const char *const drape_contact_name[TAUT_CONTACT_AUTO + 1];

enum { DRAPE_MOST = LIST_MOST }; /* numbers of threads */

typedef struct drape_plan {
    bool test[DRAPE_TESTS];
    number_list sides, meshes, rates, threads; /* meshes: 0 regular, 1 irregular */
    const char *material_name;
    bool usual_material; /* the default one of cloth */
    taut_material material;
    taut_world_def world;
    taut_model_options model;
    bool flat;         /* sheets have no imperfection */
    bool usual_solver; /* quality and levels are the defaults */
} drape_plan;

bool drape_plan_make(drape_plan *plan, const drape_options *options, taut_error *error);

/* kg/m^2 of hanging and shaken sheets. In these tests the default material has 0.2, so that figures can be compared
 * with those of other programs. */
double drape_hang_density(const drape_plan *plan);

#endif
