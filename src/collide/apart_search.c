/* The search finds the pairs that could meet before the next search.
 *
 * Every particle gets a box that it may not leave until then. Trees over triangles are compared with each other and
 * with themselves. A pair of features is left out if an axis separates its boxes by its thickness. It is not watched if
 * an axis separates its boxes at all.
 *
 * Neighbours. Triangles that share a vertex are listed in the skin, because the trees would find all of them. Most of
 * them are within a plain fan (apart_fans.c), where nothing can cross. */
#include "collide/apart_box.h"
#include "collide/apart_pair.h"

static const float NEAR = 1.5f; /* times the thickness: pairs closer than that may push */
enum { TASK_TRIS = 256, TASK_PAIRS = 2048 };

/* ---- Pairs of features ---- */

/* The state of one task. Pairs of each kind wait in `sift` until there are many. */
typedef struct finder {
    tt_apart *apart;
    tt_apart_task *task;
    const tt_apart_member *a, *b;
    taut_contact contact;
    bool all; /* all features of triangles, not only those with loose particles */
    tt_sift sift[2];
} finder;

/* The smallest gap along n for all positions inside the boxes. The gap is concave in time, so it is smallest when the
 * boxes are at one end of their way. */
static float gap_of_boxes(const tt_apart *apart, const int *particle, int kind, spot n)
{
    float now[4], then[4];
    along_axis(apart->from, particle, n, now), along_axis(apart->to, particle, n, then);
    for (int k = 0; k < 4; k++) {
        const float *room = &apart->room[4 * (size_t)particle[k]];
        float off = fabsf(n.x) * room[0] + fabsf(n.y) * room[1] + fabsf(n.z) * room[2];
        now[k] += k < of_a(kind) ? -off : off, then[k] += k < of_a(kind) ? -off : off;
    }
    return least_of(gap_of(kind, now), gap_of(kind, then));
}

/* More than twice the error of a computed gap. */
static float rounding_of(const tt_apart *apart, const int *particle)
{
    tt_apart_box all = apart->box[particle[0]];
    for (int k = 1; k < 4; k++) all = tt_around(all, apart->box[particle[k]]);
    tt_four size = all.high - all.low;
    return TT_ROUNDING * (size[0] + size[1] + size[2]);
}

/* Features of one body that are close at rest cannot keep the whole thickness. They keep half their distance at
 * rest. */
static float thickness_of(const finder *f, const tt_apart_pair *pair, float thickness)
{
    int local[4];
    float weight[4];
    if (f->a != f->b) return thickness;
    for (int k = 0; k < 4; k++) local[k] = pair->particle[k] - f->a->first;
    closest(f->a->rest, local, pair->kind, weight);
    spot r = between(f->a->rest, local, weight);
    return least_of(thickness, 0.5f * sqrtf(dot(r, r)));
}

static void keep(const finder *f, const tt_apart_pair *pair)
{
    tt_apart *apart = f->apart;
    tt_apart_task *task = f->task;
    if (task->count % TT_APART_CHUNK == 0) {
        int chunk = atomic_fetch_add(&apart->nchunks, 1);
        task->count++;
        if (chunk >= apart->most_chunks) {
            task->chunk = -1; /* there is no room, so the search is void */
            return;
        }
        if (task->count > 1 && task->chunk >= 0) apart->next_chunk[task->chunk] = chunk;
        else if (task->count == 1) task->first = chunk;
        apart->next_chunk[chunk] = -1;
        task->chunk = chunk;
        apart->chunk[chunk].pair[0] = *pair;
        return;
    }
    if (task->chunk >= 0) apart->chunk[task->chunk].pair[task->count % TT_APART_CHUNK] = *pair;
    task->count++;
}

static float gap_ahead(const tt_apart *apart, const tt_apart_pair *pair)
{
    float q[4];
    spot n = axis_of(pair);
    along_axis(apart->x, pair->particle, n, q);
    for (int k = 0; k < 4; k++) q[k] += dot(n, spot_of(&apart->way[4 * (size_t)pair->particle[k]]));
    return gap_of(pair->kind, q);
}

/* Features that are attached to each other always touch, so they are not kept apart. */
static bool is_tied(const tt_apart *apart, const int *particle, int kind)
{
    for (int a = 0; a < of_a(kind) && apart->any_tied; a++)
        for (int b = of_a(kind); b < 4; b++)
            if (apart->tied[particle[a]] == apart->tied[particle[b]]) return true;
    return false;
}

/* A pair whose boxes are this far apart is left out. The distance is larger than the error of a computed gap. */
static float far_of(const tt_apart *apart, float thickness) { return most_of(thickness, 8 * apart->margin); }

static float thickness_between(const tt_apart_member *a, const tt_apart_member *b)
{
    return 0.5f * (a->thickness + b->thickness);
}

static void judge(const finder *f, int kind, const int particle[4])
{
    tt_apart *apart = f->apart;
    float thickness = thickness_between(f->a, f->b);
    tt_apart_pair pair = {.particle = {particle[0], particle[1], particle[2], particle[3]}, .kind = (uint8_t)kind};
    if (is_tied(apart, pair.particle, kind)) return;
    pair.rounding = rounding_of(apart, pair.particle);
    pair.usual = apart->margin + pair.rounding;
    choose_axis(apart->x, &pair);
    float room = gap_of_boxes(apart, pair.particle, kind, axis_of(&pair));
    if (room >= far_of(apart, thickness)) return;
    float nearest = least_of(pair.gap, gap_ahead(apart, &pair));
    if (nearest < NEAR * thickness) pair.thickness = thickness_of(f, &pair, thickness);
    pair.near = nearest < NEAR * pair.thickness;
    pair.friction = sqrtf(f->a->friction * f->b->friction);
    pair.watched = f->contact == TAUT_CONTACT_STRICT && room < pair.usual;
    set_least(&pair);
    if (pair.watched || pair.near) keep(f, &pair);
}

static void judge_all(finder *f, int kind)
{
    tt_sift *sift = &f->sift[kind];
    f->apart->set->sift[kind](sift);
    for (int i = 0; i < sift->count; i++)
        if (sift->kept[i])
            judge(f, kind,
                  (int[]){sift->particle[0][i], sift->particle[1][i], sift->particle[2][i], sift->particle[3][i]});
    sift->count = 0;
}

static inline void consider(finder *f, int kind, int i, int j, int k, int l)
{
    const uint8_t *loose = f->apart->loose;
    if (!f->all && !(loose[i] | loose[j] | loose[k] | loose[l])) return;
    tt_sift *sift = &f->sift[kind];
    int at = sift->count++;
    sift->particle[0][at] = i, sift->particle[1][at] = j, sift->particle[2][at] = k, sift->particle[3][at] = l;
    if (sift->count == TT_SIFT) judge_all(f, kind);
}

/* A triangle's corners as the island numbers them. */
typedef struct face {
    const tt_skin_triangle *tri;
    const tt_apart_box *box, *side_box; /* around it; around the sides that it owns */
    int corner[3];
} face;

static inline face face_of(const tt_apart *apart, const tt_apart_member *m, int t)
{
    const tt_skin_triangle *tri = &m->skin->tri[t];
    face f = {tri, &apart->tri_box[m->first_tri + t], &apart->side_box[m->first_side + tri->first_side], {0}};
    for (int k = 0; k < 3; k++) f.corner[k] = f.tri->corner[k] + m->first;
    return f;
}

/* A side that a triangle owns. */
typedef struct side {
    const tt_apart_box *box;
    int a, b;
} side;

/* Finds the sides that a triangle owns and whose boxes overlap with `in`. Returns how many there are. */
static inline int sides_in(const face *s, const tt_apart_box *in, side found[3])
{
    const tt_apart_box *box = s->side_box;
    int count = 0;
    for (int k = 0; k < 3; k++) {
        if (!(s->tri->owned_sides >> k & 1)) continue;
        found[count] = (side){box, s->corner[k], s->corner[(k + 1) % 3]};
        count += tt_overlap(box++, in); /* no branch, because processors could not predict it */
    }
    return count;
}

static inline void corners_on_face(finder *f, const face *s, const face *t)
{
    const int *c = t->corner;
    for (int k = 0; k < 3; k++) {
        int v = s->corner[k];
        tt_apart_box corner = tt_grown(f->apart->box[v]);
        int apart = (s->tri->owned_corners >> k & 1) & (v != c[0]) & (v != c[1]) & (v != c[2]);
        if (apart & (int)tt_overlap(&corner, t->box)) consider(f, TT_CORNER_ON_FACE, v, c[0], c[1], c[2]);
    }
}

static inline void sides_on_sides(finder *f, const face *s, const face *t)
{
    side of_s[3], of_t[3];
    int nsides = sides_in(s, t->box, of_s), nothers = nsides > 0 ? sides_in(t, s->box, of_t) : 0;
    for (const side *i = of_s; i < of_s + nsides; i++)
        for (const side *j = of_t; j < of_t + nothers; j++) {
            int apart = (i->a != j->a) & (i->a != j->b) & (i->b != j->a) & (i->b != j->b);
            if (apart & (int)tt_overlap(i->box, j->box)) consider(f, TT_SIDE_ON_SIDE, i->a, i->b, j->a, j->b);
        }
}

static void compare_triangles(finder *f, int s, int t)
{
    face a = face_of(f->apart, f->a, s), b = face_of(f->apart, f->b, t);
    if (b.tri->is_face) corners_on_face(f, &a, &b);
    if (a.tri->is_face) corners_on_face(f, &b, &a);
    sides_on_sides(f, &a, &b);
}

/* ---- Trees ---- */

/* Triangles that share a corner are in the skin's list. */
static void compare_leaves(finder *f, int a, int b)
{
    const tt_apart *apart = f->apart;
    const tt_skin_node *s = &f->a->skin->node[a], *t = &f->b->skin->node[b];
    const tt_apart_box *around_b = &apart->node_box[f->b->first_node + b];
    const uint8_t *loose_a = &apart->loose_tri[f->a->first_tri], *loose_b = &apart->loose_tri[f->b->first_tri];
    bool one = f->a == f->b, same = one && a == b;
    float low[4], high[4];
    tt_leaf_pair pair = {.a = &apart->leaf_boxes[f->a->first_leaf + s->leaf],
                         .b = &apart->leaf_boxes[f->b->first_leaf + t->leaf],
                         .low_b = low,
                         .high_b = high,
                         .corners_a = one ? &f->a->skin->leaf[s->leaf] : NULL,
                         .corners_b = one ? &f->b->skin->leaf[t->leaf] : NULL};
    tt_four_to(low, around_b->low), tt_four_to(high, around_b->high);
    apart->set->compare_leaves(&pair);
    const uint32_t present = (1u << t->count) - 1; /* boxes of a save that is forged may overlap with missing ones */
    for (int i = 0; i < s->count; i++) {
        uint32_t from = same ? ~0u << (i + 1) : ~0u;
        for (uint32_t hits = pair.hits[i] & from & present; hits; hits &= hits - 1) {
            int k = s->first + i, l = t->first + __builtin_ctz(hits);
            if (f->all || loose_a[k] | loose_b[l]) compare_triangles(f, k, l);
        }
    }
}

static void compare_nodes(finder *f, int a, int b)
{
    const tt_skin_node *s = &f->a->skin->node[a], *t = &f->b->skin->node[b];
    bool same = f->a == f->b && a == b;
    const tt_apart_box *box = f->apart->node_box;
    const uint8_t *loose = f->apart->loose_node;
    if (!f->all && !(loose[f->a->first_node + a] | loose[f->b->first_node + b])) return;
    if (!same && !tt_overlap(&box[f->a->first_node + a], &box[f->b->first_node + b])) return;
    if (!s->right && !t->right) compare_leaves(f, a, b);
    else if (same) {
        compare_nodes(f, a + 1, a + 1);
        compare_nodes(f, s->right, s->right);
        compare_nodes(f, a + 1, s->right);
    } else if (!t->right || (s->right && s->count >= t->count)) {
        compare_nodes(f, a + 1, b);
        compare_nodes(f, s->right, b);
    } else {
        compare_nodes(f, a, b + 1);
        compare_nodes(f, a, t->right);
    }
}

static void compare_neighbours(finder *f, int first, int last)
{
    const tt_skin *skin = f->a->skin;
    const uint8_t *plain = &f->apart->plain[f->a->first], *loose = &f->apart->loose_tri[f->a->first_tri];
    bool all = f->all;
    for (int i = first; i < last; i++) {
        const tt_skin_pair *p = &skin->pair[i];
        uint8_t is = plain[p->shared[0]] | (p->shared[1] >= 0 ? plain[p->shared[1]] : 0);
        if (is & TT_PLAIN) continue;
        f->all = all || is & TT_WAS_PLAIN;
        if (f->all || loose[p->a] | loose[p->b]) compare_triangles(f, p->a, p->b);
    }
    f->all = all;
}

/* ---- Tasks ---- */

static void add_task(tt_apart *apart, tt_apart_task task)
{
    task.count = 0, task.chunk = -1;
    apart->task[apart->ntasks++] = task;
}

/* One task is kept back for each member. If there are too few tasks for each two members, it compares the member with
 * all others. */
static bool has_room(const tt_apart *apart)
{
    return apart->ntasks + TT_APART_SPARE + apart->nmembers < apart->most_tasks;
}

/* Cuts the comparison of two nodes into tasks, as long as there is room for them. */
static void plan_nodes(tt_apart *apart, int m, int o, int a, int b)
{
    const tt_apart_member *ma = &apart->member[m], *mb = &apart->member[o];
    const tt_skin_node *s = &ma->skin->node[a], *t = &mb->skin->node[b];
    bool same = m == o && a == b;
    if (!same && !tt_overlap(&apart->node_box[ma->first_node + a], &apart->node_box[mb->first_node + b])) return;
    if (apart->again && !(apart->loose_node[ma->first_node + a] | apart->loose_node[mb->first_node + b])) return;
    if (!has_room(apart) || (s->count <= TASK_TRIS && t->count <= TASK_TRIS)) {
        add_task(apart, (tt_apart_task){.part = TT_NODES, .a = a, .b = b, .member = m, .other = o});
    } else if (same) {
        plan_nodes(apart, m, o, a + 1, a + 1);
        plan_nodes(apart, m, o, s->right, s->right);
        plan_nodes(apart, m, o, a + 1, s->right);
    } else if (s->count >= t->count) {
        plan_nodes(apart, m, o, a + 1, b);
        plan_nodes(apart, m, o, s->right, b);
    } else {
        plan_nodes(apart, m, o, a, b + 1);
        plan_nodes(apart, m, o, a, t->right);
    }
}

static void plan_member(tt_apart *apart, int m)
{
    for (int o = m; o < apart->nmembers; o++) {
        if (!has_room(apart)) {
            add_task(apart, (tt_apart_task){.part = TT_MEMBERS, .member = m, .other = o});
            return;
        }
        if (tt_apart_contact(apart, &apart->member[m], &apart->member[o]) != TAUT_CONTACT_OFF)
            plan_nodes(apart, m, o, 0, 0);
    }
}

static void plan(tt_apart *apart)
{
    apart->ntasks = 0;
    for (int m = 0; m < apart->nmembers; m++) {
        const tt_skin *skin = apart->member[m].skin;
        for (int i = 0; i < skin->npairs; i += TASK_PAIRS) {
            int last = i + TASK_PAIRS < skin->npairs ? i + TASK_PAIRS : skin->npairs;
            add_task(apart, (tt_apart_task){.part = TT_NEIGHBOURS, .a = i, .b = last, .member = m, .other = m});
        }
    }
    for (int m = 0; m < apart->nmembers; m++) plan_member(apart, m);
}

static void prepare_sift(finder *f)
{
    const tt_apart *apart = f->apart;
    float thickness = thickness_between(f->a, f->b);
    for (int kind = 0; kind < 2; kind++) {
        tt_sift *sift = &f->sift[kind];
        sift->from = apart->from, sift->to = apart->to, sift->room = apart->room;
        sift->far = far_of(apart, thickness), sift->margin = apart->margin, sift->near = NEAR * thickness;
        sift->watched = f->contact == TAUT_CONTACT_STRICT;
        sift->count = 0;
    }
}

static void run_task(void *argument, int number)
{
    tt_apart *apart = argument;
    tt_apart_task *task = &apart->task[number];
    finder f;
    f.apart = apart, f.task = task, f.a = &apart->member[task->member], f.all = !apart->again;
    int last = task->part == TT_MEMBERS ? apart->nmembers : task->other + 1;
    for (int other = task->other; other < last; other++) {
        f.b = &apart->member[other];
        f.contact = tt_apart_contact(apart, f.a, f.b);
        if (f.contact == TAUT_CONTACT_OFF) continue;
        prepare_sift(&f);
        if (task->part == TT_NEIGHBOURS) compare_neighbours(&f, task->a, task->b);
        else compare_nodes(&f, task->a, task->b);
        for (int kind = 0; kind < 2; kind++) judge_all(&f, kind);
    }
}

/* Adds the pairs of all tasks to the list. */
static void gather_pairs(tt_apart *apart)
{
    int before = apart->npairs;
    for (int i = 0; i < apart->ntasks; i++) {
        const tt_apart_task *task = &apart->task[i];
        int chunk = task->first;
        for (int k = 0; k < task->count; k++) {
            apart->pair[apart->npairs++] = &apart->chunk[chunk].pair[k % TT_APART_CHUNK];
            if (k % TT_APART_CHUNK == TT_APART_CHUNK - 1) chunk = apart->next_chunk[chunk];
        }
    }
    for (int i = before; i < apart->npairs; i++) {
        apart->count.watched += apart->pair[i]->watched;
        apart->count.stuck += apart->pair[i]->watched && apart->pair[i]->stuck;
    }
    apart->count.pairs += apart->npairs - before;
}

static void find_pairs(tt_apart *apart, tt_apart_team team)
{
    plan(apart);
    team.run(apart->ntasks, run_task, apart, team.user);
    int used = atomic_load(&apart->nchunks);
    apart->crowded = used > apart->most_chunks;
    if (used > TT_APART_MOST_CHUNKS) used = TT_APART_MOST_CHUNKS;
    if (used > apart->wanted_chunks) apart->wanted_chunks = used;
    apart->left = false;
    apart->count.searches++;
    apart->count.crowded += apart->crowded;
    if (apart->crowded) apart->npairs = 0;
    else gather_pairs(apart);
}

void tt_apart_search(tt_apart *apart, tt_apart_team team)
{
    apart->again = false;
    apart->npairs = 0;
    atomic_store(&apart->nchunks, 0);
    tt_apart_make_boxes(apart, team);
    tt_apart_judge_fans(apart, team);
    find_pairs(apart, team);
}

static void drop_loose_pairs(tt_apart *apart)
{
    int kept = 0;
    for (int i = 0; i < apart->npairs; i++) {
        const int *of = apart->pair[i]->particle;
        if (!(apart->loose[of[0]] | apart->loose[of[1]] | apart->loose[of[2]] | apart->loose[of[3]]))
            apart->pair[kept++] = apart->pair[i];
    }
    apart->npairs = kept;
}

/* Searches for all pairs, but only for the present substep. */
static void search_whole(tt_apart *apart, const float *end, tt_apart_team team)
{
    for (size_t i = 0; i < 4 * (size_t)apart->nparticles; i++)
        if (i % 4 < 3) apart->way[i] = end[i] - apart->x[i];
    apart->along = 1;
    tt_apart_search(apart, team);
    apart->left = true;
}

bool tt_apart_search_again(tt_apart *apart, const float *end, tt_apart_team team)
{
    if (!apart->any_strict || apart->crowded || !tt_apart_mend_boxes(apart, end, team)) return false;
    drop_loose_pairs(apart);
    tt_apart_judge_fans(apart, team);
    find_pairs(apart, team);
    if (apart->crowded) search_whole(apart, end, team);
    return true;
}
