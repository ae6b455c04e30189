/* Packing constraints in blocks of 16 that share no particle.
 *
 * Elements of a segment are sorted by their first particle, which runs along the mesh. A window slides over them and
 * keeps memory close. Each block is filled from the window with elements that touch no particle of this block nor of
 * the three before it, so that a block never waits for the stores of the last one. Each search starts at a scattered
 * place in the window, because a solver that sweeps along the mesh makes stiff sheets unstable. Towards the end of a
 * segment the packer first takes elements with a particle that many others have too. At the very end these would share
 * particles and leave blocks half empty.
 *
 * If thousands of elements share a particle, blocks stay nearly empty and every search of the window is in vain. So
 * when searches have looked at more than LOOKS elements for each one that they placed, they are cut short until the
 * ratio is right again. Everyday meshes need up to 160.
 *
 * Which element goes where is decided kind by kind, on one thread each. Then all segments are filled at the same
 * time. */
#include "model/model.h"

#include <limits.h>
#include <string.h>

enum { WINDOW = 1024, APART = 3, LOOKS = 256, SHORT_SEARCH = TT_BLOCK };

int tt_segments(const taut_model *model, tt_phase phase, int *first)
{
    *first = phase == TT_INSIDE ? 0 : phase == TT_ACROSS ? model->nparts : 2 * model->nparts + 1;
    return phase == TT_INSIDE ? model->nparts : phase == TT_ACROSS ? model->nparts + 1 : 1;
}

/* A particle, as the packer sees it. */
typedef struct seat {
    int stamp; /* the last block that used it, plus APART + 1                        */
    int left;  /* elements of the segment that wait for it                           */
    int first; /* where the elements begin of which it is the lowest particle        */
} seat;

struct tt_plan {
    const taut_model *model;
    const tt_maker *maker;
    int nsegments;
    int *particle;   /* of each element of the maker */
    int *start;      /* where each segment's elements start; one more */
    int *element;    /* in the maker's list, sorted by segment        */
    int *order;      /* the same, block by block                      */
    int *segment;    /* as in tt_group                                */
    uint8_t *live;   /* of each block                                 */
    tt_group *group; /* the group that is filled                      */
};

typedef struct packer {
    tt_plan *plan;
    seat *seat;
    int most_left;       /* the most elements that waited for one particle when the segment began */
    int to_come;         /* elements of the segment not yet in a block                */
    int waiting[WINDOW]; /* the window: elements not yet in a block                   */
    int nwaiting;
    int64_t credit; /* how many more elements may be looked at before searches are cut short */
    int block;
    int *next;        /* in plan.order                                             */
    uint32_t scatter; /* where the next search starts                              */
} packer;

static const int *vertices_of(const tt_plan *p, int element)
{
    const tt_kind *kind = p->maker->kind;
    return &p->maker->particle[(size_t)element * (size_t)(kind->particles + kind->anchors)];
}

static int particle_of(const tt_plan *p, int element, int i)
{
    return p->particle[(size_t)element * (size_t)p->maker->kind->particles + (size_t)i];
}

static void find_particles(tt_plan *p)
{
    int *to = p->particle;
    for (int element = 0; element < p->maker->count; element++)
        for (int i = 0; i < p->maker->kind->particles; i++) *to++ = p->model->place[vertices_of(p, element)[i]];
}

/* ---- Segments ---------------------------------------------------------------------------------------------------- */

static int lowest_of(const tt_plan *p, int element)
{
    int low = particle_of(p, element, 0);
    for (int i = 1; i < p->maker->kind->particles; i++) {
        int at = particle_of(p, element, i);
        low = at < low ? at : low;
    }
    return low;
}

static int segment_of(const tt_plan *p, int element)
{
    int low = INT_MAX, high = 0, size = p->model->part_size, half = size / 2;
    for (int i = 0; i < p->maker->kind->particles; i++) {
        int at = particle_of(p, element, i);
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    if (low / size == high / size) return low / size;
    if ((low + half) / size == (high + half) / size) return p->model->nparts + (low + half) / size;
    return 2 * p->model->nparts + 1;
}

/* Sorts the elements by segment. */
static bool find_segments(tt_plan *p, tt_scope *scratch)
{
    int n = p->maker->count, nsegments = p->nsegments;
    int *segment = TT_TAKE_RAW(scratch, int, n), *at = TT_TAKE(scratch, int, nsegments + 1);
    if (!segment || !at) return false;
    for (int i = 0; i < n; i++) p->start[(segment[i] = segment_of(p, i)) + 1]++;
    for (int s = 0; s < nsegments; s++) p->start[s + 1] += p->start[s], at[s] = p->start[s];
    for (int i = 0; i < n; i++) p->element[at[segment[i]]++] = i;
    return true;
}

/* Sorts the elements of a segment by their lowest particles; its part of `order` is free until they are packed. */
static void sort_segment(const tt_plan *p, seat *seats, int segment)
{
    int begin = p->start[segment], end = p->start[segment + 1], low = INT_MAX, high = -1;
    for (int i = begin; i < end; i++) {
        int at = lowest_of(p, p->element[i]);
        seats[at].first++;
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    for (int at = low, sum = begin; at <= high; at++) {
        int count = seats[at].first;
        seats[at].first = sum;
        sum += count;
    }
    for (int i = begin; i < end; i++) p->order[seats[lowest_of(p, p->element[i])].first++] = p->element[i];
    for (int at = low; at <= high; at++) seats[at].first = 0;
    memcpy(p->element + begin, p->order + begin, sizeof *p->element * (size_t)(end - begin));
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

/* Whether at least `apart` blocks lie between this block and the last use of each particle of the element. */
static bool fits(const packer *k, int element, int apart)
{
    for (int i = 0; i < k->plan->maker->kind->particles; i++) {
        int used = k->seat[particle_of(k->plan, element, i)].stamp;
        if (used && k->block + APART + 1 - used <= apart) return false;
    }
    return true;
}

static void put(packer *k, int element)
{
    for (int i = 0; i < k->plan->maker->kind->particles; i++) {
        seat *at = &k->seat[particle_of(k->plan, element, i)];
        at->stamp = k->block + APART + 1;
        at->left--;
    }
    *k->next++ = element;
    k->plan->live[k->block]++;
    k->to_come--;
    k->credit += LOOKS;
}

/* Whether `left` elements that wait for the same particle need all the blocks to come, because each goes into a block
 * of its own and APART blocks lie between two such blocks. */
static bool needs_all(const packer *k, int left) { return (int64_t)left * (APART + 1) * TT_BLOCK >= k->to_come; }

static bool is_urgent(const packer *k, int element)
{
    for (int i = 0; i < k->plan->maker->kind->particles; i++)
        if (needs_all(k, k->seat[particle_of(k->plan, element, i)].left)) return true;
    return false;
}

/* Closes the gaps in the window from `first` on; elements that stay keep their order. */
static void close_gaps(packer *k, int first)
{
    int kept = first;
    for (int i = first; i < k->nwaiting; i++)
        if (k->waiting[i] >= 0) k->waiting[kept++] = k->waiting[i];
    k->nwaiting = kept;
}

/* Moves elements that fit (with `urgent` only urgent ones) from the window to the block. */
static void fill(packer *k, int apart, bool urgent)
{
    int n = k->nwaiting, gap = n;
    if (n == 0) return;
    int at = (int)(k->scatter % (uint32_t)n), looks = k->credit > 0 || n < SHORT_SEARCH ? n : SHORT_SEARCH;
    for (int i = 0; i < looks && k->plan->live[k->block] < TT_BLOCK; i++, at = at + 1 < n ? at + 1 : 0) {
        int element = k->waiting[at];
        k->credit--;
        if ((urgent && !is_urgent(k, element)) || !fits(k, element, apart)) continue;
        put(k, element);
        k->waiting[at] = -1;
        gap = at < gap ? at : gap;
    }
    if (gap < n) close_gaps(k, gap);
}

static void count_in(packer *k, int element)
{
    for (int i = 0; i < k->plan->maker->kind->particles; i++) {
        int left = ++k->seat[particle_of(k->plan, element, i)].left;
        k->most_left = left > k->most_left ? left : k->most_left;
    }
}

static void plan_segment(packer *k, int segment)
{
    const tt_plan *p = k->plan;
    int next = p->start[segment], end = p->start[segment + 1];
    k->nwaiting = 0;
    k->most_left = 0;
    k->to_come = end - next;
    k->credit = LOOKS * WINDOW;
    p->segment[segment] = k->block;
    sort_segment(p, k->seat, segment);
    for (int i = next; i < end; i++) count_in(k, p->element[i]);
    while (k->to_come > 0) {
        while (next < end && k->nwaiting < WINDOW) k->waiting[k->nwaiting++] = p->element[next++];
        if (needs_all(k, k->most_left)) fill(k, APART, true);
        for (int apart = APART; apart >= 0; apart--)
            if (p->live[k->block] < TT_BLOCK) fill(k, apart, false);
        k->block++;
        k->scatter = k->scatter * 1664525u + 1013904223u;
    }
}

tt_plan *tt_plan_blocks(tt_scope *scratch, const taut_model *model, const tt_maker *maker)
{
    int n = maker->count, nsegments = 2 * model->nparts + 2;
    tt_plan *p = TT_TAKE(scratch, tt_plan, 1);
    packer *k = TT_TAKE(scratch, packer, 1);
    if (!p || !k) return NULL;
    *p = (tt_plan){.model = model,
                   .maker = maker,
                   .nsegments = nsegments,
                   .particle = TT_TAKE_RAW(scratch, int, (size_t)n *(size_t)maker->kind->particles),
                   .start = TT_TAKE(scratch, int, nsegments + 1),
                   .element = TT_TAKE_RAW(scratch, int, n),
                   .order = TT_TAKE_RAW(scratch, int, n),
                   .segment = TT_TAKE(scratch, int, nsegments + 1),
                   .live = TT_TAKE(scratch, uint8_t, n)};
    *k = (packer){
        .plan = p, .seat = TT_TAKE(scratch, seat, n > 0 ? model->nparticles : 0), .next = p->order, .scatter = 1};
    if (!p->particle || !p->start || !p->element || !p->order || !p->segment || !p->live || !k->seat) return NULL;
    find_particles(p);
    if (!find_segments(p, scratch)) return NULL;
    for (int segment = 0; segment < nsegments; segment++) plan_segment(k, segment);
    p->segment[nsegments] = k->block;
    return p;
}

/* ---- Arrays ------------------------------------------------------------------------------------------------------ */

/* Dead lanes repeat the last live lane. A kernel that works on both at once finds the same numbers for both and stores
 * them twice, so it need not know which lanes are alive. A go that has only dead lanes is skipped at every width. */
static void fill_block(const tt_plan *p, int block, const int *element, int live)
{
    const tt_kind *kind = p->maker->kind;
    int slots = kind->particles + kind->anchors;
    uint32_t *offset = &p->group->offset[(size_t)block * (size_t)(slots * TT_BLOCK)];
    float *data = &p->group->data[(size_t)block * (size_t)(kind->fields * TT_BLOCK)];
    for (int lane = 0; lane < TT_BLOCK; lane++) {
        int e = element[lane < live ? lane : live - 1];
        for (int i = 0; i < slots; i++)
            offset[i * TT_BLOCK + lane] =
                4 * (uint32_t)(i < kind->particles ? particle_of(p, e, i) : vertices_of(p, e)[i]);
        for (int f = 0; f < kind->fields; f++)
            data[f * TT_BLOCK + lane] = p->maker->data[(size_t)e * (size_t)kind->fields + (size_t)f];
    }
    p->group->live[block] = (uint8_t)live;
}

static void fill_segment(void *argument, int segment)
{
    const tt_plan *p = argument;
    const int *element = p->order + p->start[segment];
    for (int block = p->segment[segment]; block < p->segment[segment + 1]; block++) {
        fill_block(p, block, element, p->live[block]);
        element += p->live[block];
    }
}

bool tt_pack(taut_model *model, tt_pool *pool, tt_plan *plan, tt_group *group)
{
    const tt_kind *kind = plan->maker->kind;
    size_t bounds = (size_t)plan->nsegments + 1;
    *group = (tt_group){.count = plan->maker->count, .nblocks = plan->segment[plan->nsegments]};
    size_t lanes = (size_t)group->nblocks * TT_BLOCK;
    group->offset = TT_TAKE_RAW(&model->scope, uint32_t, lanes * (size_t)(kind->particles + kind->anchors));
    group->data = TT_TAKE_RAW(&model->scope, float, lanes *(size_t)kind->fields);
    group->live = TT_TAKE_RAW(&model->scope, uint8_t, group->nblocks);
    group->segment = tt_enlarge(&model->scope, plan->segment, bounds, bounds, sizeof *group->segment);
    if (!group->offset || !group->data || !group->live || !group->segment) return false;
    plan->group = group;
    tt_pool_run(plan->nsegments, fill_segment, plan, pool);
    return true;
}
