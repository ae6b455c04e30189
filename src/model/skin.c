#include "model/skin.h"

#include "base/vec.h"
#include "mesh/surface.h"

#include <math.h>
#include <string.h>


/* ---- Triangles ---- */

static void add_triangle(tt_skin *skin, const int *place, const int *vertex, int corners)
{
    tt_skin_triangle *t = &skin->tri[skin->ntris++];
    for (int k = 0; k < 3; k++) t->corner[k] = place[vertex[k < corners ? k : corners - 1]];
    t->is_face = corners == 3;
}

static bool take_triangles(tt_scope *scope, tt_scope *scratch, const taut_mesh *mesh, const int *place, tt_skin *skin)
{
    int nsurface = 0;
    int *surface = tt_surface(scratch, mesh->x, mesh->tet, mesh->ntets, &nsurface);
    size_t most = (size_t)mesh->ntris + (size_t)nsurface + (size_t)mesh->nlines;
    skin->tri = TT_TAKE(scope, tt_skin_triangle, most);
    if (!surface || !skin->tri) return false;
    for (int i = 0; i < mesh->ntris; i++) add_triangle(skin, place, &mesh->tri[3 * (size_t)i], 3);
    for (int i = 0; i < nsurface && mesh->ntris == 0; i++) add_triangle(skin, place, &surface[3 * (size_t)i], 3);
    for (int i = 0; i < mesh->nlines; i++) add_triangle(skin, place, &mesh->line[2 * (size_t)i], 2);
    return true;
}

/* ---- The tree ---- */

typedef struct grower {
    tt_skin *skin;
    const float *rest;
} grower;

static float middle(const grower *g, int t, int axis)
{
    const int *c = g->skin->tri[t].corner;
    float sum = 0;
    for (int k = 0; k < 3; k++) sum += g->rest[4 * (size_t)c[k] + (size_t)axis];
    return sum;
}

static int widest_axis(const grower *g, int first, int last)
{
    int widest = 0;
    float most = -1;
    for (int axis = 0; axis < 3; axis++) {
        float low = INFINITY, high = -INFINITY;
        for (int i = first; i < last; i++) {
            float m = middle(g, i, axis);
            low = m < low ? m : low;
            high = m > high ? m : high;
        }
        if (high - low > most) most = high - low, widest = axis;
    }
    return widest;
}

static void swap(tt_skin_triangle *a, tt_skin_triangle *b)
{
    tt_skin_triangle t = *a;
    *a = *b, *b = t;
}

/* Hoare's selection: puts the triangle that is in the middle by its place along the axis into the middle of the
 * range. */
static void halve(const grower *g, int first, int last, int axis)
{
    int half = first + (last - first) / 2, low = first, high = last - 1;
    tt_skin_triangle *tri = g->skin->tri;
    while (low < high) {
        float pivot = middle(g, low + (high - low) / 2, axis);
        int i = low, j = high;
        while (i <= j) {
            while (middle(g, i, axis) < pivot) i++;
            while (middle(g, j, axis) > pivot) j--;
            if (i <= j) swap(&tri[i++], &tri[j--]);
        }
        if (half <= j) high = j;
        else if (half >= i) low = i;
        else return;
    }
}

static void grow(const grower *g, int first, int last)
{
    tt_skin_node *node = &g->skin->node[g->skin->nnodes++];
    *node = (tt_skin_node){.first = first, .count = last - first};
    if (last - first <= TT_LEAF) {
        node->leaf = g->skin->nleaves++;
        return;
    }
    halve(g, first, last, widest_axis(g, first, last));
    int half = first + (last - first) / 2;
    grow(g, first, half);
    node->right = g->skin->nnodes;
    grow(g, half, last);
}

static bool grow_tree(tt_scope *scope, const float *rest, tt_skin *skin)
{
    skin->node = TT_TAKE(scope, tt_skin_node, 2 * (size_t)skin->ntris + 1);
    if (!skin->node) return false;
    if (skin->ntris) grow(&(grower){skin, rest}, 0, skin->ntris);
    return true;
}

static bool fill_leaves(tt_scope *scope, tt_skin *skin)
{
    skin->leaf = TT_TAKE(scope, tt_skin_leaf, skin->nleaves);
    if (!skin->leaf) return false;
    memset(skin->leaf, -1, (size_t)skin->nleaves * sizeof *skin->leaf);
    for (int n = 0; n < skin->nnodes; n++) {
        const tt_skin_node *node = &skin->node[n];
        for (int i = 0; i < node->count && !node->right; i++)
            for (int k = 0; k < 3; k++) {
                int corner = skin->tri[node->first + i].corner[k];
                if (!skin->crowded[corner]) skin->leaf[node->leaf].corner[k][i] = corner;
            }
    }
    return true;
}

/* ---- Neighbours ---- */

/* The triangles at each particle: at[start[i]] .. */
typedef struct corners {
    int *start, *at;
    uint8_t *first; /* per triangle: none before it has the same corners */
} corners;

static int distinct_corners(const tt_skin_triangle *t) { return t->is_face ? 3 : 2; }

static bool list_corners(tt_scope *scratch, const tt_skin *skin, int nparticles, corners *c)
{
    c->start = TT_TAKE(scratch, int, (size_t)nparticles + 2);
    c->at = TT_TAKE(scratch, int, 3 * (size_t)skin->ntris);
    c->first = TT_TAKE(scratch, uint8_t, skin->ntris);
    if (!c->start || !c->at || !c->first) return false;
    for (int t = 0; t < skin->ntris; t++)
        for (int k = 0; k < distinct_corners(&skin->tri[t]); k++) c->start[skin->tri[t].corner[k] + 2]++;
    for (int i = 2; i <= nparticles + 1; i++) c->start[i] += c->start[i - 1];
    for (int t = 0; t < skin->ntris; t++)
        for (int k = 0; k < distinct_corners(&skin->tri[t]); k++) c->at[c->start[skin->tri[t].corner[k] + 1]++] = t;
    return true;
}

static bool has_side(const tt_skin_triangle *t, int a, int b)
{
    int sides = t->is_face ? 3 : 1;
    for (int k = 0; k < sides; k++) {
        int c = t->corner[k], d = t->corner[(k + 1) % 3];
        if ((a == c && b == d) || (a == d && b == c)) return true;
    }
    return false;
}

static int around(const corners *c, int particle) { return c->start[particle + 1] - c->start[particle]; }

/* The particle with fewer triangles around it. */
static int fewer(const corners *c, int a, int b) { return around(c, a) <= around(c, b) ? a : b; }

/* A corner or side is owned by the first triangle that has it. */
static void share_out(tt_skin *skin, const corners *c)
{
    for (int t = 0; t < skin->ntris; t++) {
        tt_skin_triangle *tri = &skin->tri[t];
        for (int k = 0; k < distinct_corners(tri); k++)
            if (c->at[c->start[tri->corner[k]]] == t) tri->owned_corners |= (uint8_t)(1 << k);
        for (int k = 0; k < (tri->is_face ? 3 : 1); k++) {
            int a = tri->corner[k], b = tri->corner[(k + 1) % 3], i = c->start[fewer(c, a, b)];
            while (!has_side(&skin->tri[c->at[i]], a, b)) i++;
            if (c->at[i] == t) tri->owned_sides |= (uint8_t)(1 << k);
        }
        tri->first_side = skin->nsides;
        for (int k = 0; k < 3; k++) skin->nsides += tri->owned_sides >> k & 1;
    }
}

/* Finds the corners that two triangles share: at most two, because no two triangles have the same three corners. */
static void shared_corners(const tt_skin *skin, const tt_skin_triangle *a, const tt_skin_triangle *b, int shared[2])
{
    int count = 0;
    shared[0] = shared[1] = -1;
    for (int i = 0; i < distinct_corners(a); i++)
        for (int j = 0; j < distinct_corners(b) && count < 2; j++)
            if (a->corner[i] == b->corner[j] && !skin->crowded[a->corner[i]]) shared[count++] = a->corner[i];
}

static int list_pairs_of(const tt_skin *skin, const corners *c, int t, tt_skin_pair *to)
{
    int count = 0;
    const tt_skin_triangle *tri = &skin->tri[t];
    for (int k = 0; k < distinct_corners(tri); k++)
        for (int i = c->start[tri->corner[k]]; i < c->start[tri->corner[k] + 1]; i++) {
            int other = c->at[i], shared[2];
            if (skin->crowded[tri->corner[k]]) break;
            if (other <= t) continue;
            shared_corners(skin, tri, &skin->tri[other], shared);
            if (shared[0] != tri->corner[k] || (!tri->is_face && !skin->tri[other].is_face)) continue;
            if (to) to[count] = (tt_skin_pair){t, other, {shared[0], shared[1]}};
            count++;
        }
    return count;
}

static bool list_pairs(tt_scope *scope, tt_skin *skin, const corners *c)
{
    int64_t count = 0;
    for (int t = 0; t < skin->ntris; t++) count += list_pairs_of(skin, c, t, NULL);
    if (count > INT32_MAX) return false;
    skin->pair = TT_TAKE(scope, tt_skin_pair, count);
    if (!skin->pair) return false;
    for (int t = 0; t < skin->ntris; t++) skin->npairs += list_pairs_of(skin, c, t, &skin->pair[skin->npairs]);
    return true;
}

static bool find_crowded(tt_scope *scope, tt_skin *skin, const corners *c, int nparticles)
{
    skin->crowded = TT_TAKE(scope, uint8_t, nparticles);
    for (int i = 0; i < nparticles && skin->crowded; i++) skin->crowded[i] = around(c, i) > TT_FAN_MOST;
    return skin->crowded != NULL;
}

/* ---- Copies of triangles ---- */

static bool has_corner(const tt_skin_triangle *t, int particle)
{
    return t->corner[0] == particle || t->corner[1] == particle || t->corner[2] == particle;
}

static bool is_same(const tt_skin_triangle *a, const tt_skin_triangle *b)
{
    for (int k = 0; k < 3; k++)
        if (!has_corner(a, b->corner[k]) || !has_corner(b, a->corner[k])) return false;
    return true;
}

/* Leaves out triangles with the same corners as an earlier one, because they have no features of their own. */
static void drop_copies(tt_skin *skin, const corners *c)
{
    int kept = 0;
    for (int t = 0; t < skin->ntris; t++) {
        const int *corner = skin->tri[t].corner;
        int i = c->start[fewer(c, fewer(c, corner[0], corner[1]), corner[2])];
        while (!is_same(&skin->tri[c->at[i]], &skin->tri[t])) i++;
        c->first[t] = c->at[i] == t;
    }
    for (int t = 0; t < skin->ntris; t++)
        if (c->first[t]) skin->tri[kept++] = skin->tri[t];
    skin->ntris = kept;
}

/* ---- Fans ---- */

/* Puts the sides of a fan in order, so that each begins where the last one ends. */
static tt_fan arrange(int *side, int n)
{
    int begin = 0;
    for (int i = 0; i < n; i++) {
        bool follows = false;
        for (int j = 0; j < n; j++) follows = follows || side[2 * j + 1] == side[2 * i];
        if (!follows) begin = i;
    }
    for (int i = 0; i < n; i++) {
        int next = i == 0 ? begin : i;
        while (i > 0 && next < n && side[2 * next] != side[2 * i - 1]) next++;
        if (next == n) return TT_FAN_NONE;
        int a = side[2 * next], b = side[2 * next + 1];
        side[2 * next] = side[2 * i], side[2 * next + 1] = side[2 * i + 1];
        side[2 * i] = a, side[2 * i + 1] = b;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (side[2 * i] == side[2 * j] || side[2 * i + 1] == side[2 * j + 1]) return TT_FAN_NONE;
    return side[2 * n - 1] == side[0] ? TT_FAN_CLOSED : TT_FAN_OPEN;
}

static bool list_fans(tt_scope *scope, tt_skin *skin, const corners *c, int nparticles)
{
    skin->fan = TT_TAKE(scope, uint8_t, nparticles);
    skin->fan_start = TT_TAKE(scope, int, (size_t)nparticles + 1);
    skin->fan_side = TT_TAKE(scope, int, 6 * (size_t)skin->ntris);
    if (!skin->fan || !skin->fan_start || !skin->fan_side) return false;
    for (int i = 0; i < nparticles; i++) {
        int n = 0, *side = &skin->fan_side[2 * (size_t)skin->fan_start[i]];
        bool plain = !skin->crowded[i];
        for (int k = c->start[i]; k < c->start[i + 1] && plain; k++) {
            const tt_skin_triangle *t = &skin->tri[c->at[k]];
            int at = t->corner[0] == i ? 0 : t->corner[1] == i ? 1 : 2;
            plain = t->is_face;
            side[2 * n] = t->corner[(at + 1) % 3], side[2 * n + 1] = t->corner[(at + 2) % 3];
            n++;
        }
        skin->fan[i] = (uint8_t)(plain && n ? arrange(side, n) : TT_FAN_NONE);
        skin->fan_start[i + 1] = skin->fan_start[i] + (plain ? n : 0);
    }
    return true;
}

static float mean_edge(const tt_skin *skin, const float *rest)
{
    double sum = 0;
    int64_t count = 0;
    for (int t = 0; t < skin->ntris; t++)
        for (int k = 0; k < 3; k++) {
            const int *c = skin->tri[t].corner;
            if (!(skin->tri[t].owned_sides >> k & 1)) continue;
            sum += vec_length(vec_sub(vec_of(&rest[4 * (size_t)c[k]]), vec_of(&rest[4 * (size_t)c[(k + 1) % 3]])));
            count++;
        }
    return count ? (float)(sum / (double)count) : 0;
}

bool tt_skin_build(tt_scope *scope, tt_scope *scratch, const taut_mesh *mesh, const int *place, const float *rest,
                   int nparticles, tt_skin *skin)
{
    corners c;
    *skin = (tt_skin){0};
    if (!take_triangles(scope, scratch, mesh, place, skin)) return false;
    if (!list_corners(scratch, skin, nparticles, &c)) return false;
    drop_copies(skin, &c);
    if (!grow_tree(scope, rest, skin) || !list_corners(scratch, skin, nparticles, &c) ||
        !find_crowded(scope, skin, &c, nparticles) || !fill_leaves(scope, skin))
        return false;
    share_out(skin, &c);
    skin->mean_edge = mean_edge(skin, rest);
    return list_pairs(scope, skin, &c) && list_fans(scope, skin, &c, nparticles);
}
