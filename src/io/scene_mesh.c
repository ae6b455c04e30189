#include "io/scene_mesh.h"
#include "base/error.h"
#include "io/scene_include.h"

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

/* Each generator itself refuses counts and sizes that it cannot use. */
#define COUNT(name) {#name, TIO_INT, offsetof(arguments, name), {0, INT_MAX, false}, NULL, true}
#define SIZE(name) {#name, TIO_FLOAT, offsetof(arguments, name), {0, TIO_MOST, true}, NULL, true}
static const tio_key argument_keys[] = {
    COUNT(nx), COUNT(ny), COUNT(nz), COUNT(n), COUNT(around), COUNT(along), COUNT(rings), COUNT(levels),
    COUNT(segments), COUNT(seed), SIZE(width), SIZE(height), SIZE(length), SIZE(radius), SIZE(big_radius),
    SIZE(small_radius),
    {"jitter", TIO_FLOAT, offsetof(arguments, jitter), {0, 0.45, false}, NULL, true},
    {"size", TIO_VECTOR, offsetof(arguments, size), {0, TIO_MOST, true}, NULL, true},
};

#define GENERATORS "sheet|irregular|tube|sphere|beam|torus|strip|chain|branch|merge|fill"
enum { SHEET, IRREGULAR, TUBE, SPHERE, BEAM, TORUS, STRIP, CHAIN, BRANCH, MERGE, FILL, MOST_ARGUMENTS = 7 };
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

/* Collects the keys of one generator, which its list names. */
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

bool tio_fill_polygons(taut_mesh_file *file)
{
    size_t n = (size_t)file->mesh.ntris;
    if (n == 0) return true;
    file->polygon_start = malloc((n + 1) * sizeof *file->polygon_start);
    file->polygon = malloc(3 * n * sizeof *file->polygon);
    if (!file->polygon_start || !file->polygon) return false;
    for (size_t i = 0; i <= n; i++) file->polygon_start[i] = (int)(3 * i);
    memcpy(file->polygon, file->mesh.tri, 3 * n * sizeof *file->polygon);
    file->npolygons = file->mesh.ntris;
    if (!file->mesh.uv) return true;
    file->polygon_uv = malloc(6 * n * sizeof *file->polygon_uv);
    if (file->polygon_uv) memcpy(file->polygon_uv, file->mesh.uv, 6 * n * sizeof *file->polygon_uv);
    return file->polygon_uv != NULL;
}

static bool read_generator(const tio_check *check, const tio_json *object, float unit, taut_mesh_file *file)
{
    tio_key keys[MOST_ARGUMENTS];
    arguments a = {.generator = 0};
    taut_error cause;
    const tio_json *name = tio_json_member(object, "generator");
    if (!name) return tio_fail_at(check, object, "has no \"generator\"");
    if (!tio_read_value(check, name, &generator_key, &a.generator)) return false;
    if (a.generator == MERGE) return tio_read_merged(check, object, unit, file);
    if (a.generator == FILL) return tio_read_filled(check, object, unit, file);
    int nkeys = collect_keys(a.generator, keys);
    if (!tio_read_object(check, object, keys, nkeys, &a)) return false;
    if (!generate(&a, &file->mesh, &cause)) {
        memset(file, 0, sizeof *file);
        return tio_fail_because(check, object, &cause);
    }
    if (tio_fill_polygons(file)) return true;
    taut_mesh_file_free(file);
    return tt_no_memory(check->error);
}

void tio_scale_mesh(taut_mesh *mesh, float scale)
{
    for (size_t i = 0; i < 3 * (size_t)mesh->nvertices; i++) mesh->x[i] *= scale;
}

/* ---- Files ---------------------------------------------------------------------------------- */

static bool load(const tio_check *check, const tio_json *value, float unit, taut_mesh_file *file)
{
    const char *path = tio_file_beside(check, value);
    taut_error cause;
    if (!path) return false;
    if (!taut_mesh_load(path, file, &cause)) {
        memset(file, 0, sizeof *file);
        return tio_fail_because(check, value, &cause);
    }
    tio_scale_mesh(&file->mesh, unit);
    return true;
}

bool tio_read_mesh(const tio_check *check, const tio_json *value, float unit, taut_mesh_file *file)
{
    memset(file, 0, sizeof *file);
    if (value->type == TIO_JSON_STRING) return load(check, value, unit, file);
    if (value->type == TIO_JSON_OBJECT) return read_generator(check, value, unit, file);
    return tio_fail_at(check, value, "must be a file's name or an object with a generator, got %s",
                       tio_json_type_name(value->type));
}
