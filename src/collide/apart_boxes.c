/* The boxes that particles, triangles and nodes of trees may not leave until the next search. */
#include "collide/apart_box.h"
#include "collide/apart_pair.h"

static const float ROOM = 0.2f; /* by the thickness: how far a particle may be off its expected way */
static const float ROOM_FOR_WAY = 0.1f; /* the same by the length of that way */
enum { SHARE = 1024 };

static void box_particle(tt_apart *apart, int i)
{
    const float *x = &apart->x[4 * (size_t)i], *way = &apart->way[4 * (size_t)i];
    tt_apart_box *box = &apart->box[i];
    float thickness = apart->member[apart->owner[i]].thickness;
    float room = ROOM * thickness + ROOM_FOR_WAY * sqrtf(dot(spot_of(way), spot_of(way)));
    for (int c = 0; c < 3; c++) {
        box->low[c] = least_of(x[c], x[c] + way[c]) - room;
        box->high[c] = most_of(x[c], x[c] + way[c]) + room;
    }
    box->high[3] = 0.5f * thickness;
    box->low[3] = -box->high[3];
}

static int end_of(int share, int count) { return (share + 1) * SHARE < count ? (share + 1) * SHARE : count; }

static void box_particles(void *argument, int share)
{
    tt_apart *apart = argument;
    for (int i = share * SHARE; i < end_of(share, apart->nparticles); i++) box_particle(apart, i);
}

static void box_tree(void *argument, int number)
{
    tt_apart *apart = argument;
    const tt_apart_member *m = &apart->member[number];
    const tt_apart_box *box = &apart->box[m->first];
    tt_apart_box *tri = &apart->tri_box[m->first_tri], *node = &apart->node_box[m->first_node];
    for (int t = 0; t < m->skin->ntris; t++) {
        const int *c = m->skin->tri[t].corner;
        tri[t] = tt_grown(tt_around(tt_around(box[c[0]], box[c[1]]), box[c[2]]));
    }
    for (int k = m->skin->nnodes - 1; k >= 0; k--) {
        const tt_skin_node *n = &m->skin->node[k];
        node[k] = n->right ? tt_around(node[k + 1], node[n->right]) : tri[n->first];
        for (int i = 1; i < n->count && !n->right; i++) node[k] = tt_around(node[k], tri[n->first + i]);
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
    const float *p = &apart->p[4 * (size_t)i];
    const tt_apart_box *box = &apart->box[i];
    bool out = false;
    for (int c = 0; c < 3; c++) out |= (p[c] < box->low[c]) | (p[c] > box->high[c]);
    return out;
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

int tt_apart_mend_boxes(tt_apart *apart, tt_apart_team team)
{
    int count = 0;
    for (int i = 0; i < apart->nparticles; i++) {
        apart->loose[i] = leaves(apart, i);
        count += apart->loose[i];
    }
    for (int i = 0; i < apart->nparticles && count; i++) {
        size_t at = 4 * (size_t)i;
        if (!apart->loose[i]) continue;
        for (size_t c = 0; c < 3; c++) apart->way[at + c] = apart->p[at + c] - apart->x[at + c];
        box_particle(apart, i);
    }
    if (!count) return 0;
    team.run(apart->nmembers, box_tree, apart, team.user);
    team.run(apart->nmembers, mark_member, apart, team.user);
    return count;
}
