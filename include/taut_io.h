/* taut_io.h: reads and writes files for Taut. The header of libtautio, which needs libtaut and libc only.
 *
 * Readers work on bytes in memory (so they run in a browser too); the `_load` functions read the file first. Before a
 * reader allocates anything, it checks the sizes that a file claims against the bytes that are there. Errors name the
 * file, the line (text) or byte (binary) and the cause: "cloth.obj:14: vertex index 120 is outside 1..99". Writers
 * leave a whole file or none: they write `PATH.part` and rename it at the end. */
#ifndef TAUT_IO_H
#define TAUT_IO_H

#include "taut.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Files ------------------------------------------------------------------------------------------------------- */

typedef struct taut_bytes {
    unsigned char *data;
    size_t size;
} taut_bytes;

/* Reads a whole file of up to 4 GiB - 1; free with taut_bytes_free. Folders, pipes, devices, and missing or unreadable
 * files are errors. "-" and /dev/stdin are the process's standard input, /dev/fd/N is its open file N: these may be
 * pipes, and are read until their end. */
TAUT_API bool taut_file_read(const char *path, taut_bytes *bytes, taut_error *error);
TAUT_API void taut_bytes_free(taut_bytes *bytes);
/* Writes a file. The file appears only when it is whole, and then replaces a file of the same name. */
TAUT_API bool taut_file_write(const char *path, const void *data, size_t size, taut_error *error);
/* Whether `path` is a device, a pipe, or the file that stdout or stderr goes to. Writers write into those, and replace
 * other files. */
TAUT_API bool taut_file_is_stream(const char *path);

/* ---- Meshes ------------------------------------------------------------------------------------------------------ */

typedef struct taut_vertex_group {
    char *name;
    int nvertices;
    int *vertex; /* ascending */
} taut_vertex_group;

/* A mesh as read, with its faces cut into triangles. Vertices keep the order of the file. Polygons are the faces as
 * the file has them, for writing them back: polygon i has vertices polygon[polygon_start[i]] ..
 * polygon[polygon_start[i+1] - 1]. Corners that repeat the corner before are left out, and so are faces that then have
 * fewer than three corners. Inverted tets are turned. */
typedef struct taut_mesh_file {
    taut_mesh mesh;
    int npolygons;
    int *polygon_start, *polygon;
    float *polygon_uv; /* 2 for each corner of the polygons; NULL: the file has no UVs */
    int ngroups;
    taut_vertex_group *group;
} taut_mesh_file;

/* The ending of the name tells the format: obj, ply, stl, msh, vtk, node, ele. */
TAUT_API bool taut_mesh_parse(const char *name, const void *bytes, size_t size, taut_mesh_file *file,
                              taut_error *error);
/* Reads the .node and the .ele file of TetGen together, whichever is named. */
TAUT_API bool taut_mesh_load(const char *path, taut_mesh_file *file, taut_error *error);
TAUT_API void taut_mesh_file_free(taut_mesh_file *file);
/* Writes obj, ply (triangles), msh or vtk (triangles, tets and lines), by ending. */
TAUT_API bool taut_mesh_save(const char *path, const taut_mesh *mesh, taut_error *error);

/* ---- Animation caches ------------------------------------------------------------------------------------------- */

/* One body of an animation. The cache copies it. */
typedef struct taut_cache_object {
    const char *name;
    int nvertices;
    const float *rest;              /* 3 per vertex */
    int npolygons;                  /* faces; if there are none, the writer takes the surface of the tets */
    const int *polygon_start, *polygon;
    int ntets;
    const int *tet;
    const float *uv;                /* 2 for each corner of the polygons, v upward; NULL: none */
} taut_cache_object;

/* A named number per polygon (cells of VTU) for one object. */
typedef struct taut_cache_field {
    const char *name;
    const float *value; /* npolygons, or ntets of an object without polygons; NULL: none, NaN in the file */
} taut_cache_field;

typedef struct taut_cache taut_cache;

/* Opens a cache to write. The ending tells the format: pc2, mdd, obj and ply (PATH with %04d, or a number is put before
 * the ending), glb (morph targets), vtu / pvd, usda. A pc2 or mdd file holds one object, so several objects make a file
 * PATH-NAME.pc2 each. Formats with one file per frame (obj, ply, vtu) write it at once; the others keep all frames in
 * PATH.part until the end. With `first_frame` above 0 the cache continues an interrupted run: its PATH.part, or the
 * files of its frames, are cut back to that many frames. Objects and fps must be the same. The result is the same as
 * without the interruption. If all frames are there (`first_frame` = nframes), the cache may have been closed already;
 * closing it again changes nothing. */
TAUT_API taut_cache *taut_cache_open(const char *path, const taut_cache_object *object, int nobjects, double fps,
                                     int nframes, int first_frame, taut_error *error);
/* Writes the next frame. xyz[i] are the positions of object i; fields[i] its nfields fields (NULL: none), which only
 * VTU uses. Their names must be the same for all objects. A frame that failed does not count and can be written
 * again. */
TAUT_API bool taut_cache_write(taut_cache *cache, const float *const *xyz, const taut_cache_field *const *fields,
                               int nfields, taut_error *error);
/* Waits until all frames written so far are on the disk, so that they survive a crash of the machine. */
TAUT_API bool taut_cache_flush(taut_cache *cache, taut_error *error);
/* Finishes the file under its own name, with as many frames as were written. In formats with one file per frame, files
 * of later frames that an earlier animation left under this name are removed. The cache is freed, also on error. After
 * an error PATH.part is left, so that another run can continue it. */
TAUT_API bool taut_cache_close(taut_cache *cache, taut_error *error);
/* Frees the cache and leaves PATH.part as it is, so that another run can continue it. */
TAUT_API void taut_cache_leave(taut_cache *cache);
/* Frees the cache and removes PATH.part. */
TAUT_API void taut_cache_discard(taut_cache *cache);
/* Calls `visit` with the name of every file that the cache will have once it is closed. Stops and returns false when
 * `visit` does; `error` then has no error in it. */
TAUT_API bool taut_cache_files(const char *path, const taut_cache_object *object, int nobjects, int nframes,
                               bool (*visit)(const char *file, void *user), void *user, taut_error *error);

/* An animated mesh, read whole. */
typedef struct taut_animation {
    int nvertices, nframes;
    double fps;        /* frames a second; 0: the file does not say (only mdd does) */
    double frame_step; /* frames from one to the next: 1, unless a pc2 file says otherwise */
    float *xyz;        /* 3 for each vertex of each frame */
} taut_animation;

/* Reads pc2, mdd, or one mesh file a frame (obj, ply, ...): PATH with %04d, or as taut_cache_open names them. The first
 * frame may have any number up to 9999. The animation ends before the first number that is missing. */
TAUT_API bool taut_animation_load(const char *path, taut_animation *animation, taut_error *error);
TAUT_API void taut_animation_free(taut_animation *animation);

/* ---- Scenes ------------------------------------------------------------------------------------------------------ */

/* A body, and what is written and drawn of it: the faces of the simulated mesh, or those of its "render_mesh". */
typedef struct taut_scene_body {
    const char *name;         /* as in the file, or body0, body1, ... */
    taut_mesh_file file;      /* the simulated mesh as built: scaled, with its pins; not turned or moved */
    taut_model *model;        /* bodies that are copies of one another share it */
    int body;                 /* its id in the world */
    taut_cache_object shown;  /* name, faces, and `rest`: the positions at frame 0 */
    float color[3];           /* 0..1, sRGB */
    float warp_axis[3];       /* as given to taut_model_build */
    int levels;               /* the same */
    bool has_material;        /* the file gives it one; else it is as with NULL in taut_model_build */
    double mass;              /* kg, at the start */
    float imperfection;       /* as given to taut_world_add_body */
} taut_scene_body;

typedef struct taut_camera {
    float eye[3], target[3];
    float fov; /* degrees, of the picture's height */
} taut_camera;

/* A file that a scene names, relative to the working folder: an included scene, a mesh, trained limits, or an animation
 * that pins follow, which may be a sequence of meshes. */
typedef struct taut_scene_input {
    const char *path;
    const struct taut_scene_input *next;
} taut_scene_input;

/* A scene that was built from a file. docs/scenes.md says what may be in the file. */
typedef struct taut_scene {
    taut_world *world;
    double fps;
    int frames;               /* how many to simulate after frame 0, the start */
    int frame;                /* the frame that the world is at now */
    double origin[3];         /* where the 0 0 0 of the scene is in the world; a scene measures all places from it */
    float stretch;            /* this and `budget`: of the solver, as in taut_world_def */
    int budget;
    int substeps, iterations; /* of the solver, for bodies that are not solved by quality */
    double substep;           /* s; elastic bodies want it below their taut_model_stable_step */
    uint64_t hash;            /* of the file, its includes and the values set, but not of mesh files */
    const taut_scene_input *input; /* the list of the files that were read; NULL: there is none */
    int nbodies;
    taut_scene_body *body;
    int noutputs;
    const char *const *output; /* animation files to write, as the scene names them; relative to the working folder */
    bool has_camera;
    taut_camera camera;
    bool ground;              /* a plane collider is drawn as the ground */
    float ground_height;
} taut_scene;

typedef struct taut_scene_options {
    int threads;              /* as in taut_world_def */
    int nsets;
    const char *const *set;   /* values that replace those of the file: "bodies[0].material.strain.xx=0.1" */
    bool untrained;           /* ignore trained limits, as if the scene named none */
    /* Called now and then while the model of a body is built; `done` is the share done, 0 to 1. NULL: never. */
    void (*progress)(int body, float done, void *user);
    void *progress_user;
} taut_scene_options;

/* Builds the world of a scene file; `options` may be NULL. NULL on error. All that the scene points to is freed with
 * it. Mesh files and included scenes are looked for in the folder of the file that names them. */
TAUT_API taut_scene *taut_scene_parse(const char *name, const void *bytes, size_t size,
                                      const taut_scene_options *options, taut_error *error);
TAUT_API taut_scene *taut_scene_load(const char *path, const taut_scene_options *options, taut_error *error);
TAUT_API void taut_scene_free(taut_scene *scene);
/* Moves what is animated and steps the world by one frame. */
TAUT_API bool taut_scene_step(taut_scene *scene, taut_error *error);
/* Copies the present positions of what is shown of a body, measured from the scene's origin: 3 floats for each of its
 * shown.nvertices. */
TAUT_API void taut_scene_show(const taut_scene *scene, int body, float *xyz);
/* The colliders, in the file's order, where they are now. Their origin is the scene's. */
TAUT_API int taut_scene_colliders(const taut_scene *scene);
TAUT_API taut_collider_def taut_scene_collider(const taut_scene *scene, int index);
/* Save the state between two frames, and go back to it, exact to the bit, as taut_world_save and _restore do. Damaged
 * saves are refused, and so are those of a scene with other bodies, colliders or frame rate; the scene then stays as it
 * is. */
TAUT_API size_t taut_scene_save(const taut_scene *scene, void *bytes, size_t size);
TAUT_API bool taut_scene_restore(taut_scene *scene, const void *bytes, size_t size, taut_error *error);

#ifdef __cplusplus
}
#endif
#endif
