#define _POSIX_C_SOURCE 200809L
#include "clip.h"
#include "names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool clip_fail(taut_error *error, const char *format, const char *what)
{
    error->code = TAUT_BAD_ARGUMENT;
    error->index = -1;
    snprintf(error->text, sizeof error->text, format, what);
    return false;
}

/* ---- Objects ---------------------------------------------------------------------------------------------------- */

/* Tets without triangles are drawn as their surface. */
static bool take_faces(clip_object *o, const taut_mesh *mesh, taut_error *error)
{
    o->ntris = mesh->ntris;
    o->tri = mesh->tri;
    if (o->ntris || !mesh->ntets) return true;
    o->own_tri = taut_mesh_surface(mesh, &o->ntris, error);
    o->tri = o->own_tri;
    return o->own_tri != NULL;
}

/* Cuts the polygons of a render mesh into fans from their first corners. */
static bool cut_polygons(clip_object *o, const taut_cache_object *shown, taut_error *error)
{
    int corners = shown->npolygons ? shown->polygon_start[shown->npolygons] : 0;
    o->own_tri = malloc(sizeof *o->own_tri * (3 * (size_t)corners + 1));
    if (!o->own_tri) return clip_fail(error, "%s", "out of memory");
    for (int i = 0; i < shown->npolygons; i++) {
        const int *corner = shown->polygon + shown->polygon_start[i];
        for (int k = 2; k < shown->polygon_start[i + 1] - shown->polygon_start[i]; k++) {
            int *tri = o->own_tri + 3 * (size_t)o->ntris++;
            tri[0] = corner[0], tri[1] = corner[k - 1], tri[2] = corner[k];
        }
    }
    o->tri = o->own_tri;
    return true;
}

static bool measure_mesh(clip_object *o, const taut_mesh *mesh, const float axis[3], taut_error *error)
{
    if (mesh->ntris + mesh->ntets == 0) return true;
    o->measurer = taut_measurer_build(mesh, axis, error);
    return o->measurer != NULL;
}

/* Adds the simulated mesh at rest. */
static bool add_simulated(clip_object *o, const taut_scene_body *body, taut_error *error)
{
    const taut_mesh *mesh = &body->file.mesh;
    *o = (clip_object){.name = body->name,
                       .nvertices = mesh->nvertices,
                       .rest = mesh->x,
                       .nlines = mesh->nlines,
                       .line = mesh->line};
    memcpy(o->color, body->color, sizeof o->color);
    return take_faces(o, mesh, error);
}

static bool add_body(clip_object *o, const taut_scene_body *body, bool measured, taut_error *error)
{
    const taut_cache_object *shown = &body->shown;
    const taut_mesh *mesh = &body->file.mesh;
    *o = (clip_object){.name = body->name,
                       .nvertices = shown->nvertices,
                       .rest = shown->rest,
                       .npolygons = shown->npolygons,
                       .polygon_start = shown->polygon_start,
                       .polygon = shown->polygon};
    memcpy(o->color, body->color, sizeof o->color);
    if (shown->nvertices == mesh->nvertices && shown->polygon == body->file.polygon) {
        o->nlines = mesh->nlines;
        o->line = mesh->line;
        return take_faces(o, mesh, error) && (!measured || measure_mesh(o, mesh, body->warp_axis, error));
    }
    if (!cut_polygons(o, shown, error)) return false;
    const taut_mesh drawn = {
        .nvertices = o->nvertices, .ntris = o->ntris, .x = (float *)shown->rest, .tri = o->own_tri};
    return !measured || measure_mesh(o, &drawn, body->warp_axis, error);
}

/* ---- Sources ---------------------------------------------------------------------------------------------------- */

static bool make_objects(clip *c, int count, taut_error *error)
{
    c->object = calloc((size_t)count + 1, sizeof *c->object);
    c->nobjects = c->object ? count : 0;
    return c->object || clip_fail(error, "%s", "out of memory");
}

static bool open_scene(clip *c, const clip_request *request, taut_error *error)
{
    const taut_scene_options options = {.threads = request->threads, .nsets = request->nsets, .set = request->set};
    c->scene = taut_scene_load(request->path, &options, error);
    if (!c->scene) return false;
    if (c->scene->nbodies == 0) return clip_fail(error, "%s: there are no bodies", request->path);
    if (!make_objects(c, c->scene->nbodies, error)) return false;
    c->nframes = c->scene->frames + 1;
    c->fps = c->scene->fps;
    c->has_camera = c->scene->has_camera;
    c->camera = c->scene->camera;
    c->ground = c->scene->ground;
    c->ground_height = c->scene->ground_height;
    c->ncolliders = taut_scene_colliders(c->scene);
    c->simulated = request->simulated;
    for (int i = 0; i < c->nobjects; i++) {
        const taut_scene_body *body = &c->scene->body[i];
        if (!(c->simulated ? add_simulated(&c->object[i], body, error)
                           : add_body(&c->object[i], body, request->measured, error)))
            return false;
        c->nvertices += c->object[i].nvertices;
    }
    c->spool = tmpfile();
    return c->spool || clip_fail(error, "no temporary file for the frames: %s", strerror(errno));
}

/* Loads the file that says which vertices make faces: the one given, or the first of a sequence. */
static bool load_faces(clip *c, const clip_request *request, taut_error *error)
{
    char first[4096];
    const char *path = request->mesh;
    if (!path) {
        if (name_ends_with(request->path, ".pc2") || name_ends_with(request->path, ".mdd"))
            return clip_fail(error, "%s holds positions only: --mesh FILE says which vertices make faces",
                             request->path);
        if (!name_of_first(first, sizeof first, request->path))
            return clip_fail(error, "%s: there is no such file or sequence", request->path);
        path = first;
    }
    return taut_mesh_load(path, &c->file, error);
}

/* Adds one mesh of a cache. */
static bool add_mesh(clip_object *o, const taut_mesh *mesh, int number, bool measured, taut_error *error)
{
    static const float colors[][3] = {{0.784f, 0.333f, 0.239f}, {0.247f, 0.486f, 0.675f}, {0.914f, 0.706f, 0.298f},
                                      {0.345f, 0.545f, 0.545f}, {0.557f, 0.424f, 0.533f}};
    *o = (clip_object){.nvertices = mesh->nvertices, .rest = mesh->x, .nlines = mesh->nlines, .line = mesh->line};
    memcpy(o->color, colors[(size_t)number % (sizeof colors / sizeof *colors)], sizeof o->color);
    return take_faces(o, mesh, error) && (!measured || measure_mesh(o, mesh, NULL, error));
}

static bool open_positions(clip *c, const clip_request *request, taut_error *error)
{
    const taut_mesh *mesh = &c->file.mesh;
    if (!load_faces(c, request, error) || !taut_animation_load(request->path, &c->glb.animation, error) ||
        !make_objects(c, 1, error))
        return false;
    if (c->glb.animation.nvertices != mesh->nvertices) {
        error->code = TAUT_BAD_MESH;
        error->index = -1;
        snprintf(error->text, sizeof error->text, "%.90s has %d vertices, its mesh %.90s has %d", request->path,
                 c->glb.animation.nvertices, request->mesh ? request->mesh : request->path, mesh->nvertices);
        return false;
    }
    if (!add_mesh(c->object, mesh, 0, request->measured, error)) return false;
    c->object->npolygons = c->file.npolygons;
    c->object->polygon_start = c->file.polygon_start;
    c->object->polygon = c->file.polygon;
    return true;
}

static bool open_glb(clip *c, const clip_request *request, taut_error *error)
{
    if (request->mesh) return clip_fail(error, "%s has its meshes: --mesh has nothing to add", request->path);
    if (!glb_load(request->path, &c->glb, error) || !make_objects(c, c->glb.nmeshes, error)) return false;
    for (int i = 0; i < c->nobjects; i++)
        if (!add_mesh(&c->object[i], &c->glb.mesh[i], i, request->measured, error)) return false;
    return true;
}

static bool open_cache(clip *c, const clip_request *request, taut_error *error)
{
    const taut_animation *animation = &c->glb.animation;
    if (request->nsets) return clip_fail(error, "%s is no scene: --set has nothing to change", request->path);
    bool whole = name_ends_with(request->path, ".glb");
    if (!(whole ? open_glb(c, request, error) : open_positions(c, request, error))) return false;
    c->nframes = animation->nframes;
    c->nvertices = animation->nvertices;
    c->fps = animation->fps > 0 ? animation->fps : 30;
    return true;
}

bool clip_open(clip *c, const clip_request *request, taut_error *error)
{
    memset(c, 0, sizeof *c);
    bool scene = name_ends_with(request->path, ".json");
    if (scene ? open_scene(c, request, error) : open_cache(c, request, error)) return true;
    clip_close(c);
    return false;
}

void clip_close(clip *c)
{
    for (int i = 0; i < c->nobjects; i++) {
        taut_measurer_free(c->object[i].measurer);
        free(c->object[i].own_tri);
    }
    free(c->object);
    free(c->spooled);
    if (c->spool) fclose(c->spool);
    taut_scene_free(c->scene);
    glb_free(&c->glb);
    taut_mesh_file_free(&c->file);
    memset(c, 0, sizeof *c);
}

/* ---- Frames ----------------------------------------------------------------------------------------------------- */

static size_t floats_of(const clip *c) { return 3 * (size_t)c->nvertices; }

static bool spool_frame(clip *c, float *xyz, taut_error *error)
{
    float *next = xyz;
    for (int i = 0; i < c->nobjects; i++) {
        size_t floats = 3 * (size_t)c->object[i].nvertices;
        if (!c->simulated) taut_scene_show(c->scene, i, next);
        else taut_body_positions_from(c->scene->world, c->scene->body[i].body, c->scene->origin, next);
        next += floats;
    }
    bool fine = fwrite(xyz, sizeof *xyz, floats_of(c), c->spool) == floats_of(c);
    for (int i = 0; fine && i < c->ncolliders; i++) {
        taut_collider_def def = taut_scene_collider(c->scene, i);
        fine = fwrite(&def, sizeof def, 1, c->spool) == 1;
    }
    return fine || clip_fail(error, "the temporary file for the frames could not be written: %s", strerror(errno));
}

/* Whether a frame has been spooled. Frames are simulated in their order, so all spooled ones come before the others. */
static bool is_spooled(const clip *c, int frame) { return c->nspooled > 0 && frame <= c->spooled[c->nspooled - 1]; }

bool clip_gather(clip *c, const int *frame, int count, bool (*progress)(int done, int all), taut_error *error)
{
    if (!c->scene) return true;
    float *xyz = malloc(sizeof *xyz * (floats_of(c) + 1));
    int *spooled = realloc(c->spooled, sizeof *spooled * ((size_t)c->nspooled + (size_t)count + 1));
    if (spooled) c->spooled = spooled;
    bool fine = (xyz && spooled) || clip_fail(error, "%s", "out of memory");
    for (int k = 0; fine && k < count; k++) {
        if (is_spooled(c, frame[k])) continue;
        while (fine && c->scene->frame < frame[k]) {
            fine = taut_scene_step(c->scene, error);
            if (!progress(c->scene->frame, frame[count - 1])) fine = clip_fail(error, "%s", "stopped");
        }
        fine = fine && spool_frame(c, xyz, error);
        if (fine) c->spooled[c->nspooled++] = frame[k];
    }
    free(xyz);
    return fine;
}

bool clip_read(clip *c, int frame, float *xyz, taut_collider_def *collider, taut_error *error)
{
    if (!c->scene) {
        memcpy(xyz, c->glb.animation.xyz + floats_of(c) * (size_t)frame, sizeof *xyz * floats_of(c));
        return true;
    }
    size_t place = 0;
    while (c->spooled[place] < frame) place++;
    size_t colliders = (size_t)c->ncolliders, bytes = sizeof *xyz * floats_of(c) + sizeof *collider * colliders;
    bool fine = fseeko(c->spool, (off_t)(bytes * place), SEEK_SET) == 0 &&
                fread(xyz, sizeof *xyz, floats_of(c), c->spool) == floats_of(c) &&
                fread(collider, sizeof *collider, colliders, c->spool) == colliders;
    return fine || clip_fail(error, "the temporary file for the frames could not be read: %s", strerror(errno));
}
