/* taut run: shared by its parts. */
#ifndef TOOLS_RUN_H
#define TOOLS_RUN_H

#include "arguments.h"
#include "taut_io.h"

extern const char *const RUN_COMMAND; /* for messages */

typedef struct run_options {
    const char *scene;
    word_list outs, sets;
    const char *format;   /* "pc2,glb", or NULL */
    const char *stats;    /* or NULL */
    const char *record;   /* NULL: beside the first output */
    int frames;           /* -1: as the scene says */
    int threads;          /* as in taut_world_def */
    int checkpoint_every; /* frames; 0: only when interrupted; -1: by the clock */
    bool resume, quiet;
} run_options;

enum { RUN_STAGES = 6 };

/* The notes of a frame. Frame 0 is the start and takes no time. */
typedef struct run_frame {
    uint64_t hash;
    double step_ms, output_ms;
    double stage_ms[RUN_STAGES]; /* of its last step, as stage_names of run_record.c */
    taut_stretch worst;          /* of the edges of all bodies */
    double limit_excess;         /* this and the next two: of its last step, as in taut_stats */
    int32_t limit_passes, bodies_over_limits;
    int32_t searches, searches_cut; /* these and the next: of its last step, as in taut_stats */
    double stretch_reached;
    int32_t contacts, bad_particles;
} run_frame;

/* The notes of a body in a frame: numbers of taut_deformation. Shear is in rad, speed in m/s. */
enum {
    RUN_STRETCH_P99,
    RUN_STRETCH,
    RUN_COMPRESSION_P99,
    RUN_COMPRESSION,
    RUN_SHEAR_P99,
    RUN_SHEAR,
    RUN_SPEED,
    RUN_BODY_NUMBERS
};

typedef struct run_body_note {
    float number[RUN_BODY_NUMBERS];
} run_body_note;

/* The files of a run. Output names are those given to taut_cache_open. */
typedef struct run_names {
    char *output[WORDS];
    int noutputs;
    char *checkpoint, *record;
} run_names;

/* A triangle or vertex of a body, by their numbers. */
typedef struct run_place {
    int body, number;
} run_place;

/* Intersections at the start, as taut check counts them. */
enum { RUN_START_LISTED = 10 };
typedef struct run_start {
    int64_t pairs, crossings;
    int listed; /* the first ones */
    run_place triangle[RUN_START_LISTED], edge[RUN_START_LISTED][2];
} run_start;

typedef struct run {
    const run_options *options;
    taut_scene *scene;
    run_names names;
    uint64_t fingerprint; /* of everything that decides the result */
    run_frame *frame;     /* 0 .. scene->frames, those up to scene->frame are known */
    run_body_note *note;  /* of each body in each of these frames */
    taut_measurer **measurer; /* of each body */
    run_start start;
    int32_t breaks;       /* how often the run was resumed */
    double kept_at;       /* seconds_now of the last checkpoint */
} run;

/* Prints the reason with the command's name; returns EXIT_USAGE. */
int run_fail(const taut_error *error);

#endif
