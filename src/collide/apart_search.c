/* The search: which pairs could meet before the next one.
 *
 * Every particle gets a box that it may not leave until then. Two trees over triangles are compared, and each tree with
 * itself. A pair of features is left out if an axis separates its boxes by its thickness. It is not watched if an axis
 * separates its boxes at all.
 *
 * Neighbours. Triangles that share a vertex are listed in the skin, as the trees would find them all. Most of these lie
 * flat: if every triangle around a vertex keeps facing to the same side wherever its corners are in their boxes, and the
 * fan goes around the vertex at most once, the fan is a graph over a plane. So nothing in it can cross. */
#include "collide/apart_pair.h"

static const float ROOM = 0.4f;        /* of the thickness: by how much a particle may miss its way           */
static const float ROOM_FOR_WAY = 0.25f; /* the same of its way                                                 */
static const float NEAR = 1.5f;        /* times the thickness: pairs closer than that may push                */
enum { TASK_TRIS = 256, TASK_PAIRS = 2048 };

/* ---- Boxes ---- */

static void box_particle(tt_apart *apart, int i, float thickness)
{
    const float *x = &apart->x[4 * (size_t)i], *way = &apart->way[4 * (size_t)i];
    tt_apart_box *box = &apart->box[i];
    float room = ROOM * thickness + ROOM_FOR_WAY * sqrtf(dot(spot_of(way), spot_of(way)));
    for (int c = 0; c < 3; c++) {
        box->low[c] = least_of(x[c], x[c] + way[c]) - room;
        box->high[c] = most_of(x[c], x[c] + way[c]) + room;
    }
    box->low[3] = box->high[3] = 0.5f * thickness; /* boxes of triangles are larger by it */
}

static tt_apart_box around(tt_apart_box a, const tt_apart_box *b)
{
    for (int c = 0; c < 4; c++) {
        a.low[c] = least_of(a.low[c], b->low[c]);
        a.high[c] = most_of(a.high[c], b->high[c]);
    }
    return a;
}

/* Without branches: which of the comparisons fails is anybody's guess. */
static inline bool overlap(const tt_apart_box *a, const tt_apart_box *b)
{
    return (a->low[0] <= b->high[0]) & (b->low[0] <= a->high[0]) & (a->low[1] <= b->high[1]) &
           (b->low[1] <= a->high[1]) & (a->low[2] <= b->high[2]) & (b->low[2] <= a->high[2]);
}

static tt_apart_box grown(tt_apart_box a)
{
    for (int c = 0; c < 3; c++) a.low[c] -= a.high[3], a.high[c] += a.high[3];
    return a;
}

static void box_member(void *argument, int number)
{
    tt_apart *apart = argument;
    const tt_apart_member *m = &apart->member[number];
    const tt_apart_box *box = &apart->box[m->first];
    tt_apart_box *tri = &apart->tri_box[m->first_tri], *node = &apart->node_box[m->first_node];
    for (int i = 0; i < m->count; i++) box_particle(apart, m->first + i, m->thickness);
    for (int t = 0; t < m->skin->ntris; t++) {
        const int *c = m->skin->tri[t].corner;
        tri[t] = grown(around(around(box[c[0]], &box[c[1]]), &box[c[2]]));
    }
    for (int k = m->skin->nnodes - 1; k >= 0; k--) {
        const tt_skin_node *n = &m->skin->node[k];
        node[k] = n->right ? node[k + 1] : tri[n->first];
        if (n->right) node[k] = around(node[k], &node[n->right]);
        for (int i = 1; i < n->count && !n->right; i++) node[k] = around(node[k], &tri[n->first + i]);
    }
}

/* Coordinates in the island are rounded, and so are gaps. */
static void set_margin(tt_apart *apart)
{
    float most = 0, thickness = INFINITY;
    for (size_t i = 0; i < 4 * (size_t)apart->nparticles; i++)
        if (i % 4 < 3) most = most_of(most, fabsf(apart->x[i]));
    for (int i = 0; i < apart->nmembers; i++) thickness = least_of(thickness, apart->member[i].thickness);
    apart->margin = most_of(0.01f * thickness, 8 * 1.2e-7f * most);
}

/* ---- Fans ---- */

/* How far a particle may get from where it is. */
static float reach_of(const tt_apart *apart, int i)
{
    const float *x = &apart->x[4 * (size_t)i];
    const tt_apart_box *box = &apart->box[i];
    spot d = {most_of(x[0] - box->low[0], box->high[0] - x[0]), most_of(x[1] - box->low[1], box->high[1] - x[1]),
              most_of(x[2] - box->low[2], box->high[2] - x[2])};
    return sqrtf(dot(d, d));
}

typedef struct fan {
    const tt_apart *apart;
    const int *side; /* particles of the member */
    int first, n, vertex;
} fan;

static spot spoke(const fan *f, int particle)
{
    return minus(spot_of(&f->apart->x[4 * (size_t)(f->first + particle)]),
                 spot_of(&f->apart->x[4 * (size_t)(f->first + f->vertex)]));
}

static spot fan_normal(const fan *f)
{
    spot n = {0, 0, 0};
    for (int i = 0; i < f->n; i++) n = plus(n, cross(spoke(f, f->side[2 * i]), spoke(f, f->side[2 * i + 1])));
    float size = sqrtf(dot(n, n));
    return size > 0 ? times(n, 1 / size) : n;
}

/* The projection of every triangle keeps its sense of rotation, wherever the corners are in their boxes. */
static bool faces_one_side(const fan *f, spot n)
{
    float own = reach_of(f->apart, f->first + f->vertex);
    for (int i = 0; i < f->n; i++) {
        spot a = spoke(f, f->side[2 * i]), b = spoke(f, f->side[2 * i + 1]);
        float la = sqrtf(dot(a, a)), lb = sqrtf(dot(b, b));
        float da = own + reach_of(f->apart, f->first + f->side[2 * i]);
        float db = own + reach_of(f->apart, f->first + f->side[2 * i + 1]);
        if (!(dot(n, cross(a, b)) > 1.01f * (la * db + lb * da + da * db))) return false;
    }
    return true;
}

/* An open fan keeps out of the wedge of a right angle across from its middle, so its two ends cannot meet. */
static bool leaves_a_gap(const fan *f, spot n)
{
    float own = reach_of(f->apart, f->first + f->vertex);
    spot middle = {0, 0, 0};
    for (int i = 0; i < 2 * f->n; i++) {
        spot e = spoke(f, f->side[i]);
        float size = sqrtf(dot(e, e));
        if (size > 0) middle = plus(middle, times(e, 1 / size));
    }
    middle = minus(middle, times(n, dot(n, middle)));
    float size = sqrtf(dot(middle, middle));
    if (!(size > 0)) return false;
    middle = times(middle, 1 / size);
    for (int i = 0; i < f->n; i++) {
        float ahead[2], left[2];
        for (int k = 0; k < 2; k++) {
            spot e = spoke(f, f->side[2 * i + k]);
            float off = own + reach_of(f->apart, f->first + f->side[2 * i + k]);
            e = minus(e, times(n, dot(n, e)));
            ahead[k] = dot(e, middle) - off;
            left[k] = dot(n, cross(middle, e));
            if (!(ahead[k] > -0.7f * sqrtf(dot(e, e)) + off)) return false;
        }
        if (ahead[0] <= 0 && ahead[1] <= 0 && left[0] >= 0 && left[1] <= 0) return false;
    }
    return true;
}

static void judge_fans(void *argument, int number)
{
    tt_apart *apart = argument;
    const tt_apart_member *m = &apart->member[number];
    const tt_skin *skin = m->skin;
    for (int i = 0; i < m->count; i++) {
        fan f = {apart, &skin->fan_side[2 * (size_t)skin->fan_start[i]], m->first,
                 skin->fan_start[i + 1] - skin->fan_start[i], i};
        bool plain = skin->fan[i] != TT_FAN_NONE;
        spot n = plain ? fan_normal(&f) : (spot){0, 0, 0};
        plain = plain && faces_one_side(&f, n) && (skin->fan[i] == TT_FAN_CLOSED || leaves_a_gap(&f, n));
        apart->plain[m->first + i] = plain;
    }
}

/* ---- Pairs of features ---- */

typedef struct finder {
    tt_apart *apart;
    tt_apart_task *task;
    const tt_apart_member *a, *b;
} finder;

/* The gap along n, which need not be a unit vector, for all positions inside the boxes. */
static float gap_of_boxes(const tt_apart *apart, const int *particle, int kind, spot n)
{
    const float *o = &apart->x[4 * (size_t)particle[0]];
    float q[4], size[3] = {n.x, n.y, n.z};
    for (int k = 0; k < 4; k++) {
        const tt_apart_box *box = &apart->box[particle[k]];
        bool low = k < of_a(kind);
        q[k] = 0;
        for (int c = 0; c < 3; c++) {
            float end = (size[c] > 0) == low ? box->low[c] : box->high[c];
            q[k] += size[c] * (end - o[c]);
        }
    }
    return gap_of(kind, q);
}

/* Whether the line between the middles of A and B separates the boxes by the thickness. */
static bool is_far(const tt_apart *apart, const int *particle, int kind, float thickness)
{
    spot a = spot_of(&apart->x[4 * (size_t)particle[0]]), b = spot_of(&apart->x[4 * (size_t)particle[1]]);
    spot c = spot_of(&apart->x[4 * (size_t)particle[2]]), d = spot_of(&apart->x[4 * (size_t)particle[3]]);
    spot n = kind == TT_SIDE_ON_SIDE ? minus(plus(a, b), plus(c, d)) : minus(times(a, 3), plus(plus(b, c), d));
    float size = dot(n, n), gap = gap_of_boxes(apart, particle, kind, n);
    return gap > 0 && gap * gap >= 1.01f * thickness * thickness * size;
}

/* How much of the pair's boxes there is in all directions: 2^-20 of it is more than twice the rounding of a gap. */
static float rounding_of(const tt_apart *apart, const int *particle)
{
    tt_apart_box all = apart->box[particle[0]];
    for (int k = 1; k < 4; k++) all = around(all, &apart->box[particle[k]]);
    float extent = 0;
    for (int c = 0; c < 3; c++) extent += all.high[c] - all.low[c];
    return 9.6e-7f * extent;
}

/* Features that are close at rest cannot keep the whole thickness. */
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
            task->chunk = -1; /* the search is void anyway */
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

/* Features that are attached to each other touch for ever. */
static bool is_tied(const tt_apart *apart, const int *particle, int kind)
{
    for (int a = 0; a < of_a(kind) && apart->any_tied; a++)
        for (int b = of_a(kind); b < 4; b++)
            if (apart->tied[particle[a]] == apart->tied[particle[b]]) return true;
    return false;
}

static void consider(const finder *f, int kind, int i, int j, int k, int l)
{
    tt_apart *apart = f->apart;
    float thickness = 0.5f * (f->a->thickness + f->b->thickness);
    float far = most_of(thickness, 8 * apart->margin); /* more than a computed gap can be wrong by */
    tt_apart_pair pair = {.particle = {i, j, k, l}, .kind = (uint8_t)kind};
    if (is_far(apart, pair.particle, kind, far) || is_tied(apart, pair.particle, kind)) return;
    pair.rounding = rounding_of(apart, pair.particle);
    pair.usual = apart->margin + pair.rounding;
    choose_axis(apart->x, &pair);
    float room = gap_of_boxes(apart, pair.particle, kind, axis_of(&pair));
    if (room >= far) return;
    pair.near = least_of(pair.gap, gap_ahead(apart, &pair)) < NEAR * thickness;
    if (pair.near) pair.thickness = thickness_of(f, &pair, thickness);
    pair.friction = sqrtf(f->a->friction * f->b->friction);
    pair.watched = f->a->strict && f->b->strict && room < pair.usual;
    set_least(&pair);
    if (pair.watched || pair.near) keep(f, &pair);
}

/* A triangle's corners and sides as the island numbers them, with the boxes of those it owns. */
typedef struct candidate {
    const tt_skin_triangle *tri;
    int corner[3];
    tt_apart_box side[3];
} candidate;

static candidate candidate_of(const tt_apart *apart, const tt_apart_member *m, int t)
{
    candidate c = {.tri = &m->skin->tri[t]};
    for (int k = 0; k < 3; k++) c.corner[k] = c.tri->corner[k] + m->first;
    for (int k = 0; k < 3; k++)
        if (c.tri->owned_sides >> k & 1)
            c.side[k] = grown(around(apart->box[c.corner[k]], &apart->box[c.corner[(k + 1) % 3]]));
    return c;
}

static void corners_on_face(const finder *f, const candidate *s, const candidate *t, const tt_apart_box *face)
{
    const int *c = t->corner;
    for (int k = 0; k < 3 && t->tri->is_face; k++) {
        int v = s->corner[k];
        if (!(s->tri->owned_corners >> k & 1) || v == c[0] || v == c[1] || v == c[2]) continue;
        tt_apart_box corner = grown(f->apart->box[v]);
        if (overlap(&corner, face)) consider(f, TT_CORNER_ON_FACE, v, c[0], c[1], c[2]);
    }
}

static void sides_on_sides(const finder *f, const candidate *s, const candidate *t, const tt_apart_box *face)
{
    for (int k = 0; k < 3; k++) {
        if (!(s->tri->owned_sides >> k & 1) || !overlap(&s->side[k], face)) continue;
        int a = s->corner[k], b = s->corner[(k + 1) % 3];
        for (int l = 0; l < 3; l++) {
            int c = t->corner[l], d = t->corner[(l + 1) % 3];
            if (!(t->tri->owned_sides >> l & 1) || a == c || a == d || b == c || b == d) continue;
            if (overlap(&s->side[k], &t->side[l])) consider(f, TT_SIDE_ON_SIDE, a, b, c, d);
        }
    }
}

static void compare_triangles(const finder *f, int s, int t)
{
    const tt_apart_box *first = &f->apart->tri_box[f->a->first_tri + s], *second = &f->apart->tri_box[f->b->first_tri + t];
    candidate a = candidate_of(f->apart, f->a, s), b = candidate_of(f->apart, f->b, t);
    corners_on_face(f, &a, &b, second);
    corners_on_face(f, &b, &a, first);
    sides_on_sides(f, &a, &b, second);
}

/* The skin lists pairs that share a corner, if it is not crowded. */
static bool is_listed(const tt_skin *skin, const tt_skin_triangle *a, const tt_skin_triangle *b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (a->corner[i] == b->corner[j] && !skin->crowded[a->corner[i]]) return true;
    return false;
}

/* ---- Trees ---- */

static void compare_leaves(const finder *f, const tt_skin_node *a, const tt_skin_node *b)
{
    const tt_apart_box *box = f->apart->tri_box;
    bool same = f->a == f->b && a == b; /* bodies of one model have one skin */
    for (int i = a->first; i < a->first + a->count; i++)
        for (int j = same ? i + 1 : b->first; j < b->first + b->count; j++) {
            if (!overlap(&box[f->a->first_tri + i], &box[f->b->first_tri + j])) continue;
            if (f->a == f->b && is_listed(f->a->skin, &f->a->skin->tri[i], &f->b->skin->tri[j])) continue;
            compare_triangles(f, i, j);
        }
}

static void compare_nodes(const finder *f, int a, int b)
{
    const tt_skin_node *s = &f->a->skin->node[a], *t = &f->b->skin->node[b];
    bool same = f->a == f->b && a == b;
    if (!same && !overlap(&f->apart->node_box[f->a->first_node + a], &f->apart->node_box[f->b->first_node + b])) return;
    if (!s->right && !t->right) compare_leaves(f, s, t);
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

static void compare_neighbours(const finder *f, int first, int last)
{
    const tt_skin *skin = f->a->skin;
    const uint8_t *plain = &f->apart->plain[f->a->first];
    for (int i = first; i < last; i++) {
        const tt_skin_pair *p = &skin->pair[i];
        if (plain[p->shared[0]] || (p->shared[1] >= 0 && plain[p->shared[1]])) continue;
        compare_triangles(f, p->a, p->b);
    }
}

/* ---- Tasks ---- */

static void add_task(tt_apart *apart, tt_apart_task task)
{
    task.count = 0, task.chunk = -1;
    apart->task[apart->ntasks++] = task;
}

/* One task for each member is kept for the case that there is none left for each two of them. */
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
    if (!same && !overlap(&apart->node_box[ma->first_node + a], &apart->node_box[mb->first_node + b])) return;
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

static bool may_touch(const tt_apart_member *a, const tt_apart_member *b)
{
    return a == b || ((a->group & b->mask) && (b->group & a->mask));
}

static void plan_member(tt_apart *apart, int m)
{
    for (int o = m; o < apart->nmembers; o++) {
        if (!has_room(apart)) {
            add_task(apart, (tt_apart_task){.part = TT_MEMBERS, .member = m, .other = o});
            return;
        }
        if (may_touch(&apart->member[m], &apart->member[o])) plan_nodes(apart, m, o, 0, 0);
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

static void run_task(void *argument, int number)
{
    tt_apart *apart = argument;
    tt_apart_task *task = &apart->task[number];
    finder f = {apart, task, &apart->member[task->member], &apart->member[task->other]};
    if (task->part == TT_NEIGHBOURS) compare_neighbours(&f, task->a, task->b);
    else if (task->part == TT_NODES) compare_nodes(&f, task->a, task->b);
    for (; task->part == TT_MEMBERS && f.b < &apart->member[apart->nmembers]; f.b++)
        if (may_touch(f.a, f.b)) compare_nodes(&f, 0, 0);
}

/* Puts the pairs of all tasks in one list. */
static void gather_pairs(tt_apart *apart)
{
    apart->npairs = 0;
    for (int i = 0; i < apart->ntasks; i++) {
        const tt_apart_task *task = &apart->task[i];
        int chunk = task->first;
        for (int k = 0; k < task->count; k++) {
            apart->pair[apart->npairs++] = &apart->chunk[chunk].pair[k % TT_APART_CHUNK];
            if (k % TT_APART_CHUNK == TT_APART_CHUNK - 1) chunk = apart->next_chunk[chunk];
        }
    }
    for (int i = 0; i < apart->npairs; i++) {
        apart->count.watched += apart->pair[i]->watched;
        apart->count.stuck += apart->pair[i]->watched && apart->pair[i]->stuck;
    }
    apart->count.pairs += apart->npairs;
}

void tt_apart_search(tt_apart *apart, tt_apart_team team)
{
    set_margin(apart);
    team.run(apart->nmembers, box_member, apart, team.user);
    team.run(apart->nmembers, judge_fans, apart, team.user);
    plan(apart);
    atomic_store(&apart->nchunks, 0);
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
