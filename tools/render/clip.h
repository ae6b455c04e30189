/* The source of the pictures, over time: the bodies of a scene that is simulated, or the mesh of an animation cache. */
#ifndef TOOLS_RENDER_CLIP_H
#define TOOLS_RENDER_CLIP_H

#include "glb.h"

#include <stdio.h>

typedef struct clip_object {
    const char *name; /* NULL: it has none */
    int nvertices;
    const float *rest;
    int ntris, nlines, npolygons;
    const int *tri, *line;
    const int *polygon_start, *polygon; /* their sides are the wireframe; if there are none, the triangles' sides */
    int *own_tri;                       /* the array behind `tri` if it has to be freed */
    float color[3];
    taut_measurer *measurer; /* NULL: nothing to measure */
} clip_object;

typedef struct clip {
    int nobjects, nframes; /* frames 0 .. nframes - 1 are available */
    clip_object *object;
    double fps;
    int nvertices; /* of all objects */
    int ncolliders;
    bool has_camera, ground;
    taut_camera camera;
    float ground_height;

    taut_scene *scene; /* either a scene, and the frames that were simulated */
    bool simulated;    /* bodies have their simulated mesh, not the mesh that is shown */
    FILE *spool;
    int *spooled, nspooled; /* their numbers, ascending */
    glb glb;             /* or a cache: meshes of its own, and positions */
    taut_mesh_file file; /* or the mesh that it moves */
} clip;

typedef struct clip_request {
    const char *path, *mesh; /* mesh: faces (and rest shape) of caches that have none, or NULL */
    const char *const *set;  /* as in taut_scene_options */
    int nsets, threads;
    bool measured;  /* objects get measurers */
    bool simulated; /* take the simulated meshes of the bodies of a scene, even if they have a render mesh */
} clip_request;

/* On failure the clip is closed. */
bool clip_open(clip *c, const clip_request *request, taut_error *error);
void clip_close(clip *c);

/* Makes `count` frames, numbers ascending, ready to be read. Frames that are ready already must come first. `progress`
 * is called after each simulated frame; if it returns false, the work stops. */
bool clip_gather(clip *c, const int *frame, int count, bool (*progress)(int done, int all), taut_error *error);

/* Reads one of the frames gathered: positions of all objects one after the other, and the colliders. */
bool clip_read(clip *c, int frame, float *xyz, taut_collider_def *collider, taut_error *error);

#endif
