/* Scenes: JSON files that describe a whole world. docs/scenes.md is the reference of their keys.
 *
 * The document is put together (scene_include.h, scene_set.h), then read from top to bottom: settings, bodies,
 * colliders. The motion of pins, colliders and wind is a pure function of time. Only pins that begin later also depend
 * on where their vertices were then. So the number of the frame, the world and those places are the whole state. */
#ifndef TAUT_IO_SCENE_H
#define TAUT_IO_SCENE_H

#include "io/scene_pins.h"

/* The part of a body that the public struct does not show. */
typedef struct tio_scene_part {
    int item;                  /* its number in the file's "bodies" */
    bool copy;                 /* model, meshes and pins are those of an earlier body */
    float offset[3];           /* from the first copy */
    tio_pins *pins;            /* NULL: none */
    float *starts;             /* 3 for each of pins->nstarts: where vertices were when their pins began */
    taut_mesh_file drawn;      /* the render mesh, scaled */
    taut_embedding *embedding; /* of the render mesh; NULL: the simulated mesh is shown */
    float *carrier;            /* for taut_scene_show: positions of the simulated mesh that carries the render mesh */
} tio_scene_part;

/* A collider as in the file, and its motion from there. */
typedef struct tio_scene_collider {
    int id; /* in the world */
    const char *name; /* NULL: none */
    taut_collider_def start;
    tio_motion motion; /* without keys: it stays */
    vec3 about;
    taut_animation follow; /* where the vertices of a mesh go; no frames: they stay */
    double follow_rate;
    float follow_scale;
    taut_mesh_file file; /* of shapes that refer to a mesh */
} tio_scene_collider;

/* A scene and its memory. The document stays in that memory too, because names point into it. */
typedef struct tio_scene {
    taut_scene scene; /* first: the caller's pointer is this one's too */
    tt_scope memory;
    int steps;        /* of the world in a frame */
    float unit;       /* of mesh files, m */
    taut_scene_options options; /* those that reading the bodies needs */
    tio_wind wind;
    bool windy; /* the wind changes with time */
    float air_density;
    tio_scene_part *part; /* one per body */
    int ncolliders;
    tio_scene_collider *collider;
} tio_scene;

bool tio_add_bodies(const tio_check *check, const tio_json *array, tio_scene *scene);
bool tio_add_colliders(const tio_check *check, const tio_json *array, tio_scene *scene);
/* Reads the attachments. Call it after bodies and colliders have been read. */
bool tio_add_attachments(const tio_check *check, const tio_json *array, const tio_scene *scene);
/* Reads "contacts": how pairs of bodies touch. */
bool tio_add_contacts(const tio_check *check, const tio_json *array, const tio_scene *scene);
/* The number of the body that a member of the object names. */
bool tio_find_body(const tio_check *check, const tio_scene *s, const tio_json *object, const char *key, int *number);
/* The collider's place and size at a time. */
taut_collider_def tio_collider_at(const tio_scene_collider *collider, double time);

/* ---- Parts of a scene that do not move ---- */

#define TIO_UNITS "m|cm|mm|in"
float tio_unit(int number); /* in metres, by its number in TIO_UNITS */
/* "#rrggbb" or three numbers of 0..1. */
bool tio_read_color(const tio_check *check, const tio_json *value, float color[3]);
void tio_palette(int number, float color[3]);
bool tio_read_camera(const tio_check *check, const tio_json *object, taut_camera *camera);
/* Reads "output": one name or an array of names. */
bool tio_read_output(const tio_check *check, const tio_json *value, taut_scene *scene);

/* Loads the file that "training" names. */
bool tio_read_training(const tio_check *check, const tio_json *value, taut_training **training);

/* Read "stiffness_scale" and "masses". `mass` has one number per vertex, 0 if none is given. */
bool tio_read_scales(const tio_check *check, const tio_json *array, tio_selection *selection, taut_mesh *mesh);
bool tio_read_masses(const tio_check *check, const tio_json *array, tio_selection *selection, float *mass);

#endif
