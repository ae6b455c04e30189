/* The "pins" of a scene's body: which vertices are held, when, and where they go. */
#ifndef TAUT_IO_SCENE_PINS_H
#define TAUT_IO_SCENE_PINS_H

#include "io/scene_select.h"

typedef struct tio_pin {
    int nvertices;
    int *vertex;     /* ascending */
    float *start;    /* 3 per vertex: where they stand at frame 0 (of the first copy) */
    int first_start; /* place in tio_pinned.starts of a pin with keys that begins later; -1: all others */
    float stiffness;
    double from, until; /* s; active in steps that begin within from <= time < until */
    tio_motion motion;  /* from the time and place at which the pin begins; nkeys 0: none */
    bool has_about;
    vec3 about;            /* without has_about: the middle of its vertices when it begins */
    taut_animation follow; /* nframes 0: none */
    double follow_rate;    /* samples a second */
    int *follow_vertex;    /* of each vertex: its number in `follow` */
} tio_pin;

typedef struct tio_pins {
    int count;
    tio_pin *pin;
    bool busy;   /* something changes with time */
    int nstarts; /* vertices of pins with keys that begin later */
    tio_transform transform;
    float follow_scale; /* units of followed files in metres, times the body's scale */
    int nvertices;      /* of the body */
    int *before, *now;  /* for tio_pins_move: the pin that holds each vertex, or -1 */
    float *place;       /* the same: where each vertex is                           */
} tio_pins;

/* The properties of body and scene that pins need. */
typedef struct tio_pins_context {
    tio_transform transform;
    float unit; /* of files, in m */
    double fps; /* of the scene */
} tio_pins_context;

/* Reads the pins. If several pins select a vertex, the last one counts. A pin that selects nothing is an error. */
bool tio_read_pins(const tio_check *check, const tio_json *array, tio_selection *selection,
                   const tio_pins_context *context, tio_pins *pins);
void tio_pins_free(tio_pins *pins);

/* Fills stiffness[v], one per vertex, with the state at the start: 0 = free, 1 = held, between = pulled. */
void tio_pins_start(const tio_pins *pins, float *stiffness);

/* The middle of the box around some places. */
vec3 tio_middle(const float *xyz, int count);

/* The body that pins hold. */
typedef struct tio_pinned {
    taut_world *world;
    int body;
    const double *origin; /* of the scene */
    const float *offset; /* from the first copy */
    float *starts;       /* 3 for each of nstarts; filled when pins begin */
} tio_pinned;

/* Pins, moves and releases vertices of a body for a step from `time` to `next`. `before` is when the previous step
 * began; in the first step it is `time`. */
bool tio_pins_move(const tio_pins *pins, const tio_pinned *pinned, double before, double time, double next,
                   taut_error *error);

#endif
