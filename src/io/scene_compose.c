/* Meshes made of other meshes: several parts joined to one, and a surface filled with tets. */
#include "base/error.h"
#include "io/scene_mesh.h"
#include "io/scene_weld.h"

#include <stdlib.h>
#include <string.h>

/* ---- Parts ---------------------------------------------------------------------------------- */

typedef struct part {
    taut_mesh_file file;
    tio_transform transform;
    const char *name; /* of the group of all its vertices; NULL: none */
    int first;        /* its first vertex among all, before welding   */
} part;

typedef struct merger {
    tt_scope memory;
    int nparts;
    part *part;
    int nvertices; /* before welding */
    float *xyz;    /* of all, placed */
    int *number;   /* of all, after welding */
} merger;

static bool read_part(const tio_check *check, const tio_json *object, float unit, part *p)
{
    struct text {
        const char *name;
        const tio_json *mesh, *transform;
    } text = {NULL, NULL, NULL};
    const tio_key keys[] = {
        {"name", TIO_STRING, offsetof(struct text, name), TIO_ANY, NULL, false},
        {"mesh", TIO_VALUE, offsetof(struct text, mesh), TIO_ANY, NULL, true},
        {"transform", TIO_VALUE, offsetof(struct text, transform), TIO_ANY, NULL, false},
    };
    if (!tio_read_object(check, object, keys, TIO_COUNT(keys), &text)) return false;
    p->name = text.name;
    p->transform = TIO_NO_TRANSFORM;
    return (!text.transform || tio_read_transform(check, text.transform, &p->transform)) &&
           tio_read_mesh(check, text.mesh, unit, &p->file);
}

static bool read_parts(const tio_check *check, const tio_json *parts, float unit, merger *m)
{
    if (!tio_expect(check, parts, TIO_JSON_ARRAY)) return false;
    if (parts->count == 0) return tio_fail_at(check, parts, "must have at least one part");
    m->part = TT_TAKE(&m->memory, part, parts->count);
    if (!m->part) return tt_no_memory(check->error);
    int64_t total = 0;
    for (const tio_json *item = parts->first; item; item = item->next) {
        part *p = &m->part[m->nparts];
        if (!read_part(check, item, unit, p)) return false;
        m->nparts++; /* from here on the part is freed with the merger */
        p->first = (int)total;
        total += p->file.mesh.nvertices;
        if (total > INT32_MAX / 3) return tio_fail_at(check, parts, "have too many vertices");
    }
    m->nvertices = (int)total;
    return true;
}

/* ---- Joining -------------------------------------------------------------------------------- */

static double extent(const merger *m)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, largest = 0;
    for (int v = 0; v < m->nvertices; v++)
        for (int i = 0; i < 3; i++) {
            double x = m->xyz[3 * (size_t)v + (size_t)i];
            if (x < low[i]) low[i] = x;
            if (x > high[i]) high[i] = x;
        }
    for (int i = 0; i < 3; i++)
        if (high[i] - low[i] > largest) largest = high[i] - low[i];
    return largest;
}

/* Places all vertices and welds them; returns how many are left, -1 when memory ran out. */
static int place_and_weld(merger *m, double weld)
{
    int *owner = TT_TAKE(&m->memory, int, m->nvertices);
    m->xyz = TT_TAKE(&m->memory, float, 3 * (size_t)m->nvertices);
    m->number = TT_TAKE(&m->memory, int, m->nvertices);
    if (!owner || !m->xyz || !m->number) return -1;
    for (int i = 0; i < m->nparts; i++) {
        const part *p = &m->part[i];
        for (int v = 0; v < p->file.mesh.nvertices; v++) {
            float scaled[3];
            for (int c = 0; c < 3; c++) scaled[c] = p->file.mesh.x[3 * (size_t)v + (size_t)c] * p->transform.scale;
            tio_place(&p->transform, scaled, &m->xyz[3 * (size_t)(p->first + v)]);
            owner[p->first + v] = i;
        }
    }
    if (weld < 0) weld = 1e-5 * extent(m);
    return tio_weld(m->xyz, owner, m->nvertices, weld, m->number);
}

/* Renumbers vertices of a part. `to` may be NULL when `count` is 0. */
static void renumber(const merger *m, const part *p, const int *from, int count, int *to, int first)
{
    for (int i = 0; i < count; i++) to[first + i] = m->number[p->first + from[i]];
}

/* The axes of tets turn with their part. Tets without axes get those of the part. */
static void turn_frames(const part *p, float *frame)
{
    static const float upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    tio_quaternion q = tio_transform_rotation(&p->transform);
    for (int t = 0; t < p->file.mesh.ntets; t++, frame += 9) {
        const float *from = p->file.mesh.frame ? &p->file.mesh.frame[9 * (size_t)t] : upright;
        for (int axis = 0; axis < 3; axis++) {
            vec3 turned = tio_rotate(q, vec_of(from + 3 * axis));
            frame[3 * axis] = (float)turned.x;
            frame[3 * axis + 1] = (float)turned.y;
            frame[3 * axis + 2] = (float)turned.z;
        }
    }
}

static void copy_elements(const merger *m, taut_mesh *mesh)
{
    int tris = 0, tets = 0, lines = 0;
    for (int v = m->nvertices - 1; v >= 0; v--) /* downward, so that the first of several welded vertices stays */
        memcpy(&mesh->x[3 * (size_t)m->number[v]], &m->xyz[3 * (size_t)v], 3 * sizeof *mesh->x);
    for (int i = 0; i < m->nparts; i++) {
        const part *p = &m->part[i];
        const taut_mesh *from = &p->file.mesh;
        renumber(m, p, from->tri, 3 * from->ntris, mesh->tri, 3 * tris);
        renumber(m, p, from->tet, 4 * from->ntets, mesh->tet, 4 * tets);
        renumber(m, p, from->line, 2 * from->nlines, mesh->line, 2 * lines);
        if (from->uv) memcpy(&mesh->uv[6 * (size_t)tris], from->uv, 6 * (size_t)from->ntris * sizeof *from->uv);
        if (mesh->frame) turn_frames(p, &mesh->frame[9 * (size_t)tets]);
        tris += from->ntris, tets += from->ntets, lines += from->nlines;
    }
}

/* ---- Faces and groups ----------------------------------------------------------------------- */

static bool copy_polygons(const merger *m, taut_mesh_file *file)
{
    int polygons = 0, corners = 0;
    bool has_uv = false;
    for (int i = 0; i < m->nparts; i++) {
        const taut_mesh_file *from = &m->part[i].file;
        polygons += from->npolygons;
        has_uv = has_uv || from->polygon_uv;
        if (from->npolygons) corners += from->polygon_start[from->npolygons];
    }
    if (polygons == 0) return true;
    file->polygon_start = malloc(((size_t)polygons + 1) * sizeof *file->polygon_start);
    file->polygon = malloc((size_t)corners * sizeof *file->polygon);
    if (has_uv) file->polygon_uv = calloc(2 * (size_t)corners, sizeof *file->polygon_uv);
    if (!file->polygon_start || !file->polygon || (has_uv && !file->polygon_uv)) return false;
    corners = 0;
    for (int i = 0; i < m->nparts; i++) {
        const taut_mesh_file *from = &m->part[i].file;
        if (!from->npolygons) continue;
        for (int k = 0; k < from->npolygons; k++)
            file->polygon_start[file->npolygons++] = corners + from->polygon_start[k];
        int own = from->polygon_start[from->npolygons];
        renumber(m, &m->part[i], from->polygon, own, file->polygon, corners);
        if (from->polygon_uv)
            memcpy(&file->polygon_uv[2 * (size_t)corners], from->polygon_uv, 2 * (size_t)own * sizeof(float));
        corners += own;
    }
    file->polygon_start[file->npolygons] = corners;
    return true;
}

static int compare_ints(const void *a, const void *b)
{
    int p = *(const int *)a, q = *(const int *)b;
    return p < q ? -1 : p > q;
}

/* Adds a group of vertices; `vertex` NULL: all vertices of the part. */
static bool add_group(const merger *m, const part *p, const char *name, const int *vertex, int count,
                      taut_mesh_file *file)
{
    taut_vertex_group *group = &file->group[file->ngroups++];
    size_t length = strlen(name) + 1;
    group->name = malloc(length);
    group->vertex = malloc(((size_t)count + 1) * sizeof *group->vertex);
    if (!group->name || !group->vertex) return false;
    memcpy(group->name, name, length);
    group->nvertices = count;
    for (int i = 0; i < count; i++) group->vertex[i] = m->number[p->first + (vertex ? vertex[i] : i)];
    qsort(group->vertex, (size_t)count, sizeof *group->vertex, compare_ints);
    return true;
}

static bool copy_groups(const merger *m, taut_mesh_file *file)
{
    size_t count = 0;
    for (int i = 0; i < m->nparts; i++) count += (size_t)m->part[i].file.ngroups + (m->part[i].name != NULL);
    file->group = calloc(count + 1, sizeof *file->group);
    if (!file->group) return false;
    for (int i = 0; i < m->nparts; i++) {
        const part *p = &m->part[i];
        if (p->name && !add_group(m, p, p->name, NULL, p->file.mesh.nvertices, file)) return false;
        for (int k = 0; k < p->file.ngroups; k++) {
            const taut_vertex_group *group = &p->file.group[k];
            if (!add_group(m, p, group->name, group->vertex, group->nvertices, file)) return false;
        }
    }
    return true;
}

static bool join(const tio_check *check, const tio_json *object, merger *m, double weld, taut_mesh_file *file)
{
    int64_t tris = 0, tets = 0, lines = 0;
    bool uv = false, frame = false;
    taut_error cause;
    for (int i = 0; i < m->nparts; i++) {
        const taut_mesh *from = &m->part[i].file.mesh;
        tris += from->ntris, tets += from->ntets, lines += from->nlines;
        uv = uv || from->uv, frame = frame || from->frame;
    }
    int nvertices = place_and_weld(m, weld);
    if (nvertices < 0) return tt_no_memory(check->error);
    if (!taut_mesh_allocate(&file->mesh, nvertices, tris, tets, lines, uv, frame, &cause))
        return tio_fail_because(check, object, &cause);
    copy_elements(m, &file->mesh);
    if (!copy_polygons(m, file) || !copy_groups(m, file)) return tt_no_memory(check->error);
    /* The check may fail, because a welding distance above the size of an element collapses that element. */
    return taut_mesh_check(&file->mesh, &cause) || tio_fail_because(check, object, &cause);
}

typedef struct merge_text {
    const char *generator;
    const tio_json *parts;
    double weld;
} merge_text;

bool tio_read_merged(const tio_check *check, const tio_json *object, float unit, taut_mesh_file *file)
{
    static const tio_key keys[] = {
        {"generator", TIO_STRING, offsetof(merge_text, generator), {0, 0, false}, NULL, true},
        {"parts", TIO_VALUE, offsetof(merge_text, parts), {0, 0, false}, NULL, true},
        {"weld", TIO_DOUBLE, offsetof(merge_text, weld), {0, TIO_MOST, false}, NULL, false},
    };
    merge_text text = {.weld = -1};
    merger m = {.nparts = 0};
    if (!tio_read_object(check, object, keys, TIO_COUNT(keys), &text)) return false;
    tt_scope_open(&m.memory, NULL);
    bool ok = read_parts(check, text.parts, unit, &m) && join(check, object, &m, text.weld, file);
    for (int i = 0; i < m.nparts; i++) taut_mesh_file_free(&m.part[i].file);
    tt_scope_close(&m.memory);
    if (!ok) taut_mesh_file_free(file);
    return ok;
}

/* ---- Filling -------------------------------------------------------------------------------- */

typedef struct fill_text {
    const char *generator;
    const tio_json *surface;
    float cell;
} fill_text;

bool tio_read_filled(const tio_check *check, const tio_json *object, float unit, taut_mesh_file *file)
{
    static const tio_key keys[] = {
        {"generator", TIO_STRING, offsetof(fill_text, generator), {0, 0, false}, NULL, true},
        {"surface", TIO_VALUE, offsetof(fill_text, surface), {0, 0, false}, NULL, true},
        {"cell", TIO_FLOAT, offsetof(fill_text, cell), {0, TIO_MOST, false}, NULL, false},
    };
    fill_text text = {.cell = 0};
    taut_mesh_file surface;
    taut_error cause;
    if (!tio_read_object(check, object, keys, TIO_COUNT(keys), &text)) return false;
    if (!tio_read_mesh(check, text.surface, unit, &surface)) return false;
    bool ok = taut_mesh_fill(&surface.mesh, text.cell, &file->mesh, &cause);
    taut_mesh_file_free(&surface);
    if (ok) return true;
    memset(file, 0, sizeof *file);
    return tio_fail_because(check, object, &cause);
}
