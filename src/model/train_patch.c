/* Patches of a mesh, for training.
 *
 * A patch consists of the vertices over a coarse triangle (or over both triangles of a hinge) and the ring of vertices
 * around them. The rest of the mesh is missing, so the patch can do whatever the whole mesh can do within its limits.
 *
 * Sixteen searches run on one patch at the same time: a block of the kernels is one element, and its lanes are the same
 * element in each search. */
#include "base/divisor.h"
#include "model/train.h"

#include <string.h>

/* ---- Ground ------------------------------------------------------------------------------------------------------ */

/* Lists elements by their first particle. */
static bool sort_elements(tt_scope *scope, const tt_maker *maker, int nvertices, tt_train_kind *k)
{
    size_t slots = (size_t)maker->kind->particles;
    k->particle = maker->particle;
    k->data = maker->data;
    k->start = TT_TAKE(scope, int, (size_t)nvertices + 2);
    k->element = TT_TAKE(scope, int, maker->count);
    if (!k->start || !k->element) return false;
    for (int i = 0; i < maker->count; i++) k->start[maker->particle[(size_t)i * slots] + 2]++;
    for (int v = 0; v < nvertices; v++) k->start[v + 2] += k->start[v + 1];
    for (int i = 0; i < maker->count; i++) k->element[k->start[maker->particle[(size_t)i * slots] + 1]++] = i;
    return true;
}

bool tt_ground_build(tt_scope *scope, const tt_kind *const *kinds, const tt_maker *like, const taut_mesh *mesh,
                     tt_ground *ground)
{
    const int bend = taut_kind_find("limit_bend");
    *ground = (tt_ground){.mesh = mesh};
    if (!tt_topology_build(scope, mesh, &ground->topology)) return false;
    for (int kind = 0; kind < TT_KINDS; kind++) {
        tt_maker maker = *like;
        maker.mesh = mesh;
        maker.topology = &ground->topology;
        maker.scope = scope;
        maker.kind = kinds[kind];
        if (!maker.kind->limit) continue;
        if (!maker.kind->create(&maker)) return false;
        if (maker.count == 0) continue;
        tt_train_kind *k = &ground->kind[ground->nkinds++];
        *k = (tt_train_kind){.kind = maker.kind, .own = kind == bend ? 3 : maker.kind->particles};
        tt_tuning_prepare(maker.kind, like->material, 1, 1, &k->tuning);
        if (!sort_elements(scope, &maker, mesh->nvertices, k)) return false;
    }
    return true;
}

/* ---- Cover ------------------------------------------------------------------------------------------------------- */

/* Lists vertex v of the ground with each coarse triangle under it: those that have all coarse vertices on which v
 * rides. Without a list it only counts. */
static void over_triangles(const tt_cover *cover, const int *first, const int *incident, const tt_transfer *up, int v,
                           int *count, int *list)
{
    const int *index = up->index[v];
    const float *weight = up->weight[v];
    int lead = 0;
    while (lead < 3 && !(weight[lead] > 0)) lead++;
    if (lead == 3) return;
    for (int i = first[index[lead]]; i < first[index[lead] + 1]; i++) {
        const int *t = &cover->mesh->tri[3 * (size_t)incident[i]];
        bool all = true;
        for (int k = lead + 1; k < 3; k++)
            all = all && (!(weight[k] > 0) || index[k] == t[0] || index[k] == t[1] || index[k] == t[2]);
        if (!all) continue;
        if (list) list[count[incident[i]]++] = v;
        else count[incident[i] + 1]++;
    }
}

static bool list_incident(tt_scope *scope, const taut_mesh *mesh, int **first, int **incident)
{
    size_t corners = 3 * (size_t)mesh->ntris;
    int *start = TT_TAKE(scope, int, (size_t)mesh->nvertices + 2), *list = TT_TAKE(scope, int, corners);
    if (!start || !list) return false;
    for (size_t i = 0; i < corners; i++) start[mesh->tri[i] + 2]++;
    for (int v = 0; v < mesh->nvertices; v++) start[v + 2] += start[v + 1];
    for (size_t i = 0; i < corners; i++) list[start[mesh->tri[i] + 1]++] = (int)(i / 3);
    *first = start, *incident = list;
    return true;
}

bool tt_cover_build(tt_scope *scope, const taut_mesh *mesh, const int *origin, const tt_ground *ground,
                    tt_cover *cover)
{
    tt_transfer up;
    int *first, *incident, n = ground->mesh->nvertices;
    *cover = (tt_cover){.mesh = mesh, .origin = origin};
    if (!tt_topology_build(scope, mesh, &cover->topology) || !list_incident(scope, mesh, &first, &incident) ||
        !tt_transfer_build(scope, mesh, ground->mesh, (tt_transfer_options){.origin = origin}, &up))
        return false;
    int *start = TT_TAKE(scope, int, (size_t)mesh->ntris + 1), *at = TT_TAKE(scope, int, (size_t)mesh->ntris + 1);
    if (!start || !at) return false;
    for (int v = 0; v < n; v++) over_triangles(cover, first, incident, &up, v, start, NULL);
    for (int t = 0; t < mesh->ntris; t++) start[t + 1] += start[t];
    memcpy(at, start, ((size_t)mesh->ntris + 1) * sizeof *at);
    cover->start = start;
    cover->near = TT_TAKE(scope, int, start[mesh->ntris]);
    if (!cover->near) return false;
    for (int v = 0; v < n; v++) over_triangles(cover, first, incident, &up, v, at, cover->near);
    return true;
}

/* ---- Cutting ----------------------------------------------------------------------------------------------------- */

static void add_vertex(tt_patch *patch, int v)
{
    if (patch->local[v]) return;
    patch->vertex[patch->nvertices++] = v;
    patch->local[v] = patch->nvertices;
}

static void list_vertices(tt_patch *patch, const tt_ground *ground, const tt_cover *cover, const int *tri, int ntris)
{
    for (int i = 0; i < patch->nvertices; i++) patch->local[patch->vertex[i]] = 0;
    patch->nvertices = 0;
    for (int t = 0; t < ntris; t++)
        for (int i = cover->start[tri[t]]; i < cover->start[tri[t] + 1]; i++) add_vertex(patch, cover->near[i]);
    for (int i = 0, inner = patch->nvertices; i < inner; i++) {
        int v = patch->vertex[i];
        for (int r = ground->topology.ring_start[v]; r < ground->topology.ring_start[v + 1]; r++)
            add_vertex(patch, ground->topology.ring[r]);
    }
}

static bool is_inside(const tt_patch *patch, const tt_train_kind *k, const int *particle)
{
    for (int i = 0; i < k->own; i++)
        if (!patch->local[particle[i]]) return false;
    return true;
}

/* Puts an element into all lanes of a block. A far vertex of limit_bend that is not in the patch counts as missing, as
 * at a boundary: it repeats a corner of its edge. */
static void put_element(tt_patch *patch, const tt_train_kind *k, int kind, int element)
{
    size_t slots = (size_t)k->kind->particles, fields = (size_t)k->kind->fields;
    size_t block = (size_t)patch->nblocks[kind]++;
    const int *particle = &k->particle[(size_t)element * slots];
    uint32_t *offset = &patch->offset[kind][block * slots * TT_BLOCK];
    float *data = &patch->data[kind][block * fields * TT_BLOCK];
    for (int i = 0; i < (int)slots; i++) {
        int local = patch->local[particle[i]];
        if (!local) local = patch->local[particle[(i + 1) % k->own]];
        for (int lane = 0; lane < TT_BLOCK; lane++)
            offset[i * TT_BLOCK + lane] = 4 * (uint32_t)((local - 1) * TT_BLOCK + lane);
    }
    for (size_t f = 0; f < fields; f++)
        for (size_t lane = 0; lane < TT_BLOCK; lane++)
            data[f * TT_BLOCK + lane] = k->data[(size_t)element * fields + f];
}

/* Counts the elements of each kind inside the patch, and puts them in blocks if there is memory for these. */
static void list_elements(tt_patch *patch, const tt_ground *ground)
{
    for (int kind = 0; kind < ground->nkinds; kind++) {
        const tt_train_kind *k = &ground->kind[kind];
        patch->nblocks[kind] = 0;
        for (int i = 0; i < patch->nvertices; i++)
            for (int e = k->start[patch->vertex[i]]; e < k->start[patch->vertex[i] + 1]; e++) {
                if (!is_inside(patch, k, &k->particle[(size_t)k->element[e] * (size_t)k->kind->particles])) continue;
                if (patch->p) put_element(patch, k, kind, k->element[e]);
                else patch->nblocks[kind]++;
            }
    }
}

void tt_patch_cut(tt_patch *patch, const tt_ground *ground, const tt_cover *cover, const int *tri, int ntris)
{
    list_vertices(patch, ground, cover, tri, ntris);
    list_elements(patch, ground);
    for (int i = 0; i < patch->nvertices; i++)
        for (int lane = 0; lane < TT_BLOCK; lane++) {
            float *p = tt_patch_at(patch, i, lane);
            memcpy(p, &ground->mesh->x[3 * (size_t)patch->vertex[i]], 3 * sizeof *p);
            p[3] = 1;
        }
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

typedef struct sizes {
    int vertices, blocks[TT_KINDS], most_blocks;
} sizes;

static void widen(sizes *most, tt_patch *patch, const tt_ground *ground, const tt_cover *cover, const int *tri, int n)
{
    list_vertices(patch, ground, cover, tri, n);
    list_elements(patch, ground);
    if (patch->nvertices > most->vertices) most->vertices = patch->nvertices;
    for (int kind = 0; kind < ground->nkinds; kind++) {
        if (patch->nblocks[kind] > most->blocks[kind]) most->blocks[kind] = patch->nblocks[kind];
        if (patch->nblocks[kind] > most->most_blocks) most->most_blocks = patch->nblocks[kind];
    }
}

static bool take_lists(tt_scope *scope, int nvertices, tt_patch *patch)
{
    *patch = (tt_patch){.vertex = TT_TAKE(scope, int, nvertices), .local = TT_TAKE(scope, int, nvertices)};
    return patch->vertex && patch->local;
}

static bool take_blocks(tt_scope *scope, const tt_ground *ground, const sizes *most, tt_patch *patch)
{
    patch->live = TT_TAKE(scope, uint8_t, most->most_blocks);
    patch->p = TT_TAKE(scope, float, 4 * TT_BLOCK * (size_t)most->vertices);
    if (!patch->live || !patch->p) return false;
    memset(patch->live, TT_BLOCK, (size_t)most->most_blocks);
    for (int kind = 0; kind < ground->nkinds; kind++) {
        const tt_kind *k = ground->kind[kind].kind;
        size_t lanes = (size_t)most->blocks[kind] * TT_BLOCK;
        patch->offset[kind] = TT_TAKE(scope, uint32_t, lanes * (size_t)k->particles);
        patch->data[kind] = TT_TAKE(scope, float, lanes * (size_t)k->fields);
        if (!patch->offset[kind] || !patch->data[kind]) return false;
    }
    return true;
}

bool tt_patches_take(tt_scope *scope, const tt_ground *ground, const tt_cover *cover, int count, tt_patch *patch)
{
    sizes most = {0};
    for (int i = 0; i < count; i++)
        if (!take_lists(scope, ground->mesh->nvertices, &patch[i])) return false;
    for (int t = 0; t < cover->mesh->ntris; t++) widen(&most, &patch[0], ground, cover, &t, 1);
    for (int h = 0; h < cover->topology.nhinges; h++) {
        const int tri[2] = {cover->topology.hinge[h].tri1, cover->topology.hinge[h].tri2};
        widen(&most, &patch[0], ground, cover, tri, 2);
    }
    for (int i = 0; i < count; i++)
        if (!take_blocks(scope, ground, &most, &patch[i])) return false;
    return true;
}

/* ---- Enforcing --------------------------------------------------------------------------------------------------- */

/* Blocks are visited in strides of about the golden section, because a sweep along the mesh would push everything in
 * one direction. */
float tt_patch_enforce(tt_patch *patch, const tt_ground *ground)
{
    float excess = 0;
    for (int kind = 0; kind < ground->nkinds; kind++) {
        const tt_train_kind *k = &ground->kind[kind];
        int n = patch->nblocks[kind], stride = tt_coprime_stride(n * 13 / 21, n);
        tt_batch batch = {.p = patch->p, .offset = patch->offset[kind], .data = patch->data[kind],
                          .live = patch->live, .last = n, .stride = stride, .excess = &excess, .tuning = &k->tuning};
        if (n) k->kind->project(&batch);
    }
    return excess;
}
