/* The boxes that particles, triangles and nodes of trees may not leave until the next search.
 *
 * The box of a particle moves along its expected way, at an even speed. So particles that move together have small
 * boxes, however fast they are. A particle that leaves its box gets another, which moves along with it. If acceptance
 * holds the particle back, its box stands around the rest of its way. */
#include "collide/apart_box.h"
#include "collide/apart_pair.h"

static const float ROOM = 0.2f; /* by the thickness: how far a particle may be off its expected way */
static const float ROOM_FOR_WAY = 0.1f; /* the same by the length of that way */
enum { SHARE = 1024 };

static float room_of(const tt_apart *apart, int i, spot way)
{
    float thickness = apart->member[apart->owner[i]].thickness;
    float room = (apart->calm ? TT_CALM_ROOM : ROOM) * thickness + apart->slack;
    return room + ROOM_FOR_WAY * sqrtf(dot(way, way));
}

/* The box moves from one place to another between two searches. In each direction it has `room` around its middle. At
 * present the particle is at x. */
static void set_box(tt_apart *apart, int i, spot from, spot to, spot room)
{
    size_t at = 4 * (size_t)i;
    const float *x = &apart->x[at];
    const float ends[3][3] = {{from.x, from.y, from.z}, {to.x, to.y, to.z}, {room.x, room.y, room.z}};
    tt_apart_box *box = &apart->box[i];
    for (size_t c = 0; c < 3; c++) {
        apart->from[at + c] = ends[0][c], apart->to[at + c] = ends[1][c], apart->room[at + c] = ends[2][c];
        box->low[c] = least_of(x[c], ends[1][c]) - ends[2][c];
        box->high[c] = most_of(x[c], ends[1][c]) + ends[2][c];
    }
    box->high[3] = 0.5f * apart->member[apart->owner[i]].thickness;
    box->low[3] = -box->high[3];
}

/* The box stands around the way from x to `end`. */
static void box_around_way(tt_apart *apart, int i, spot end)
{
    spot x = spot_of(&apart->x[4 * (size_t)i]), way = minus(end, x), middle = plus(x, times(way, 0.5f));
    float room = room_of(apart, i, way);
    set_box(apart, i, middle, middle,
            (spot){room + 0.5f * fabsf(way.x), room + 0.5f * fabsf(way.y), room + 0.5f * fabsf(way.z)});
}

static void box_particle(tt_apart *apart, int i)
{
    spot x = spot_of(&apart->x[4 * (size_t)i]), way = spot_of(&apart->way[4 * (size_t)i]);
    float room = room_of(apart, i, way);
    set_box(apart, i, x, plus(x, way), (spot){room, room, room});
}

/* The box moves on as the particle moves in the present substep, from x to p. */
static void box_again(tt_apart *apart, int i)
{
    spot x = spot_of(&apart->x[4 * (size_t)i]), step = minus(spot_of(&apart->p[4 * (size_t)i]), x);
    spot from = minus(x, times(step, (float)(apart->substeps - apart->substeps_left - 1)));
    spot way = times(step, (float)apart->substeps);
    float room = room_of(apart, i, way);
    set_box(apart, i, from, plus(from, way), (spot){room, room, room});
}

static int end_of(int share, int count) { return (share + 1) * SHARE < count ? (share + 1) * SHARE : count; }

static void box_particles(void *argument, int share)
{
    tt_apart *apart = argument;
    for (int i = share * SHARE; i < end_of(share, apart->nparticles); i++) box_particle(apart, i);
}

static void box_leaf(const tt_apart_box *tri, int count, tt_leaf_boxes *leaf)
{
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < TT_LEAF; i++) {
            leaf->low[c][i] = i < count ? tri[i].low[c] : INFINITY;
            leaf->high[c][i] = i < count ? tri[i].high[c] : -INFINITY;
        }
}

/* In a search that is only for loose particles, all other boxes are right. */
static void box_tree(void *argument, int number)
{
    tt_apart *apart = argument;
    const tt_apart_member *m = &apart->member[number];
    const tt_apart_box *box = &apart->box[m->first];
    const uint8_t *loose_tri = &apart->loose_tri[m->first_tri], *loose_node = &apart->loose_node[m->first_node];
    tt_apart_box *tri = &apart->tri_box[m->first_tri], *node = &apart->node_box[m->first_node];
    for (int t = 0; t < m->skin->ntris; t++) {
        if (apart->again && !loose_tri[t]) continue;
        const tt_skin_triangle *s = &m->skin->tri[t];
        const int *c = s->corner;
        tt_apart_box *side = &apart->side_box[m->first_side + s->first_side];
        tri[t] = tt_grown(tt_around(tt_around(box[c[0]], box[c[1]]), box[c[2]]));
        for (int k = 0; k < 3; k++)
            if (s->owned_sides >> k & 1) *side++ = tt_grown(tt_around(box[c[k]], box[c[(k + 1) % 3]]));
    }
    for (int k = m->skin->nnodes - 1; k >= 0; k--) {
        const tt_skin_node *n = &m->skin->node[k];
        if (apart->again && !loose_node[k]) continue;
        node[k] = n->right ? tt_around(node[k + 1], node[n->right]) : tri[n->first];
        if (n->right) continue;
        for (int i = 1; i < n->count; i++) node[k] = tt_around(node[k], tri[n->first + i]);
        box_leaf(&tri[n->first], n->count, &apart->leaf_boxes[m->first_leaf + n->leaf]);
    }
}

/* The margin of gaps covers the rounding of coordinates. */
static void set_margin(tt_apart *apart)
{
    float most = 0, thickness = INFINITY;
    for (size_t i = 0; i < 4 * (size_t)apart->nparticles; i++)
        if (i % 4 < 3) most = most_of(most, fabsf(apart->x[i]));
    for (int i = 0; i < apart->nmembers; i++) thickness = least_of(thickness, apart->member[i].thickness);
    apart->margin = most_of(0.01f * thickness, 8 * 1.2e-7f * most);
}

void tt_apart_make_boxes(tt_apart *apart, tt_apart_team team)
{
    set_margin(apart);
    team.run((apart->nparticles + SHARE - 1) / SHARE, box_particles, apart, team.user);
    team.run(apart->nmembers, box_tree, apart, team.user);
}

/* ---- Leaving ---- */

static bool leaves(const tt_apart *apart, int i)
{
    const tt_apart_member *m = &apart->member[apart->owner[i]];
    if (i - m->first >= m->used) return false;
    spot off = off_box(apart, i);
    const float *room = &apart->room[4 * (size_t)i];
    return (fabsf(off.x) > room[0]) | (fabsf(off.y) > room[1]) | (fabsf(off.z) > room[2]);
}

static void mark_member(void *argument, int number)
{
    tt_apart *apart = argument;
    const tt_apart_member *m = &apart->member[number];
    const uint8_t *loose = &apart->loose[m->first];
    uint8_t *tri = &apart->loose_tri[m->first_tri], *node = &apart->loose_node[m->first_node];
    for (int t = 0; t < m->skin->ntris; t++) {
        const int *c = m->skin->tri[t].corner;
        tri[t] = loose[c[0]] | loose[c[1]] | loose[c[2]];
    }
    for (int k = m->skin->nnodes - 1; k >= 0; k--) {
        const tt_skin_node *n = &m->skin->node[k];
        node[k] = n->right ? node[k + 1] | node[n->right] : 0;
        for (int i = 0; i < n->count && !n->right; i++) node[k] |= tri[n->first + i];
    }
}

int tt_apart_mend_boxes(tt_apart *apart, const float *end, tt_apart_team team)
{
    int count = 0;
    for (int i = 0; i < apart->nparticles; i++) {
        apart->loose[i] = leaves(apart, i);
        count += apart->loose[i];
    }
    for (int i = 0; i < apart->nparticles && count; i++) {
        if (!apart->loose[i]) continue;
        if (end == apart->p) box_again(apart, i);
        else box_around_way(apart, i, spot_of(&end[4 * (size_t)i]));
    }
    if (!count) return 0;
    apart->again = true;
    team.run(apart->nmembers, mark_member, apart, team.user);
    team.run(apart->nmembers, box_tree, apart, team.user);
    return count;
}
