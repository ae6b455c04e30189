/* Removes the crossings of triangles that a start may have, over time.
 *
 * A crossing is an edge that passes through a triangle. The line along which two surfaces cross becomes shorter if the
 * edge moves along
 *
 *     G = sum of R - 2 N (E.R) / (E.N)        over the faces of the edge
 *
 * against the triangle (Volino and Magnenat-Thalmann 2006). E is the direction of the edge, N the normal of the
 * triangle, and R leads along the crossing line from the edge into the face.
 *
 * If the crossing line is straight and goes across a whole sheet, it has no direction in which it gets shorter. But it
 * cuts the sheet in parts, and the smallest part has the shortest way out. So edges that lead from one part to another
 * move towards the larger part.
 *
 * If the two surfaces have different layers, all this does not matter. Of two triangles that cross, the corners of the
 * higher layer that are behind the other triangle move to where it faces, and that triangle moves back.
 *
 * Features that are both part of a crossing are not kept apart until the next search, nor are those that begin so close
 * that no axis separates them. All other features are. So once the last crossing is gone, none comes back. */
#include "collide/apart_pair.h"
#include "mesh/pierce.h"

#include <string.h>

/* Crossings are drawn out by ESCAPE layers a second. A layer is a share of the thickness, or of the mean edge if that
 * is more. */
static const float LAYER_OF_EDGE = 0.02f, LAYER = 0.5f, ESCAPE = 480;
/* With more crossings than this for each triangle, all are drawn out more slowly. Where layers lie in one place,
 * crossings draw in all directions, and would tear the cloth to and fro. */
static const float MANY = 0.2f;

/* The triangles are compared twice. First the sides that are cut are marked. Then crossings draw at their particles. */
typedef struct hunt {
    tt_apart *apart;
    const tt_apart_member *a, *b;
    bool draws;
    int crossings;
} hunt;

static spot place_of(const tt_apart *apart, int particle) { return spot_of(&apart->x[4 * (size_t)particle]); }

static spot normal_of(const tt_apart *apart, const int *corner)
{
    spot a = place_of(apart, corner[0]);
    spot n = cross(minus(place_of(apart, corner[1]), a), minus(place_of(apart, corner[2]), a));
    float size = sqrtf(dot(n, n));
    return size > 0 ? times(n, 1 / size) : (spot){0, 0, 0};
}

/* The part of one face in G. Its side leads from corner k to the next one. */
static spot way_out(const tt_apart *apart, const int *face, int k, const int *triangle)
{
    spot from = place_of(apart, face[k]), e = minus(place_of(apart, face[(k + 1) % 3]), from);
    spot n = normal_of(apart, triangle), r = cross(n, normal_of(apart, face));
    float size = sqrtf(dot(r, r)), length = sqrtf(dot(e, e));
    if (!(size > 0) || !(length > 0)) return n;
    r = times(r, 1 / size), e = times(e, 1 / length);
    spot in = minus(place_of(apart, face[(k + 2) % 3]), from);
    in = minus(in, times(e, dot(e, in)));
    if (dot(r, in) < 0) r = times(r, -1);
    float steep = dot(e, n);
    if (fabsf(steep) < 0.1f) steep = steep < 0 ? -0.1f : 0.1f;
    return minus(r, times(n, 2 * dot(e, r) / steep));
}

/* ---- Parts that are cut off ---- */

/* The lowest particle of the part. At the lowest particle, `part` is minus the number of particles of the part. */
static int part_of(const tt_apart *apart, int i)
{
    int *part = apart->part;
    for (; part[i] >= 0; i = part[i])
        if (part[part[i]] >= 0) part[i] = part[part[i]];
    return i;
}

static void join(tt_apart *apart, int i, int j)
{
    i = part_of(apart, i), j = part_of(apart, j);
    if (i == j) return;
    int low = i < j ? i : j, high = i < j ? j : i;
    apart->part[low] += apart->part[high];
    apart->part[high] = low;
}

static int size_of_part(const tt_apart *apart, int i) { return -apart->part[part_of(apart, i)]; }

static void join_parts(tt_apart *apart)
{
    for (int i = 0; i < apart->nparticles; i++) apart->part[i] = -1;
    for (int m = 0; m < apart->nmembers; m++) {
        const tt_apart_member *member = &apart->member[m];
        for (int t = 0; t < member->skin->ntris; t++) {
            const int *corner = member->skin->tri[t].corner;
            for (int k = 0; k < 3; k++)
                if (!(apart->cut[member->first_tri + t] >> k & 1))
                    join(apart, member->first + corner[k], member->first + corner[(k + 1) % 3]);
        }
    }
}

/* ---- Crossings ---- */

static void draw(tt_apart *apart, int particle, spot by)
{
    float *pull = &apart->pull[4 * (size_t)particle];
    pull[0] += by.x, pull[1] += by.y, pull[2] += by.z;
}

/* Particles that are attached to each other count as one. */
static int tied_to(const tt_apart *apart, int i) { return apart->any_tied ? apart->tied[i] : i; }

static bool shares(const tt_apart *apart, const int *corner, int i, int j)
{
    for (int k = 0; k < 3; k++) {
        int own = tied_to(apart, corner[k]);
        if (own == tied_to(apart, i) || own == tied_to(apart, j)) return true;
    }
    return false;
}

/* The direction in which side k of the face has to go. */
static spot way_of(const hunt *h, const int *face, int k, const int *triangle)
{
    const tt_apart *apart = h->apart;
    int i = face[k], j = face[(k + 1) % 3];
    if (part_of(apart, i) == part_of(apart, j)) return way_out(apart, face, k, triangle);
    int first = size_of_part(apart, i), second = size_of_part(apart, j), small = first < second ? first : second;
    spot e = minus(place_of(apart, j), place_of(apart, i));
    float size = sqrtf(dot(e, e)), share = (float)small / (float)(first + second);
    return times(e, size > 0 ? (first < second ? 1 : -1) * (1.1f - 2 * share) / size : 0);
}

/* By how many layers the first of two particles belongs outside of the second. */
static int layers_out(const tt_apart *apart, int i, int j)
{
    return apart->member[apart->owner[i]].layer - apart->member[apart->owner[j]].layer;
}

/* Draws the corners of the outer triangle that are behind the inner one to its front, and the inner one back. */
static void draw_out(tt_apart *apart, const int *outer, const int *inner)
{
    spot n = normal_of(apart, inner);
    for (int c = 0; c < 3; c++) {
        if (!(dot(n, minus(place_of(apart, outer[c]), place_of(apart, inner[0]))) < 0)) continue;
        draw(apart, outer[c], n);
        for (int k = 0; k < 3; k++) draw(apart, inner[k], times(n, -1 / 3.0f));
    }
}

static void cross_side(hunt *h, const int *face, int k, const int *triangle, uint8_t *cut)
{
    tt_apart *apart = h->apart;
    int i = face[k], j = face[(k + 1) % 3];
    h->crossings++;
    *cut |= (uint8_t)(1 << k);
    apart->tangled[i] = apart->tangled[j] = 1;
    for (int c = 0; c < 3; c++) apart->tangled[triangle[c]] = 1;
    if (!h->draws) return;
    int out = layers_out(apart, face[0], triangle[0]);
    if (out != 0) {
        draw_out(apart, out > 0 ? face : triangle, out > 0 ? triangle : face);
        return;
    }
    spot way = way_of(h, face, k, triangle);
    draw(apart, i, way), draw(apart, j, way);
    for (int c = 0; c < 3; c++) draw(apart, triangle[c], times(way, -1));
}

/* Compares all sides of the face with the triangle. */
static void cross_sides(hunt *h, const int *face, const int *triangle, uint8_t *cut)
{
    const float *x = h->apart->x, *corner[3];
    for (int k = 0; k < 3; k++) corner[k] = &x[4 * (size_t)triangle[k]];
    for (int k = 0; k < 3; k++) {
        int i = face[k], j = face[(k + 1) % 3];
        if (i == j || shares(h->apart, triangle, i, j)) continue;
        if (tt_pierces(&x[4 * (size_t)i], &x[4 * (size_t)j], corner)) cross_side(h, face, k, triangle, cut);
    }
}

static void cross_triangles(hunt *h, int s, int t)
{
    const tt_skin_triangle *a = &h->a->skin->tri[s], *b = &h->b->skin->tri[t];
    uint8_t *cut = h->apart->cut;
    int first[3], second[3];
    for (int k = 0; k < 3; k++) first[k] = a->corner[k] + h->a->first, second[k] = b->corner[k] + h->b->first;
    if (b->is_face) cross_sides(h, first, second, &cut[h->a->first_tri + s]);
    if (a->is_face) cross_sides(h, second, first, &cut[h->b->first_tri + t]);
}

static bool overlap(const tt_apart_box *a, const tt_apart_box *b)
{
    for (int c = 0; c < 3; c++)
        if (a->low[c] > b->high[c] || b->low[c] > a->high[c]) return false;
    return true;
}

static void cross_leaves(hunt *h, const tt_skin_node *a, const tt_skin_node *b)
{
    const tt_apart_box *box = h->apart->tri_box;
    bool same = h->a == h->b && a == b;
    for (int i = a->first; i < a->first + a->count; i++)
        for (int j = same ? i + 1 : b->first; j < b->first + b->count; j++)
            if (overlap(&box[h->a->first_tri + i], &box[h->b->first_tri + j])) cross_triangles(h, i, j);
}

static void cross_nodes(hunt *h, int a, int b)
{
    const tt_skin_node *s = &h->a->skin->node[a], *t = &h->b->skin->node[b];
    const tt_apart_box *box = h->apart->node_box;
    bool same = h->a == h->b && a == b;
    if (!same && !overlap(&box[h->a->first_node + a], &box[h->b->first_node + b])) return;
    if (!s->right && !t->right) cross_leaves(h, s, t);
    else if (same) {
        cross_nodes(h, a + 1, a + 1);
        cross_nodes(h, s->right, s->right);
        cross_nodes(h, a + 1, s->right);
    } else if (!t->right || (s->right && s->count >= t->count)) {
        cross_nodes(h, a + 1, b);
        cross_nodes(h, s->right, b);
    } else {
        cross_nodes(h, a, b + 1);
        cross_nodes(h, a, t->right);
    }
}

/* Shortens a pull to a length of at most 1. */
static void shorten(float *pull)
{
    spot v = spot_of(pull);
    float size = sqrtf(dot(v, v));
    for (int c = 0; c < 3 && size > 1; c++) pull[c] /= size;
}

/* Returns how many pairs that were watched are let go of. */
static int let_go(tt_apart *apart)
{
    const uint8_t *tangled = apart->tangled;
    int count = 0;
    for (int i = 0; i < apart->npairs; i++) {
        tt_apart_pair *pair = apart->pair[i];
        const int *p = pair->particle;
        bool edges = pair->kind == TT_SIDE_ON_SIDE;
        bool a = tangled[p[0]] || (edges && tangled[p[1]]),
             b = tangled[p[2]] || tangled[p[3]] || (!edges && tangled[p[1]]);
        if (!(a && b) && !pair->stuck) continue;
        count += pair->watched;
        pair->watched = pair->near = false;
    }
    return count;
}

static void hunt_all(hunt *h)
{
    tt_apart *apart = h->apart;
    h->crossings = 0;
    for (int a = 0; a < apart->nmembers; a++)
        for (int b = a; b < apart->nmembers; b++) {
            h->a = &apart->member[a], h->b = &apart->member[b];
            if (tt_apart_contact(apart, h->a, h->b) != TAUT_CONTACT_OFF) cross_nodes(h, 0, 0);
        }
}

void tt_apart_find_tangles(tt_apart *apart)
{
    hunt h = {.apart = apart};
    memset(apart->tangled, 0, (size_t)apart->nparticles);
    memset(apart->cut, 0, (size_t)apart->ntris);
    memset(apart->pull, 0, 4 * (size_t)apart->nparticles * sizeof *apart->pull);
    hunt_all(&h);
    apart->any_tangled = h.crossings > 0;
    apart->haste = least_of(1, MANY * (float)apart->ntris / most_of(1, (float)h.crossings));
    if (apart->any_tangled) {
        join_parts(apart);
        h.draws = true;
        hunt_all(&h);
        for (int i = 0; i < apart->nparticles; i++) shorten(&apart->pull[4 * (size_t)i]);
    }
    int loose = let_go(apart);
    apart->may_cross = apart->any_tangled || loose > 0;
}

void tt_apart_untangle(tt_apart *apart, float h)
{
    for (int m = 0; m < apart->nmembers; m++) {
        const tt_apart_member *member = &apart->member[m];
        float layer = most_of(LAYER * member->thickness, LAYER_OF_EDGE * member->skin->mean_edge);
        float way = apart->haste * ESCAPE * h * layer;
        for (int i = member->first; i < member->first + member->count; i++)
            for (size_t c = 0; c < 3 && apart->tangled[i]; c++) {
                size_t at = 4 * (size_t)i + c;
                float by = apart->p[4 * (size_t)i + 3] > 0 ? way * apart->pull[at] : 0;
                apart->p[at] += by, apart->moved[at] += by;
            }
    }
}
