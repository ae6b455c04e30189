/* From the text to the world: the document, the world's settings, then each body and collider in the file's order. */
#include "io/scene.h"
#include "base/error.h"
#include "io/scene_material.h"
#include "io/scene_mesh.h"
#include "io/scene_pins.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_BODY_NAME = 100 };

/* A scene and its memory, where the document stays too: names point into it. */
typedef struct whole {
    taut_scene scene;
    tt_scope memory;
} whole;

/* ---- The world ------------------------------------------------------------------------------ */

typedef struct settings {
    taut_world_def world;
    double fps;
    int frames;
    const tio_json *solver, *bodies, *colliders;
} settings;

static bool read_settings(const tio_check *check, const tio_json *document, settings *s)
{
    static const tio_key keys[] = {
        {"gravity", TIO_VECTOR, offsetof(settings, world.gravity), {-TIO_MOST, TIO_MOST, false}, NULL, false},
        {"wind", TIO_VECTOR, offsetof(settings, world.wind), {-TIO_MOST, TIO_MOST, false}, NULL, false},
        {"air_density", TIO_FLOAT, offsetof(settings, world.air_density), {0, TIO_MOST, false}, NULL, false},
        {"solver", TIO_VALUE, offsetof(settings, solver), {0, 0, false}, NULL, false},
        {"fps", TIO_DOUBLE, offsetof(settings, fps), {0, 100000, true}, NULL, false},
        {"frames", TIO_INT, offsetof(settings, frames), {1, 10000000, false}, NULL, false},
        {"bodies", TIO_VALUE, offsetof(settings, bodies), {0, 0, false}, NULL, true},
        {"colliders", TIO_VALUE, offsetof(settings, colliders), {0, 0, false}, NULL, false},
    };
    static const tio_key solver_keys[] = {
        {"substeps", TIO_INT, offsetof(taut_world_def, substeps), {1, 1000, false}, NULL, false},
        {"iterations", TIO_INT, offsetof(taut_world_def, iterations), {1, 1000, false}, NULL, false},
    };
    return tio_read_object(check, document, keys, TIO_COUNT(keys), s) &&
           (!s->solver || tio_read_object(check, s->solver, solver_keys, TIO_COUNT(solver_keys), &s->world)) &&
           tio_expect(check, s->bodies, TIO_JSON_ARRAY) &&
           (!s->colliders || tio_expect(check, s->colliders, TIO_JSON_ARRAY));
}

/* ---- Bodies --------------------------------------------------------------------------------- */

typedef struct body_text {
    const tio_json *name, *mesh, *transform, *material, *pins;
    float velocity[3], warp_axis[3];
} body_text;

/* Names become parts of file names. */
static bool read_name(const tio_check *check, const tio_json *value, const taut_scene *scene, const char **name)
{
    if (!tio_expect(check, value, TIO_JSON_STRING)) return false;
    if (value->count < 1 || value->count > LONGEST_BODY_NAME)
        return tio_fail_at(check, value, "must have 1 to %d bytes, got %d", LONGEST_BODY_NAME, value->count);
    for (const char *c = value->string; *c; c++)
        if ((unsigned char)*c < 0x20 || strchr("/\\:\x7f", *c))
            return tio_fail_at(check, value, "must not contain / \\ : or control characters");
    for (int i = 0; i < scene->nbodies; i++)
        if (!strcmp(scene->body[i].name, value->string))
            return tio_fail_at(check, value, "is \"%s\" like that of bodies[%d]", tio_show(value->string).text, i);
    *name = value->string;
    return true;
}

static bool default_name(const tio_check *check, tt_scope *memory, const taut_scene *scene, const tio_json *object,
                         const char **name)
{
    char *text = TT_TAKE(memory, char, 24);
    if (!text) return tt_no_memory(check->error);
    snprintf(text, 24, "body%d", scene->nbodies);
    for (int i = 0; i < scene->nbodies; i++)
        if (!strcmp(scene->body[i].name, text))
            return tio_fail_at(check, object, "needs a name: bodies[%d] is called \"%s\"", i, text);
    *name = text;
    return true;
}

/* Pins that hold go into the mesh, where tethers find them; those that pull are set once the body is there. */
static bool pin_mesh(const tio_check *check, const float *stiffness, taut_mesh *mesh)
{
    for (int v = 0; v < mesh->nvertices; v++)
        if (stiffness[v] == 1 && !taut_mesh_pin(mesh, v, check->error)) return false;
    return true;
}

static bool pin_softly(const tio_check *check, const float *stiffness, int nvertices, taut_world *world, int body)
{
    for (int v = 0; v < nvertices; v++)
        if (stiffness[v] > 0 && stiffness[v] < 1 &&
            !taut_body_pin(world, body, v, NULL, stiffness[v], check->error))
            return false;
    return true;
}

/* Mesh and model of a body, and its place; `pull` gets one pin stiffness a vertex. */
static bool build_model(const tio_check *check, const tio_json *object, const body_text *text, tt_scope *moment,
                        taut_scene_body *body, tio_transform *transform, float **pull)
{
    taut_material material = taut_default_material();
    taut_model_options options = taut_default_model_options();
    taut_mesh *mesh = &body->file.mesh;
    taut_error cause;
    if (text->material && !tio_read_material(check, text->material, &material)) return false;
    if (text->transform && !tio_read_transform(check, text->transform, transform)) return false;
    if (!tio_read_mesh(check, text->mesh, moment, &body->file)) return false;
    for (int i = 0; i < 3 * mesh->nvertices; i++) mesh->x[i] *= transform->scale;
    *pull = TT_TAKE(moment, float, mesh->nvertices);
    if (!*pull) return tt_no_memory(check->error);
    if (text->pins && !tio_read_pins(check, text->pins, &body->file, transform, *pull)) return false;
    if (!pin_mesh(check, *pull, mesh)) return false;
    memcpy(options.axis, text->warp_axis, sizeof options.axis);
    body->model = taut_model_build(mesh, &material, &options, &cause);
    return body->model || tio_fail_because(check, object, &cause);
}

static bool build_body(const tio_check *check, const tio_json *object, tt_scope *moment, taut_world *world,
                       const body_text *text, taut_scene_body *body)
{
    tio_transform transform = TIO_NO_TRANSFORM;
    taut_error cause;
    float *pull;
    if (!build_model(check, object, text, moment, body, &transform, &pull)) return false;
    taut_body_def def = taut_default_body_def();
    memcpy(def.position, transform.position, sizeof def.position);
    memcpy(def.rotation, transform.rotation, sizeof def.rotation);
    memcpy(def.velocity, text->velocity, sizeof def.velocity);
    body->body = taut_world_add_body(world, body->model, &def, &cause);
    if (body->body < 0) return tio_fail_because(check, object, &cause);
    return pin_softly(check, pull, body->file.mesh.nvertices, world, body->body);
}

/* What is shown is the simulated mesh itself, from where it starts. */
static bool show_itself(const tio_check *check, tt_scope *memory, const taut_world *world, taut_scene_body *body)
{
    const taut_mesh_file *file = &body->file;
    float *start = TT_TAKE(memory, float, 3 * file->mesh.nvertices);
    if (!start) return tt_no_memory(check->error);
    memcpy(start, taut_body_positions(world, body->body, NULL), 3 * (size_t)file->mesh.nvertices * sizeof *start);
    body->shown = (taut_cache_object){.name = body->name,
                                      .nvertices = file->mesh.nvertices,
                                      .rest = start,
                                      .npolygons = file->npolygons,
                                      .polygon_start = file->polygon_start,
                                      .polygon = file->polygon,
                                      .ntets = file->mesh.ntets,
                                      .tet = file->mesh.tet};
    return true;
}

static bool add_body(const tio_check *check, const tio_json *object, whole *w)
{
    static const tio_key keys[] = {
        {"name", TIO_VALUE, offsetof(body_text, name), {0, 0, false}, NULL, false},
        {"mesh", TIO_VALUE, offsetof(body_text, mesh), {0, 0, false}, NULL, true},
        {"transform", TIO_VALUE, offsetof(body_text, transform), {0, 0, false}, NULL, false},
        {"material", TIO_VALUE, offsetof(body_text, material), {0, 0, false}, NULL, false},
        {"pins", TIO_VALUE, offsetof(body_text, pins), {0, 0, false}, NULL, false},
        {"velocity", TIO_VECTOR, offsetof(body_text, velocity), {-TIO_MOST, TIO_MOST, false}, NULL, false},
        {"warp_axis", TIO_VECTOR, offsetof(body_text, warp_axis), {-TIO_MOST, TIO_MOST, false}, NULL, false},
    };
    taut_scene *scene = &w->scene;
    taut_scene_body *body = &scene->body[scene->nbodies];
    body_text text = {.name = NULL};
    if (!tio_read_object(check, object, keys, TIO_COUNT(keys), &text)) return false;
    if (text.name && !read_name(check, text.name, scene, &body->name)) return false;
    if (!text.name && !default_name(check, &w->memory, scene, object, &body->name)) return false;
    scene->nbodies++; /* from here on it is freed with the others */
    tt_scope moment;
    tt_scope_open(&moment, NULL);
    bool ok = build_body(check, object, &moment, scene->world, &text, body);
    tt_scope_close(&moment);
    return ok && show_itself(check, &w->memory, scene->world, body);
}

/* ---- Colliders ------------------------------------------------------------------------------ */

#define SHAPE {"shape", TIO_CHOICE, offsetof(taut_collider_def, shape), {0, 0, false}, "plane|sphere|capsule", true}
#define PLACE(name, member, required) \
    {name, TIO_VECTOR, offsetof(taut_collider_def, member), {-TIO_MOST, TIO_MOST, false}, NULL, required}
#define RADIUS {"radius", TIO_FLOAT, offsetof(taut_collider_def, radius), {0, TIO_MOST, true}, NULL, true}
#define FRICTION {"friction", TIO_FLOAT, offsetof(taut_collider_def, friction), {0, TIO_MOST, false}, NULL, false}

static bool read_collider(const tio_check *check, const tio_json *object, taut_collider_def *def)
{
    static const tio_key shape_key = SHAPE;
    static const tio_key plane[] = {SHAPE, PLACE("point", a, false), PLACE("normal", normal, false), FRICTION,
                                    PLACE("spin", spin, false)};
    static const tio_key sphere[] = {SHAPE, PLACE("center", a, true), RADIUS, FRICTION, PLACE("spin", spin, false)};
    static const tio_key capsule[] = {SHAPE,  PLACE("a", a, true), PLACE("b", b, true),
                                      RADIUS, FRICTION,            PLACE("spin", spin, false)};
    if (!tio_expect(check, object, TIO_JSON_OBJECT)) return false;
    const tio_json *shape = tio_json_member(object, "shape");
    if (!shape) return tio_fail_at(check, object, "has no \"shape\"");
    if (!tio_read_value(check, shape, &shape_key, &def->shape)) return false;
    switch (def->shape) {
    case TAUT_PLANE: return tio_read_object(check, object, plane, TIO_COUNT(plane), def);
    case TAUT_SPHERE: return tio_read_object(check, object, sphere, TIO_COUNT(sphere), def);
    default: return tio_read_object(check, object, capsule, TIO_COUNT(capsule), def);
    }
}

static bool add_collider(const tio_check *check, const tio_json *object, taut_world *world)
{
    taut_error cause;
    taut_collider_def def = taut_default_collider_def();
    if (!read_collider(check, object, &def)) return false;
    return taut_world_add_collider(world, &def, &cause) >= 0 || tio_fail_because(check, object, &cause);
}

/* ---- The scene ------------------------------------------------------------------------------ */

static bool build_scene(const tio_check *check, const tio_json *document, const taut_scene_options *options,
                        whole *w)
{
    settings s = {.world = taut_default_world_def(), .fps = 60, .frames = 300};
    taut_scene *scene = &w->scene;
    taut_error cause;
    if (!read_settings(check, document, &s)) return false;
    s.world.threads = options ? options->threads : 0;
    scene->fps = s.fps;
    scene->frames = s.frames;
    scene->world = taut_world_create(&s.world, &cause);
    if (!scene->world) return tio_fail_because(check, document, &cause);
    scene->body = TT_TAKE(&w->memory, taut_scene_body, s.bodies->count);
    if (!scene->body) return tt_no_memory(check->error);
    for (const tio_json *item = s.bodies->first; item; item = item->next)
        if (!add_body(check, item, w)) return false;
    for (const tio_json *item = s.colliders ? s.colliders->first : NULL; item; item = item->next)
        if (!add_collider(check, item, scene->world)) return false;
    return true;
}

taut_scene *taut_scene_parse(const char *name, const void *bytes, size_t size, const taut_scene_options *options,
                             taut_error *error)
{
    tt_scope memory;
    tt_clear(error);
    tt_scope_open(&memory, NULL);
    whole *w = TT_TAKE(&memory, whole, 1);
    if (!w) {
        tt_no_memory(error);
        return NULL;
    }
    w->memory = memory; /* moves into what it holds: from here on only this one is used */
    tio_check check = {name, error};
    const tio_json *document = tio_json_parse(&w->memory, name, bytes, size, error);
    if (document && build_scene(&check, document, options, w)) return &w->scene;
    taut_scene_free(&w->scene);
    return NULL;
}

taut_scene *taut_scene_load(const char *path, const taut_scene_options *options, taut_error *error)
{
    taut_bytes bytes;
    if (!taut_file_read(path, &bytes, error)) return NULL;
    taut_scene *scene = taut_scene_parse(path, bytes.data, bytes.size, options, error);
    taut_bytes_free(&bytes);
    return scene;
}

void taut_scene_free(taut_scene *scene)
{
    if (!scene) return;
    whole *w = (whole *)scene; /* the scene is its first member */
    taut_world_free(scene->world);
    for (int i = 0; i < scene->nbodies; i++) {
        taut_model_free(scene->body[i].model);
        taut_mesh_file_free(&scene->body[i].file);
    }
    tt_scope memory = w->memory; /* which holds the scene itself */
    tt_scope_close(&memory);
}
