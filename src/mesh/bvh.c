#include "mesh/bvh.h"

enum {
    LEAF_ITEMS = 2,
    MOST_DEPTH = 64 /* the tree is balanced, so it is no deeper than the bits of an int */
};

/* ---- Building: split at the median of the longest side of the centres --------------------------- */

typedef struct tt_bvh_centre {
    double at[3];
    int item;
} centre;

typedef struct builder {
    const tt_box *box;
    centre *centre;
    tt_bvh *bvh;
} builder;

static double coordinate(vec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

static void grow(tt_box *box, const double low[3], const double high[3])
{
    for (int axis = 0; axis < 3; axis++) { /* fmin would be a call each */
        if (low[axis] < box->low[axis]) box->low[axis] = low[axis];
        if (high[axis] > box->high[axis]) box->high[axis] = high[axis];
    }
}

void tt_box_grow(tt_box *box, const tt_box *other) { grow(box, other->low, other->high); }

tt_box tt_box_around(const vec3 *point, int count)
{
    tt_box box = {{point->x, point->y, point->z}, {point->x, point->y, point->z}};
    for (int i = 1; i < count; i++) {
        const double at[3] = {point[i].x, point[i].y, point[i].z};
        grow(&box, at, at);
    }
    return box;
}

static tt_box box_of_items(const builder *b, int first, int count)
{
    tt_box all = b->box[b->centre[first].item];
    for (int i = first + 1; i < first + count; i++) {
        const tt_box *box = &b->box[b->centre[i].item];
        grow(&all, box->low, box->high);
    }
    return all;
}

static int longest_side(const builder *b, int first, int count)
{
    tt_box all;
    for (int axis = 0; axis < 3; axis++) all.low[axis] = all.high[axis] = b->centre[first].at[axis];
    for (int i = first + 1; i < first + count; i++) grow(&all, b->centre[i].at, b->centre[i].at);
    int longest = 0;
    for (int axis = 1; axis < 3; axis++)
        if (all.high[axis] - all.low[axis] > all.high[longest] - all.low[longest]) longest = axis;
    return longest;
}

/* A total order, so that the tree does not depend on the order in which the items were stored before. */
static bool before(const centre *a, const centre *b, int axis)
{
    return a->at[axis] != b->at[axis] ? a->at[axis] < b->at[axis] : a->item < b->item;
}

static void swap(centre *a, centre *b)
{
    centre kept = *a;
    *a = *b;
    *b = kept;
}

/* Moves the `middle` smallest of `count` centres to the front (Hoare's quickselect). */
static void select_smallest(centre *c, int count, int middle, int axis)
{
    int low = 0, high = count - 1;
    while (low < high) {
        centre pivot = c[low + (high - low) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (before(&c[i], &pivot, axis)) i++;
            while (before(&pivot, &c[j], axis)) j--;
            if (i <= j) swap(&c[i++], &c[j--]);
        }
        if (middle <= j) high = j;
        else if (middle >= i) low = i;
        else return;
    }
}

static void build_node(builder *b, int node, int first, int count)
{
    tt_bvh *bvh = b->bvh;
    bvh->node[node].box = box_of_items(b, first, count);
    if (count <= LEAF_ITEMS) {
        bvh->node[node].first = first;
        bvh->node[node].count = count;
        return;
    }
    int half = count / 2, child = bvh->nnodes;
    bvh->nnodes += 2;
    bvh->node[node].first = child;
    bvh->node[node].count = 0; /* the last filling may have had a leaf there */
    select_smallest(b->centre + first, count, half, longest_side(b, first, count));
    build_node(b, child, first, half);
    build_node(b, child + 1, first + half, count - half);
}

/* Takes all arrays except the scratch. Leaves hold at least (LEAF_ITEMS + 1) / 2 items, and there are fewer inner nodes
 * than leaves. */
static bool take_tree(tt_scope *scope, int count, tt_bvh *bvh)
{
    size_t most = 2 * ((size_t)count / ((LEAF_ITEMS + 1) / 2) + 1);
    *bvh = (tt_bvh){.node = TT_TAKE(scope, tt_bvh_node, most), .item = TT_TAKE(scope, int, count)};
    return bvh->node && bvh->item;
}

bool tt_bvh_reserve(tt_scope *scope, int count, tt_bvh *bvh)
{
    bool ok = take_tree(scope, count, bvh);
    bvh->centre = TT_TAKE(scope, centre, count);
    return ok && bvh->centre;
}

/* If a box has no end, its centre can be anywhere, so 0 is taken. */
static double middle(double low, double high)
{
    double at = 0.5 * (low + high);
    return isfinite(at) ? at : 0;
}

void tt_bvh_fill(tt_bvh *bvh, const tt_box *box, int count)
{
    builder b = {box, bvh->centre, bvh};
    for (int i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) b.centre[i].at[axis] = middle(box[i].low[axis], box[i].high[axis]);
        b.centre[i].item = i;
    }
    bvh->nnodes = count > 0;
    if (count > 0) build_node(&b, 0, 0, count);
    for (int i = 0; i < count; i++) bvh->item[i] = b.centre[i].item;
}

bool tt_bvh_build(tt_scope *scope, const tt_box *box, int count, tt_bvh *bvh)
{
    tt_scope scratch;
    tt_scope_open(&scratch, &scope->allocator);
    bool ok = take_tree(scope, count, bvh);
    bvh->centre = TT_TAKE(&scratch, centre, count);
    ok = ok && bvh->centre;
    if (ok) tt_bvh_fill(bvh, box, count);
    bvh->centre = NULL;
    tt_scope_close(&scratch);
    return ok;
}

/* ---- Searching ------------------------------------------------------------------------------------ */

static double distance_to_box(const tt_box *box, vec3 p)
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        double at = coordinate(p, axis), below = box->low[axis] - at, above = at - box->high[axis];
        double out = below > above ? below : above;
        if (out > 0) sum += out * out;
    }
    return sum;
}

int tt_bvh_nearest(const tt_bvh *bvh, tt_distance *distance, const void *items, vec3 point, double *nearest)
{
    struct {
        int node;
        double distance;
    } stack[MOST_DEPTH];
    int depth = 0, found = -1;
    if (bvh->nnodes > 0) {
        stack[0].node = 0;
        stack[depth++].distance = distance_to_box(&bvh->node[0].box, point);
    }
    while (depth > 0) {
        depth--;
        if (stack[depth].distance >= *nearest) continue;
        const tt_bvh_node *node = &bvh->node[stack[depth].node];
        for (int i = node->first; i < node->first + node->count; i++) {
            double d = distance(items, bvh->item[i], point);
            if (d < *nearest) {
                *nearest = d;
                found = bvh->item[i];
            }
        }
        if (node->count > 0) continue;
        const double d[2] = {distance_to_box(&bvh->node[node->first].box, point),
                             distance_to_box(&bvh->node[node->first + 1].box, point)};
        int near = d[1] < d[0];
        for (int turn = 0; turn < 2; turn++) { /* the nearer child is to be popped first */
            int child = turn == 0 ? !near : near;
            stack[depth].node = node->first + child;
            stack[depth++].distance = d[child];
        }
    }
    return found;
}

int tt_bvh_nearest_from(const tt_bvh *bvh, tt_distance *distance, const void *items, vec3 point, int guess)
{
    double nearest = guess < 0 ? INFINITY : distance(items, guess, point);
    int nearer = tt_bvh_nearest(bvh, distance, items, point, &nearest);
    return nearer < 0 ? guess : nearer;
}

static bool overlap(const tt_box *a, const tt_box *b)
{
    for (int axis = 0; axis < 3; axis++)
        if (!(a->low[axis] <= b->high[axis] && b->low[axis] <= a->high[axis])) return false;
    return true;
}

/* Puts `item` in its place among the `count` smallest so far. If there are then more than `most`, drops the largest. */
static int insert(int item, int *found, int count, int most)
{
    if (count == most && item > found[count - 1]) return count;
    int at = count < most ? count : most - 1;
    for (; at > 0 && found[at - 1] > item; at--) found[at] = found[at - 1];
    found[at] = item;
    return count < most ? count + 1 : most;
}

int tt_bvh_overlapping(const tt_bvh *bvh, const tt_box *item, const tt_box *box, int after, int *found, int most)
{
    int stack[MOST_DEPTH], depth = 0, count = 0;
    if (bvh->nnodes > 0) stack[depth++] = 0;
    while (depth > 0) {
        const tt_bvh_node *node = &bvh->node[stack[--depth]];
        if (!overlap(&node->box, box)) continue;
        for (int i = node->first; i < node->first + node->count; i++) {
            int at = bvh->item[i];
            if (at > after && overlap(&item[at], box)) count = insert(at, found, count, most);
        }
        if (node->count > 0) continue;
        stack[depth++] = node->first;
        stack[depth++] = node->first + 1;
    }
    return count;
}

/* ---- Triangles ------------------------------------------------------------------------------------ */

/* How far along a b (0..1) the point closest to p is. */
static double closest_on_segment(vec3 p, vec3 a, vec3 b)
{
    vec3 ab = vec_sub(b, a);
    double length2 = vec_dot(ab, ab), along = vec_dot(vec_sub(p, a), ab);
    if (along <= 0) return 0; /* also when a and b coincide */
    return along >= length2 ? 1 : along / length2;
}

vec3 tt_closest_on_triangle(vec3 p, vec3 a, vec3 b, vec3 c, double weight[3])
{
    const vec3 corner[3] = {a, b, c};
    vec3 normal = vec_cross(vec_sub(b, a), vec_sub(c, a));
    double sum = 0;
    bool over = true;             /* p projects into the triangle */
    for (int i = 0; i < 3; i++) { /* areas of the triangles that p's projection makes with the sides */
        vec3 from = corner[(i + 1) % 3], to = corner[(i + 2) % 3];
        weight[i] = vec_dot(vec_cross(vec_sub(to, from), vec_sub(p, from)), normal);
        sum += weight[i];
        over = over && weight[i] >= 0;
    }
    if (over && sum > 0) {
        for (int i = 0; i < 3; i++) weight[i] /= sum;
        vec3 ab = vec_add(vec_scale(a, weight[0]), vec_scale(b, weight[1]));
        return vec_add(ab, vec_scale(c, weight[2]));
    }
    vec3 best = a;
    double nearest = INFINITY;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        double t = closest_on_segment(p, corner[i], corner[j]);
        vec3 at = vec_add(vec_scale(corner[i], 1 - t), vec_scale(corner[j], t));
        vec3 away = vec_sub(p, at);
        if (vec_dot(away, away) >= nearest) continue;
        nearest = vec_dot(away, away);
        best = at;
        weight[i] = 1 - t;
        weight[j] = t;
        weight[(i + 2) % 3] = 0;
    }
    return best;
}

static void corners_of(const taut_mesh *mesh, int t, vec3 corner[3])
{
    for (int i = 0; i < 3; i++) corner[i] = vec_of(mesh->x + 3 * (size_t)mesh->tri[3 * (size_t)t + (size_t)i]);
}

static double distance_to_triangle(const void *items, int t, vec3 p)
{
    const tt_triangles *triangles = items;
    vec3 corner[3];
    double weight[3];
    corners_of(triangles->mesh, t, corner);
    vec3 away = vec_sub(p, tt_closest_on_triangle(p, corner[0], corner[1], corner[2], weight));
    return vec_dot(away, away);
}

bool tt_triangles_build(tt_scope *scope, const taut_mesh *mesh, tt_triangles *triangles)
{
    tt_scope scratch;
    tt_scope_open(&scratch, &scope->allocator);
    tt_box *box = TT_TAKE(&scratch, tt_box, mesh->ntris);
    for (int t = 0; box && t < mesh->ntris; t++) {
        vec3 corner[3];
        corners_of(mesh, t, corner);
        box[t] = tt_box_around(corner, 3);
    }
    triangles->mesh = mesh;
    bool ok = box && tt_bvh_build(scope, box, mesh->ntris, &triangles->bvh);
    tt_scope_close(&scratch);
    return ok;
}

int tt_triangles_nearest(const tt_triangles *triangles, vec3 point)
{
    return tt_bvh_nearest_from(&triangles->bvh, distance_to_triangle, triangles, point, -1);
}

vec3 tt_triangles_closest(const tt_triangles *triangles, vec3 point)
{
    double weight[3];
    vec3 corner[3];
    corners_of(triangles->mesh, tt_triangles_nearest(triangles, point), corner);
    return tt_closest_on_triangle(point, corner[0], corner[1], corner[2], weight);
}
