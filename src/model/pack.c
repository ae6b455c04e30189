/* Packing constraints in blocks of 16 that share no particle.
 *
 * Elements of a segment are sorted by their first particle, which runs along the mesh. A window slides over them. Each
 * block is filled from the window with elements that touch no particle of this block nor of the three before it, so
 * that a block never waits for the stores of the last. Each search starts at a scattered place in the window: a solver
 * that sweeps along the mesh makes stiff sheets unstable. The window keeps memory close. Towards the end of a segment
 * the packer first takes elements whose particles many others wait for: at the very end these would share particles
 * and fill no block.
 *
 * Where thousands of elements share a particle, blocks stay nearly empty and every search of the window is in vain.
 * Searches that have looked at LOOKS elements for each one they placed are short from then on, until that share is
 * right again. Meshes of everyday use need up to 160. */
#include "model/model.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 1024, APART = 3, LOOKS = 256, SHORT_SEARCH = TT_BLOCK };

int tt_segments(const taut_model *model, tt_phase phase, int *first)
{
    *first = phase == TT_INSIDE ? 0 : phase == TT_ACROSS ? model->nparts : 2 * model->nparts + 1;
    return phase == TT_INSIDE ? model->nparts : phase == TT_ACROSS ? model->nparts + 1 : 1;
}

typedef struct element {
    int index;   /* in the maker's list */
    int segment;
    int lowest;  /* its first particle  */
} element;

static int compare(const void *a, const void *b)
{
    const element *p = a, *q = b;
    if (p->segment != q->segment) return p->segment < q->segment ? -1 : 1;
    if (p->lowest != q->lowest) return p->lowest < q->lowest ? -1 : 1;
    return p->index < q->index ? -1 : 1;
}

static element classify(const taut_model *model, const int *particle, int n, int index)
{
    int low = INT_MAX, high = 0, size = model->part_size, half = size / 2;
    for (int k = 0; k < n; k++) {
        int at = model->place[particle[k]];
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    element e = {.index = index, .segment = 2 * model->nparts + 1, .lowest = low};
    if (low / size == high / size)
        e.segment = low / size;
    else if ((low + half) / size == (high + half) / size)
        e.segment = model->nparts + (low + half) / size;
    return e;
}

typedef struct packer {
    const taut_model *model;
    const tt_maker *maker;
    tt_group *group;
    int *stamp;          /* per particle: the last block that used it, plus APART + 1 */
    int *left;           /* per particle: elements of the segment that wait for it    */
    int most_left;       /* the largest of them when the segment began                */
    int to_come;         /* elements of the segment not yet in a block                */
    int waiting[WINDOW]; /* the window: indices of elements not yet in a block        */
    int nwaiting;
    int64_t credit;      /* looks at elements that are left before searches are short */
    int block, capacity;
    uint32_t scatter;    /* where the next search starts */
    tt_scope *scratch;
} packer;

static const int *particles_of(const packer *k, int index)
{
    return &k->maker->particle[(size_t)index * (size_t)(k->maker->kind->particles + k->maker->kind->anchors)];
}

/* Whether the element keeps `apart` blocks away from the last use of each of its particles. */
static bool fits(const packer *k, int index, int apart)
{
    const int *particle = particles_of(k, index);
    for (int i = 0; i < k->maker->kind->particles; i++) {
        int used = k->stamp[k->model->place[particle[i]]];
        if (used && k->block + APART + 1 - used <= apart) return false;
    }
    return true;
}

static void put(packer *k, int index)
{
    const tt_kind *kind = k->maker->kind;
    const int *particle = particles_of(k, index);
    int slots = kind->particles + kind->anchors, lane = k->group->live[k->block]++;
    uint32_t *offset = &k->group->offset[(size_t)k->block * (size_t)(slots * TT_BLOCK)];
    float *data = &k->group->data[(size_t)k->block * (size_t)(kind->fields * TT_BLOCK)];
    for (int i = 0; i < slots; i++) {
        int at = i < kind->particles ? k->model->place[particle[i]] : particle[i];
        offset[i * TT_BLOCK + lane] = 4 * (uint32_t)at;
        if (i < kind->particles) k->stamp[at] = k->block + APART + 1, k->left[at]--;
    }
    k->to_come--;
    k->credit += LOOKS;
    for (int f = 0; f < kind->fields; f++)
        data[f * TT_BLOCK + lane] = k->maker->data[(size_t)index * (size_t)kind->fields + (size_t)f];
}

/* Whether `left` elements that wait for the same particle need all the blocks to come: each of them goes into a
 * block of its own, and APART blocks lie between two of these. */
static bool needs_all(const packer *k, int left) { return (int64_t)left * (APART + 1) * TT_BLOCK >= k->to_come; }

static bool is_urgent(const packer *k, int index)
{
    const int *particle = particles_of(k, index);
    for (int i = 0; i < k->maker->kind->particles; i++)
        if (needs_all(k, k->left[k->model->place[particle[i]]])) return true;
    return false;
}

/* Moves fitting elements, or those that are urgent, from the window to the block; what stays keeps its order. */
static void fill(packer *k, int apart, bool urgent)
{
    int n = k->nwaiting, taken = 0;
    if (n == 0) return;
    int start = (int)(k->scatter % (uint32_t)n), looks = k->credit > 0 || n < SHORT_SEARCH ? n : SHORT_SEARCH;
    for (int i = 0; i < looks && k->group->live[k->block] < TT_BLOCK; i++) {
        int at = (start + i) % n, index = k->waiting[at];
        k->credit--;
        if (index < 0 || (urgent && !is_urgent(k, index)) || !fits(k, index, apart)) continue;
        put(k, index);
        k->waiting[at] = -1;
        taken++;
    }
    if (!taken) return;
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (k->waiting[i] >= 0) k->waiting[kept++] = k->waiting[i];
    k->nwaiting = kept;
}

/* Dead lanes repeat the last live one. A kernel that works on both at once finds the same numbers for both and stores
 * them twice, so it need not know which lanes are alive. A go that has only dead lanes is skipped at every width. */
static void close_block(packer *k)
{
    const tt_kind *kind = k->maker->kind;
    int slots = kind->particles + kind->anchors, live = k->group->live[k->block];
    uint32_t *offset = &k->group->offset[(size_t)k->block * (size_t)(slots * TT_BLOCK)];
    float *data = &k->group->data[(size_t)k->block * (size_t)(kind->fields * TT_BLOCK)];
    for (int lane = live; lane < TT_BLOCK; lane++) {
        for (int i = 0; i < slots; i++) offset[i * TT_BLOCK + lane] = offset[i * TT_BLOCK + live - 1];
        for (int f = 0; f < kind->fields; f++) data[f * TT_BLOCK + lane] = data[f * TT_BLOCK + live - 1];
    }
    k->block++;
    k->scatter = k->scatter * 1664525u + 1013904223u;
}

/* Copies the first `blocks` blocks of `from` to new arrays of `capacity` blocks. */
static bool copy_blocks(tt_scope *scope, const tt_kind *kind, const tt_group *from, int blocks, int capacity,
                        tt_group *to)
{
    size_t used = (size_t)blocks, wanted = (size_t)capacity;
    size_t slots = (size_t)(kind->particles + kind->anchors) * TT_BLOCK, fields = (size_t)kind->fields * TT_BLOCK;
    *to = *from;
    to->offset = tt_enlarge(scope, from->offset, used * slots, wanted * slots, sizeof *to->offset);
    to->data = tt_enlarge(scope, from->data, used * fields, wanted * fields, sizeof *to->data);
    to->live = tt_enlarge(scope, from->live, used, wanted, sizeof *to->live);
    return to->offset && to->data && to->live;
}

static bool reserve_block(packer *k)
{
    if (k->block < k->capacity) return true;
    int capacity = k->capacity ? 2 * k->capacity : k->maker->count / TT_BLOCK + 64;
    if (!copy_blocks(k->scratch, k->maker->kind, k->group, k->block, capacity, k->group)) return false;
    k->capacity = capacity;
    return true;
}

static void count_in(packer *k, int index)
{
    const int *particle = particles_of(k, index);
    for (int i = 0; i < k->maker->kind->particles; i++) {
        int left = ++k->left[k->model->place[particle[i]]];
        k->most_left = left > k->most_left ? left : k->most_left;
    }
}

static bool pack_segment(packer *k, const element *elements, int n)
{
    int next = 0;
    k->nwaiting = 0;
    k->most_left = 0;
    k->to_come = n;
    k->credit = LOOKS * WINDOW;
    for (int i = 0; i < n; i++) count_in(k, elements[i].index);
    while (next < n || k->nwaiting) {
        while (next < n && k->nwaiting < WINDOW) k->waiting[k->nwaiting++] = elements[next++].index;
        if (!reserve_block(k)) return false;
        if (needs_all(k, k->most_left)) fill(k, APART, true);
        for (int apart = APART; apart >= 0; apart--)
            if (k->group->live[k->block] < TT_BLOCK) fill(k, apart, false);
        close_block(k);
    }
    return true;
}

bool tt_pack(taut_model *model, tt_scope *scratch, const tt_maker *maker, tt_group *group)
{
    const tt_kind *kind = maker->kind;
    int slots = kind->particles + kind->anchors, n = maker->count, nsegments = 2 * model->nparts + 2;
    tt_group packed = {.count = n, .segment = TT_TAKE(&model->scope, int, nsegments + 1)};
    element *elements = TT_TAKE(scratch, element, n);
    packer *k = TT_TAKE(scratch, packer, 1);
    int *stamp = TT_TAKE(scratch, int, model->nparticles), *left = TT_TAKE(scratch, int, model->nparticles);
    if (!packed.segment || !elements || !k || !stamp || !left) return false;
    *k = (packer){.model = model, .maker = maker, .group = &packed, .stamp = stamp, .left = left, .scratch = scratch,
                  .scatter = 1};
    for (int i = 0; i < n; i++)
        elements[i] = classify(model, &maker->particle[(size_t)i * (size_t)slots], kind->particles, i);
    qsort(elements, (size_t)n, sizeof *elements, compare);
    for (int segment = 0, i = 0; segment < nsegments; segment++) {
        int end = i;
        while (end < n && elements[end].segment == segment) end++;
        packed.segment[segment] = k->block;
        if (!pack_segment(k, elements + i, end - i)) return false;
        i = end;
    }
    packed.segment[nsegments] = packed.nblocks = k->block;
    return copy_blocks(&model->scope, kind, &packed, packed.nblocks, packed.nblocks, group);
}
