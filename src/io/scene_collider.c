/* The colliders of a scene, at rest and moving. */
#include "base/error.h"
#include "io/scene.h"
#include "io/scene_follow.h"
#include "io/scene_mesh.h"

#include <stdlib.h>
#include <string.h>

/* A collider as written. */
typedef struct collider_text {
    taut_collider_def def;
    const char *name; /* for files that include this one */
    const tio_json *keys, *interpolation, *about, *rotation, *mesh, *points, *follow;
    double fps;
} collider_text;

#define SHAPES "plane|sphere|capsule|box|tapered|hull|mesh|field"
#define SHAPE {"shape", TIO_CHOICE, offsetof(collider_text, def.shape), {0, 0, false}, SHAPES, true}
#define PLACE(name, member, required) \
    {name, TIO_VECTOR, offsetof(collider_text, def.member), {-TIO_MOST, TIO_MOST, false}, NULL, required}
#define ANY(name) {#name, TIO_VALUE, offsetof(collider_text, name), {0, 0, false}, NULL, false}
#define LENGTH(name) {#name, TIO_FLOAT, offsetof(collider_text, def.name), {0, TIO_MOST, false}, NULL, true}
#define RADIUS {"radius", TIO_FLOAT, offsetof(collider_text, def.radius), {0, TIO_MOST, true}, NULL, true}
#define COMMON \
    SHAPE, {"name", TIO_STRING, offsetof(collider_text, name), {0, 0, false}, NULL, false}, \
    {"friction", TIO_FLOAT, offsetof(collider_text, def.friction), {0, TIO_MOST, false}, NULL, false}, \
    {"group", TIO_BITS, offsetof(collider_text, def.group), {0, 0, false}, NULL, false}, \
    {"mask", TIO_BITS, offsetof(collider_text, def.mask), {0, 0, false}, NULL, false}, \
    {"thickness", TIO_FLOAT, offsetof(collider_text, def.thickness), {0, TIO_MOST, false}, NULL, false}, \
    PLACE("spin", spin, false), PLACE("belt", belt, false), \
    {"keys", TIO_VALUE, offsetof(collider_text, keys), {0, 0, false}, NULL, false}, \
    {"interpolation", TIO_VALUE, offsetof(collider_text, interpolation), {0, 0, false}, NULL, false}, \
    {"about", TIO_VALUE, offsetof(collider_text, about), {0, 0, false}, NULL, false}

static bool read_text(const tio_check *check, const tio_json *object, collider_text *text)
{
    static const tio_key shape_key = SHAPE;
    static const tio_key plane[] = {COMMON, PLACE("point", a, false), PLACE("normal", normal, false)};
    static const tio_key sphere[] = {COMMON, PLACE("center", a, true), RADIUS};
    static const tio_key capsule[] = {COMMON, PLACE("a", a, true), PLACE("b", b, true), RADIUS};
    static const tio_key box[] = {COMMON, PLACE("center", a, true), ANY(rotation),
                                  {"size", TIO_VECTOR, offsetof(collider_text, def.size), {0, TIO_MOST, false}, NULL,
                                   true}};
    static const tio_key tapered[] = {COMMON, PLACE("a", a, true), PLACE("b", b, true), LENGTH(radius),
                                      LENGTH(radius_b)};
    static const tio_key hull[] = {COMMON, PLACE("position", a, false), ANY(rotation), ANY(mesh), ANY(points)};
    static const tio_key mesh[] = {COMMON, PLACE("position", a, false), ANY(rotation), ANY(mesh), ANY(follow),
                                   {"fps", TIO_DOUBLE, offsetof(collider_text, fps), TIO_FPS, NULL, false}};
    static const tio_key field[] = {
        COMMON, PLACE("position", a, false), ANY(rotation), ANY(mesh),
        {"cell", TIO_FLOAT, offsetof(collider_text, def.cell), {0, TIO_MOST, true}, NULL, false}};
    if (!tio_expect(check, object, TIO_JSON_OBJECT)) return false;
    const tio_json *shape = tio_json_member(object, "shape");
    if (!shape) return tio_fail_at(check, object, "has no \"shape\"");
    if (!tio_read_value(check, shape, &shape_key, &text->def.shape)) return false;
    switch (text->def.shape) {
    case TAUT_PLANE: return tio_read_object(check, object, plane, TIO_COUNT(plane), text);
    case TAUT_SPHERE: return tio_read_object(check, object, sphere, TIO_COUNT(sphere), text);
    case TAUT_CAPSULE: return tio_read_object(check, object, capsule, TIO_COUNT(capsule), text);
    case TAUT_BOX: return tio_read_object(check, object, box, TIO_COUNT(box), text);
    case TAUT_TAPERED: return tio_read_object(check, object, tapered, TIO_COUNT(tapered), text);
    case TAUT_HULL: return tio_read_object(check, object, hull, TIO_COUNT(hull), text);
    case TAUT_MESH: return tio_read_object(check, object, mesh, TIO_COUNT(mesh), text);
    default: return tio_read_object(check, object, field, TIO_COUNT(field), text);
    }
}

/* ---- Meshes ---- */

static bool read_points(const tio_check *check, const tio_json *array, taut_mesh *mesh)
{
    static const tio_key point = {.kind = TIO_VECTOR, .range = {-TIO_MOST, TIO_MOST, false}};
    float *next;
    if (!tio_expect(check, array, TIO_JSON_ARRAY)) return false;
    if (!taut_mesh_allocate(mesh, array->count, 0, 0, 0, false, false, check->error)) return false;
    next = mesh->x;
    for (const tio_json *item = array->first; item; item = item->next, next += 3)
        if (!tio_read_value(check, item, &point, next)) return false;
    return true;
}

/* Makes the hull of the points. Pictures show this mesh, and the world makes the collider of its corners. */
static bool make_hull(const tio_check *check, const tio_json *source, taut_mesh_file *file)
{
    taut_error cause;
    taut_mesh hull;
    if (!taut_mesh_hull(&hull, file->mesh.x, file->mesh.nvertices, &cause))
        return tio_fail_because(check, source, &cause);
    taut_mesh_file_free(file);
    *file = (taut_mesh_file){.mesh = hull};
    return true;
}

/* A solid counts by its surface. */
static bool read_triangles(const tio_check *check, const tio_json *item, const collider_text *text, float unit,
                           taut_mesh_file *file)
{
    if (!text->mesh) return tio_fail_at(check, item, "has no \"mesh\"");
    if (!tio_read_mesh(check, text->mesh, unit, file)) return false;
    taut_mesh *mesh = &file->mesh;
    if (mesh->ntris > 0 || mesh->ntets == 0) return true;
    free(mesh->tri);
    mesh->tri = taut_mesh_surface(mesh, &mesh->ntris, check->error);
    return mesh->tri;
}

static bool read_mesh(const tio_check *check, const tio_json *item, const collider_text *text, float unit,
                      taut_mesh_file *file)
{
    const tio_json *source = text->mesh ? text->mesh : text->points;
    if (text->def.shape >= TAUT_MESH) return read_triangles(check, item, text, unit, file);
    if (text->def.shape != TAUT_HULL) return true;
    if (!source || (text->mesh && text->points)) return tio_fail_at(check, item, "must have \"points\" or a \"mesh\"");
    bool read = text->mesh ? tio_read_mesh(check, source, unit, file) : read_points(check, source, &file->mesh);
    return read && make_hull(check, source, file);
}

/* ---- Motion ---- */

static bool read_follow(const tio_check *check, const tio_json *item, const collider_text *text, const tio_scene *scene,
                        tio_scene_collider *collider)
{
    const tio_json *fps = tio_json_member(item, "fps");
    if (fps && !text->follow) return tio_fail_at(check, fps, "means nothing without \"follow\"");
    if (!text->follow) return true;
    collider->follow_scale = scene->unit;
    if (!tio_read_follow(check, text->follow, text->fps, scene->scene.fps, &collider->follow, &collider->follow_rate))
        return false;
    int nvertices = collider->follow.nvertices, needed = collider->file.mesh.nvertices;
    return nvertices == needed ||
           tio_fail_at(check, text->follow, "has %d vertices, but the mesh has %d", nvertices, needed);
}

static bool has_points(taut_shape shape) { return shape >= TAUT_HULL; }

static bool read_motion(const tio_check *check, const collider_text *text, tio_scene_collider *collider)
{
    static const tio_key way_key = {.kind = TIO_CHOICE, .choices = TIO_INTERPOLATIONS};
    static const tio_key about_key = {.kind = TIO_VECTOR, .range = {-TIO_MOST, TIO_MOST, false}};
    int smooth = 0;
    float about[3];
    const taut_collider_def *def = &text->def;
    collider->start = *def;
    if (text->rotation && !tio_read_rotation(check, text->rotation, collider->start.rotation)) return false;
    collider->about = vec_of(def->a);
    if (def->shape == TAUT_CAPSULE || def->shape == TAUT_TAPERED)
        collider->about = vec_scale(vec_add(vec_of(def->a), vec_of(def->b)), 0.5);
    const tio_json *stray = text->keys ? NULL : text->interpolation ? text->interpolation : text->about;
    if (stray) return tio_fail_at(check, stray, "means nothing without \"keys\"");
    if (!text->keys) return true;
    if (text->interpolation && !tio_read_value(check, text->interpolation, &way_key, &smooth)) return false;
    if (text->about) {
        if (!tio_read_value(check, text->about, &about_key, about)) return false;
        collider->about = vec_of(about);
    }
    if (!tio_read_motion(check, text->keys, smooth == 1, &collider->motion)) return false;
    for (int i = 0; i < collider->motion.nkeys && has_points(def->shape); i++)
        if (collider->motion.key[i].pose.scale != 1)
            return tio_fail_at(check, text->keys, "must not scale a collider that is made of points");
    return true;
}

static void put(vec3 v, float out[3]) { out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z; }

taut_collider_def tio_collider_at(const tio_scene_collider *collider, double time)
{
    taut_collider_def def = collider->start;
    if (collider->file.mesh.nvertices) def.mesh = &collider->file.mesh;
    if (collider->follow.nframes) {
        tio_sample sample = tio_sample_at(&collider->follow, collider->follow_rate, time);
        for (size_t i = 0; i < 3 * (size_t)collider->follow.nvertices; i++)
            collider->file.mesh.x[i] = (float)(tio_sampled(&sample, i) * (double)collider->follow_scale);
    }
    if (!collider->motion.nkeys) return def;
    tio_pose pose = tio_motion_at(&collider->motion, time);
    put(tio_pose_apply(&pose, collider->about, vec_of(collider->start.a)), def.a);
    put(tio_pose_apply(&pose, collider->about, vec_of(collider->start.b)), def.b);
    put(tio_rotate(pose.rotation, vec_of(collider->start.normal)), def.normal);
    put(tio_rotate(pose.rotation, vec_of(collider->start.spin)), def.spin);
    put(tio_rotate(pose.rotation, vec_of(collider->start.belt)), def.belt);
    const float *r = collider->start.rotation;
    tio_quaternion q = {(double)r[0], (double)r[1], (double)r[2], (double)r[3]};
    q = tio_quaternion_multiply(pose.rotation, q);
    def.rotation[0] = (float)q.x, def.rotation[1] = (float)q.y, def.rotation[2] = (float)q.z;
    def.rotation[3] = (float)q.w;
    def.radius = (float)((double)def.radius * pose.scale);
    def.radius_b = (float)((double)def.radius_b * pose.scale);
    put(vec_scale(vec_of(collider->start.size), pose.scale), def.size);
    return def;
}

/* ---- The list ---- */

/* Notes a level plane, which pictures show as the ground. */
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
        tio_scene_collider *collider = &scene->collider[scene->ncolliders++];
        taut_error cause;
        *collider = (tio_scene_collider){.id = -1};
        if (!read_text(check, item, &text) || !read_motion(check, &text, collider) ||
            !read_mesh(check, item, &text, scene->unit, &collider->file) ||
            !read_follow(check, item, &text, scene, collider))
            return false;
        collider->name = text.name;
        taut_collider_def def = tio_collider_at(collider, 0);
        collider->id = taut_world_add_collider(scene->scene.world, &def, &cause);
        if (collider->id < 0) return tio_fail_because(check, item, &cause);
        note_ground(&def, &scene->scene);
    }
    return true;
}

int taut_scene_colliders(const taut_scene *scene) { return ((const tio_scene *)scene)->ncolliders; }

taut_collider_def taut_scene_collider(const taut_scene *scene, int index)
{
    return tio_collider_at(&((const tio_scene *)scene)->collider[index], scene->frame / scene->fps);
}
