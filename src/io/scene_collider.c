/* The colliders of a scene, at rest and moving. */
#include "base/error.h"
#include "io/scene.h"

#include <string.h>

/* A collider as written. */
typedef struct collider_text {
    taut_collider_def def;
    const char *name; /* for files that include this one */
    const tio_json *keys, *interpolation, *about;
} collider_text;

#define SHAPE {"shape", TIO_CHOICE, offsetof(collider_text, def.shape), {0, 0, false}, "plane|sphere|capsule", true}
#define PLACE(name, member, required) \
    {name, TIO_VECTOR, offsetof(collider_text, def.member), {-TIO_MOST, TIO_MOST, false}, NULL, required}
#define RADIUS {"radius", TIO_FLOAT, offsetof(collider_text, def.radius), {0, TIO_MOST, true}, NULL, true}
#define COMMON \
    SHAPE, {"name", TIO_STRING, offsetof(collider_text, name), {0, 0, false}, NULL, false}, \
    {"friction", TIO_FLOAT, offsetof(collider_text, def.friction), {0, TIO_MOST, false}, NULL, false}, \
    {"group", TIO_BITS, offsetof(collider_text, def.group), {0, 0, false}, NULL, false}, \
    {"mask", TIO_BITS, offsetof(collider_text, def.mask), {0, 0, false}, NULL, false}, \
    PLACE("spin", spin, false), {"keys", TIO_VALUE, offsetof(collider_text, keys), {0, 0, false}, NULL, false}, \
    {"interpolation", TIO_VALUE, offsetof(collider_text, interpolation), {0, 0, false}, NULL, false}, \
    {"about", TIO_VALUE, offsetof(collider_text, about), {0, 0, false}, NULL, false}

static bool read_text(const tio_check *check, const tio_json *object, collider_text *text)
{
    static const tio_key shape_key = SHAPE;
    static const tio_key plane[] = {COMMON, PLACE("point", a, false), PLACE("normal", normal, false)};
    static const tio_key sphere[] = {COMMON, PLACE("center", a, true), RADIUS};
    static const tio_key capsule[] = {COMMON, PLACE("a", a, true), PLACE("b", b, true), RADIUS};
    if (!tio_expect(check, object, TIO_JSON_OBJECT)) return false;
    const tio_json *shape = tio_json_member(object, "shape");
    if (!shape) return tio_fail_at(check, object, "has no \"shape\"");
    if (!tio_read_value(check, shape, &shape_key, &text->def.shape)) return false;
    switch (text->def.shape) {
    case TAUT_PLANE: return tio_read_object(check, object, plane, TIO_COUNT(plane), text);
    case TAUT_SPHERE: return tio_read_object(check, object, sphere, TIO_COUNT(sphere), text);
    default: return tio_read_object(check, object, capsule, TIO_COUNT(capsule), text);
    }
}

/* ---- Motion ---- */

static bool read_motion(const tio_check *check, const collider_text *text, tio_scene_collider *collider)
{
    static const tio_key way_key = {.kind = TIO_CHOICE, .choices = TIO_INTERPOLATIONS};
    static const tio_key about_key = {.kind = TIO_VECTOR, .range = {-TIO_MOST, TIO_MOST, false}};
    int smooth = 0;
    float about[3];
    const taut_collider_def *def = &text->def;
    collider->start = *def;
    collider->about = vec_of(def->a);
    if (def->shape == TAUT_CAPSULE) collider->about = vec_scale(vec_add(vec_of(def->a), vec_of(def->b)), 0.5);
    const tio_json *stray = text->keys ? NULL : text->interpolation ? text->interpolation : text->about;
    if (stray) return tio_fail_at(check, stray, "means nothing without \"keys\"");
    if (!text->keys) return true;
    if (text->interpolation && !tio_read_value(check, text->interpolation, &way_key, &smooth)) return false;
    if (text->about) {
        if (!tio_read_value(check, text->about, &about_key, about)) return false;
        collider->about = vec_of(about);
    }
    return tio_read_motion(check, text->keys, smooth == 1, &collider->motion);
}

static void put(vec3 v, float out[3]) { out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z; }

taut_collider_def tio_collider_at(const tio_scene_collider *collider, double time)
{
    taut_collider_def def = collider->start;
    if (!collider->motion.nkeys) return def;
    tio_pose pose = tio_motion_at(&collider->motion, time);
    put(tio_pose_apply(&pose, collider->about, vec_of(collider->start.a)), def.a);
    put(tio_pose_apply(&pose, collider->about, vec_of(collider->start.b)), def.b);
    put(tio_rotate(pose.rotation, vec_of(collider->start.normal)), def.normal);
    put(tio_rotate(pose.rotation, vec_of(collider->start.spin)), def.spin);
    def.radius = (float)((double)def.radius * pose.scale);
    return def;
}

/* ---- The list ---- */

/* A level plane is what a picture shows as the ground. */
static void note_ground(const taut_collider_def *def, taut_scene *scene)
{
    bool level = def->shape == TAUT_PLANE && def->normal[1] > 0 && def->normal[0] == 0 && def->normal[2] == 0;
    if (!level || scene->ground) return;
    scene->ground = true;
    scene->ground_height = def->a[1];
}

bool tio_add_colliders(const tio_check *check, const tio_json *array, tio_scene *scene)
{
    if (!tio_expect(check, array, TIO_JSON_ARRAY)) return false;
    scene->collider = TT_TAKE(check->memory, tio_scene_collider, array->count);
    if (!scene->collider) return tt_no_memory(check->error);
    for (const tio_json *item = array->first; item; item = item->next) {
        collider_text text = {.def = taut_default_collider_def()};
        memcpy(text.def.origin, scene->scene.origin, sizeof text.def.origin);
        tio_scene_collider collider = {.id = -1};
        taut_error cause;
        if (!read_text(check, item, &text) || !read_motion(check, &text, &collider)) return false;
        collider.name = text.name;
        taut_collider_def def = tio_collider_at(&collider, 0);
        collider.id = taut_world_add_collider(scene->scene.world, &def, &cause);
        if (collider.id < 0) return tio_fail_because(check, item, &cause);
        note_ground(&def, &scene->scene);
        scene->collider[scene->ncolliders++] = collider;
    }
    return true;
}

int taut_scene_colliders(const taut_scene *scene) { return ((const tio_scene *)scene)->ncolliders; }

taut_collider_def taut_scene_collider(const taut_scene *scene, int index)
{
    return tio_collider_at(&((const tio_scene *)scene)->collider[index], scene->frame / scene->fps);
}
