#include "io/scene_mesh.h"
#include "base/error.h"
#include "base/exact.h"
#include "base/vec.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Generators ----------------------------------------------------------------------------- */

/* The arguments of all generators; each uses some. */
typedef struct arguments {
    int generator;
    int nx, ny, nz, n, around, along, rings, levels, segments, seed;
    float width, height, length, radius, big_radius, small_radius, jitter, size[3];
} arguments;

/* Counts and sizes that a generator cannot do with are refused by itself. */
#define COUNT(name) {#name, TIO_INT, offsetof(arguments, name), {0, INT_MAX, false}, NULL, true}
#define SIZE(name) {#name, TIO_FLOAT, offsetof(arguments, name), {0, TIO_MOST, true}, NULL, true}
static const tio_key argument_keys[] = {
    COUNT(nx), COUNT(ny), COUNT(nz), COUNT(n), COUNT(around), COUNT(along), COUNT(rings), COUNT(levels),
    COUNT(segments), COUNT(seed), SIZE(width), SIZE(height), SIZE(length), SIZE(radius), SIZE(big_radius),
    SIZE(small_radius),
    {"jitter", TIO_FLOAT, offsetof(arguments, jitter), {0, 0.45, false}, NULL, true},
    {"size", TIO_VECTOR, offsetof(arguments, size), {0, TIO_MOST, true}, NULL, true},
};

#define GENERATORS "sheet|irregular|tube|sphere|beam|torus|strip|chain|branch"
enum { SHEET, IRREGULAR, TUBE, SPHERE, BEAM, TORUS, STRIP, CHAIN, BRANCH, MOST_ARGUMENTS = 7 };
static const char *const generator_arguments[] = {
    [SHEET] = "|nx|ny|width|height|",
    [IRREGULAR] = "|nx|ny|width|height|jitter|seed|",
    [TUBE] = "|around|along|radius|length|",
    [SPHERE] = "|levels|radius|",
    [BEAM] = "|nx|ny|nz|size|",
    [TORUS] = "|around|rings|big_radius|small_radius|",
    [STRIP] = "|n|length|width|",
    [CHAIN] = "|n|length|",
    [BRANCH] = "|segments|levels|length|",
};
static const tio_key generator_key = {"generator",  TIO_CHOICE, offsetof(arguments, generator), {0, 0, false},
                                      GENERATORS, true};

/* The keys of one generator: all that its list names. */
static int collect_keys(int generator, tio_key keys[MOST_ARGUMENTS])
{
    int n = 0;
    keys[n++] = generator_key;
    for (int i = 0; i < TIO_COUNT(argument_keys); i++) {
        char word[32];
        snprintf(word, sizeof word, "|%s|", argument_keys[i].name);
        if (strstr(generator_arguments[generator], word) && n < MOST_ARGUMENTS) keys[n++] = argument_keys[i];
    }
    return n;
}

static bool generate(const arguments *a, taut_mesh *mesh, taut_error *error)
{
    switch (a->generator) {
    case SHEET: return taut_mesh_sheet(mesh, a->nx, a->ny, a->width, a->height, error);
    case IRREGULAR:
        return taut_mesh_sheet_irregular(mesh, a->nx, a->ny, a->width, a->height, a->jitter, (uint32_t)a->seed, error);
    case TUBE: return taut_mesh_tube(mesh, a->around, a->along, a->radius, a->length, error);
    case SPHERE: return taut_mesh_sphere(mesh, a->levels, a->radius, error);
    case BEAM: return taut_mesh_beam(mesh, a->nx, a->ny, a->nz, a->size[0], a->size[1], a->size[2], error);
    case TORUS: return taut_mesh_torus(mesh, a->around, a->rings, a->big_radius, a->small_radius, error);
    case STRIP: return taut_mesh_strip(mesh, a->n, a->length, a->width, error);
    case CHAIN: return taut_mesh_chain(mesh, a->n, a->length, error);
    default: return taut_mesh_branch(mesh, a->segments, a->levels, a->length, error);
    }
}

/* Faces of a generated mesh are its triangles. */
static bool fill_polygons(taut_mesh_file *file)
{
    size_t n = (size_t)file->mesh.ntris;
    if (n == 0) return true;
    file->polygon_start = malloc((n + 1) * sizeof *file->polygon_start);
    file->polygon = malloc(3 * n * sizeof *file->polygon);
    if (!file->polygon_start || !file->polygon) return false;
    for (size_t i = 0; i <= n; i++) file->polygon_start[i] = (int)(3 * i);
    memcpy(file->polygon, file->mesh.tri, 3 * n * sizeof *file->polygon);
    file->npolygons = file->mesh.ntris;
    return true;
}

static bool read_generator(const tio_check *check, const tio_json *object, taut_mesh_file *file)
{
    tio_key keys[MOST_ARGUMENTS];
    arguments a = {.generator = 0};
    taut_error cause;
    const tio_json *name = tio_json_member(object, "generator");
    if (!name) return tio_fail_at(check, object, "has no \"generator\"");
    if (!tio_read_value(check, name, &generator_key, &a.generator)) return false;
    int nkeys = collect_keys(a.generator, keys);
    if (!tio_read_object(check, object, keys, nkeys, &a)) return false;
    if (!generate(&a, &file->mesh, &cause)) {
        memset(file, 0, sizeof *file);
        return tio_fail_because(check, object, &cause);
    }
    if (fill_polygons(file)) return true;
    taut_mesh_file_free(file);
    memset(file, 0, sizeof *file);
    return tt_no_memory(check->error);
}

/* ---- Files ---------------------------------------------------------------------------------- */

/* A path that is not absolute begins in the folder of the scene. */
static bool load(const tio_check *check, const tio_json *value, tt_scope *scope, taut_mesh_file *file)
{
    const char *slash = strrchr(check->name, '/');
    size_t folder = slash && value->string[0] != '/' ? (size_t)(slash - check->name) + 1 : 0;
    char *path = TT_TAKE(scope, char, folder + (size_t)value->count + 1);
    taut_error cause;
    if (!path) return tt_no_memory(check->error);
    memcpy(path, check->name, folder);
    memcpy(path + folder, value->string, (size_t)value->count + 1);
    if (taut_mesh_load(path, file, &cause)) return true;
    memset(file, 0, sizeof *file);
    return tio_fail_because(check, value, &cause);
}

bool tio_read_mesh(const tio_check *check, const tio_json *value, tt_scope *scope, taut_mesh_file *file)
{
    memset(file, 0, sizeof *file);
    if (value->type == TIO_JSON_STRING) return load(check, value, scope, file);
    if (value->type == TIO_JSON_OBJECT) return read_generator(check, value, file);
    return tio_fail_at(check, value, "must be a file's name or an object with a generator, got %s",
                       tio_json_type_name(value->type));
}

/* ---- Transforms ----------------------------------------------------------------------------- */

typedef struct quaternion {
    double x, y, z, w;
} quaternion;

/* First b, then a. */
static quaternion multiply(quaternion a, quaternion b)
{
    return (quaternion){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static quaternion turn(double x, double y, double z, double degrees)
{
    double half = degrees * (TT_PI / 360), s = tt_sin(half);
    return (quaternion){x * s, y * s, z * s, tt_cos(half)};
}

static bool read_rotation(const tio_check *check, const tio_json *value, float rotation[4])
{
    static const tio_key angle = {.kind = TIO_DOUBLE, .range = {-1e6, 1e6, false}};
    double number[4];
    if (value->type != TIO_JSON_ARRAY || (value->count != 3 && value->count != 4))
        return tio_fail_at(check, value, "must be 3 angles in degrees or 4 numbers of a quaternion");
    const tio_json *item = value->first;
    for (int i = 0; i < value->count; i++, item = item->next)
        if (!tio_read_value(check, item, &angle, &number[i])) return false;
    quaternion q;
    if (value->count == 4) {
        q = (quaternion){number[0], number[1], number[2], number[3]};
    } else {
        quaternion xy = multiply(turn(0, 1, 0, number[1]), turn(1, 0, 0, number[0]));
        q = multiply(turn(0, 0, 1, number[2]), xy);
    }
    double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(length > 0)) return tio_fail_at(check, value, "must not be zero");
    rotation[0] = (float)(q.x / length), rotation[1] = (float)(q.y / length);
    rotation[2] = (float)(q.z / length), rotation[3] = (float)(q.w / length);
    return true;
}

bool tio_read_transform(const tio_check *check, const tio_json *object, tio_transform *transform)
{
    struct parts {
        tio_transform transform;
        const tio_json *rotation;
    } read = {*transform, NULL};
    const tio_key keys[] = {
        {"position", TIO_VECTOR, offsetof(struct parts, transform.position), TIO_ANY, NULL, false},
        {"rotation", TIO_VALUE, offsetof(struct parts, rotation), TIO_ANY, NULL, false},
        {"scale", TIO_FLOAT, offsetof(struct parts, transform.scale), TIO_POSITIVE, NULL, false},
    };
    if (!tio_read_object(check, object, keys, TIO_COUNT(keys), &read)) return false;
    if (read.rotation && !read_rotation(check, read.rotation, read.transform.rotation)) return false;
    *transform = read.transform;
    return true;
}

void tio_place(const tio_transform *transform, const float x[3], float out[3])
{
    const float *r = transform->rotation;
    vec3 axis = vec_of(r), p = vec_of(x);
    vec3 t = vec_scale(vec_cross(axis, p), 2);
    p = vec_add(vec_add(p, vec_scale(t, r[3])), vec_cross(axis, t));
    out[0] = (float)(p.x + (double)transform->position[0]);
    out[1] = (float)(p.y + (double)transform->position[1]);
    out[2] = (float)(p.z + (double)transform->position[2]);
}
