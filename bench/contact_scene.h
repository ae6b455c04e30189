/* The scenes of the benchmark of contact. */
#ifndef BENCH_CONTACT_SCENE_H
#define BENCH_CONTACT_SCENE_H

#include "taut.h"

typedef enum contact_shape { CONTACT_DRAPE, CONTACT_LAYERS, CONTACT_CAPES, CONTACT_HILL } contact_shape;

/* The bodies of a scene, and the times when it is measured. */
typedef struct contact_plan {
    contact_shape shape;
    int bodies, nx, ny; /* sheets of nx times ny vertices                          */
    double moves[2];    /* s: begin and end of the period in which it moves        */
    double rests[2];    /* s: the same for its rest; 0 0: this period is left out  */
} contact_plan;

typedef struct contact_scene {
    const contact_plan *plan;
    taut_mesh mesh; /* of one body */
    taut_model *model;
    taut_world *world;
    int frame;
} contact_scene;

enum { CONTACT_RATE = 60 }; /* frames a second */

bool contact_scene_open(contact_scene *s, const contact_plan *plan, taut_contact tier, int threads, taut_error *error);
void contact_scene_close(contact_scene *s);
/* Advances by a frame. *ms becomes its time in ms: processor time with one thread, time by the clock with more. */
bool contact_scene_step(contact_scene *s, double *ms, taut_error *error);
/* Crossings of edges and triangles of all bodies together; -1: error. */
int64_t contact_scene_crossings(const contact_scene *s, taut_error *error);
/* Root mean square over all vertices, m/s. */
double contact_scene_speed(const contact_scene *s);

#endif
