/* The "pins" of a scene's body: which vertices are held, when, and where they go. */
#ifndef TAUT_IO_SCENE_PINS_H
#define TAUT_IO_SCENE_PINS_H

#include "io/scene_select.h"

typedef struct tio_pin {
    int nvertices;
    int *vertex;   /* ascending */
    float *start;  /* 3 per vertex: where they stand at frame 0 (of the first copy) */
    float stiffness;
    double from, until; /* s; at work in steps that begin within from <= time < until */
    tio_motion motion;  /* nkeys 0: none */
    vec3 about;
    taut_animation follow; /* nframes 0: none */
    double follow_rate;    /* samples a second */
    int *follow_vertex;    /* of each vertex: its number in `follow` */
} tio_pin;

typedef struct tio_pins {
    int count;
    tio_pin *pin;
    bool busy; /* something changes with time */
    tio_transform transform;
    float follow_scale; /* from units of followed files to metres, and the body's scale */
    int nvertices;      /* of the body */
    int *before, *now;  /* for tio_pins_move: the pin that holds each vertex, or -1 */
} tio_pins;

/* What pins need to know of their body and scene. */
typedef struct tio_pins_context {
    tio_transform transform;
    float unit; /* of files, in m */
    double fps; /* of the scene */
} tio_pins_context;

/* Where pins overlap the last one counts. A pin that selects nothing is an error. */
bool tio_read_pins(const tio_check *check, const tio_json *array, tio_selection *selection,
                   const tio_pins_context *context, tio_pins *pins);
void tio_pins_free(tio_pins *pins);

/* Fills stiffness[v], one per vertex, as it is at the start: 0 = free, 1 = held, between = pulled. */
void tio_pins_start(const tio_pins *pins, float *stiffness);

/* Pins, moves and lets go of vertices of a body for a step from `time` to `next`; `before` is when the step before it
 * began, or `time` in the first. `offset` is where the body is from the first copy. */
bool tio_pins_move(const tio_pins *pins, taut_world *world, int body, const float offset[3], double before, double time,
                   double next, taut_error *error);

#endif
