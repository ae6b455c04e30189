/* From the text to the world: the document, the world's settings, then each body and collider in the file's order. */
#include "io/scene.h"
#include "base/error.h"
#include "base/hash.h"
#include "io/file.h"
#include "io/scene_include.h"
#include "io/scene_set.h"

#include <string.h>

typedef struct settings {
    taut_world_def world;
    double fps, origin[3];
    int frames, steps, unit;
    const tio_json *include, *wind, *solver, *bodies, *colliders, *attachments, *contacts, *output, *camera;
} settings;

/* Reads the settings. "include" has been followed already. */
static bool read_settings(const tio_check *check, const tio_json *document, settings *s)
{
    static const tio_key keys[] = {
        {"$schema", TIO_VALUE, offsetof(settings, include), {0, 0, false}, NULL, false},
        {"include", TIO_VALUE, offsetof(settings, include), {0, 0, false}, NULL, false},
        {"unit", TIO_CHOICE, offsetof(settings, unit), {0, 0, false}, TIO_UNITS, false},
        {"origin", TIO_PLACE, offsetof(settings, origin), {-1e9, 1e9, false}, NULL, false},
        {"gravity", TIO_VECTOR, offsetof(settings, world.gravity), TIO_RATE, NULL, false},
        {"wind", TIO_VALUE, offsetof(settings, wind), {0, 0, false}, NULL, false},
        {"air_density", TIO_FLOAT, offsetof(settings, world.air_density), {0, 1e6, false}, NULL, false},
        {"solver", TIO_VALUE, offsetof(settings, solver), {0, 0, false}, NULL, false},
        {"fps", TIO_DOUBLE, offsetof(settings, fps), TIO_FPS, NULL, false},
        {"frames", TIO_INT, offsetof(settings, frames), {1, 10000000, false}, NULL, false},
        {"output", TIO_VALUE, offsetof(settings, output), {0, 0, false}, NULL, false},
        {"camera", TIO_VALUE, offsetof(settings, camera), {0, 0, false}, NULL, false},
        {"bodies", TIO_VALUE, offsetof(settings, bodies), {0, 0, false}, NULL, true},
        {"colliders", TIO_VALUE, offsetof(settings, colliders), {0, 0, false}, NULL, false},
        {"attachments", TIO_VALUE, offsetof(settings, attachments), {0, 0, false}, NULL, false},
        {"contacts", TIO_VALUE, offsetof(settings, contacts), {0, 0, false}, NULL, false},
    };
    static const tio_key solver_keys[] = {
        {"substeps", TIO_INT, offsetof(settings, world.substeps), {1, 1000, false}, NULL, false},
        {"iterations", TIO_INT, offsetof(settings, world.iterations), {1, 1000, false}, NULL, false},
        {"stretch", TIO_FLOAT, offsetof(settings, world.stretch), {0, 1, false}, NULL, false},
        {"budget", TIO_INT, offsetof(settings, world.budget), {1, 1000, false}, NULL, false},
        {"steps", TIO_INT, offsetof(settings, steps), {1, 1000, false}, NULL, false},
    };
    if (!tio_read_object(check, document, keys, TIO_COUNT(keys), s)) return false;
    return !s->solver || tio_read_object(check, s->solver, solver_keys, TIO_COUNT(solver_keys), s);
}

static void put(vec3 v, float out[3]) { out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z; }

static bool create_world(const tio_check *check, const tio_json *document, const taut_scene_options *options,
                         settings *s, tio_scene *scene)
{
    taut_error cause;
    s->world.threads = options ? options->threads : 0;
    scene->air_density = s->world.air_density;
    if (s->wind) {
        if (!tio_read_wind(check, s->wind, &scene->wind)) return false;
        scene->windy = scene->wind.nkeys > 1 || scene->wind.gust > 0;
        put(tio_wind_at(&scene->wind, 0), s->world.wind);
    }
    scene->scene.world = taut_world_create(&s->world, &cause);
    return scene->scene.world || tio_fail_because(check, document, &cause);
}

static bool build_scene(const tio_check *check, const tio_json *document, const taut_scene_options *options,
                        tio_scene *scene)
{
    settings s = {.world = taut_default_world_def(), .fps = 60, .frames = 300, .steps = 1};
    if (!read_settings(check, document, &s) || !create_world(check, document, options, &s, scene)) return false;
    scene->scene.fps = s.fps;
    scene->scene.frames = s.frames;
    memcpy(scene->scene.origin, s.origin, sizeof s.origin);
    scene->scene.stretch = s.world.stretch;
    scene->scene.budget = s.world.budget;
    scene->scene.substeps = s.world.substeps;
    scene->scene.iterations = s.world.iterations;
    scene->scene.substep = 1 / (s.fps * s.steps * s.world.substeps);
    scene->steps = s.steps;
    scene->unit = tio_unit(s.unit);
    if (options) scene->options = *options;
    scene->scene.has_camera = s.camera != NULL;
    return (!s.camera || tio_read_camera(check, s.camera, &scene->scene.camera)) &&
           (!s.output || tio_read_output(check, s.output, &scene->scene)) && tio_add_bodies(check, s.bodies, scene) &&
           (!s.colliders || tio_add_colliders(check, s.colliders, scene)) &&
           (!s.attachments || tio_add_attachments(check, s.attachments, scene)) &&
           (!s.contacts || tio_add_contacts(check, s.contacts, scene));
}

static bool read_scene(const tio_check *check, const char *name, const void *bytes, size_t size,
                       const taut_scene_options *options, tio_scene *scene)
{
    tio_json *document = tio_scene_document(check, name, bytes, size);
    if (!document) return false;
    for (int i = 0; options && i < options->nsets; i++)
        if (!tio_apply_set(check, document, options->set[i])) return false;
    scene->scene.hash = tio_json_hash(TT_HASH_SEED, document);
    return build_scene(check, document, options, scene);
}

taut_scene *taut_scene_parse(const char *name, const void *bytes, size_t size, const taut_scene_options *options,
                             taut_error *error)
{
    tt_scope memory;
    tt_clear(error);
    tt_scope_open(&memory, NULL);
    tio_scene *scene = TT_TAKE(&memory, tio_scene, 1);
    if (!scene) {
        tt_no_memory(error);
        return NULL;
    }
    scene->memory = memory; /* the scope moves into the scene that lies in it; from here on only this copy is used */
    tio_check check = {error, &scene->memory, &scene->scene.input};
    if (read_scene(&check, name, bytes, size, options, scene)) return &scene->scene;
    taut_scene_free(&scene->scene);
    return NULL;
}

taut_scene *taut_scene_load(const char *path, const taut_scene_options *options, taut_error *error)
{
    taut_bytes bytes;
    if (!tio_file_read(path, TIO_JSON_SIZE, &bytes, error)) return NULL;
    taut_scene *scene = taut_scene_parse(path, bytes.data, bytes.size, options, error);
    taut_bytes_free(&bytes);
    return scene;
}

void taut_scene_free(taut_scene *scene)
{
    if (!scene) return;
    tio_scene *s = (tio_scene *)scene;
    taut_world_free(scene->world);
    for (int i = 0; i < scene->nbodies; i++) {
        tio_scene_part *part = &s->part[i];
        if (part->copy) continue;
        taut_model_free(scene->body[i].model);
        taut_mesh_file_free(&scene->body[i].file);
        taut_mesh_file_free(&part->drawn);
        taut_embedding_free(part->embedding);
        if (part->pins) tio_pins_free(part->pins);
    }
    for (int i = 0; i < s->ncolliders; i++) {
        taut_mesh_file_free(&s->collider[i].file);
        taut_animation_free(&s->collider[i].follow);
    }
    tt_scope memory = s->memory; /* a copy, because the scene itself lies in that memory */
    tt_scope_close(&memory);
}
