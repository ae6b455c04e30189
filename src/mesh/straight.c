/* A plane through both vertices, upright on the surface, cuts a strip of triangles. The strip is unfolded into one
 * plane. The sides that the way crosses are then a row of gates. A string that is pulled tight through the gates is the
 * shortest way within the strip. Such a way is real, so it is never shorter than the shortest way on the surface.
 *
 *             l1------l3                  u: the origin; the string ends in v
 *           / | \    /  \
 *         u   |  \  /    v
 *           \ |   \/    /
 *             r1--r2---
 */
#include "mesh/straight.h"

enum { MOST_GATES = 128 };

static const double ON_PLANE = 1e-5; /* of the distance: vertices this near to the plane are on it */
static const double SHORTEST = 1e-6; /* so little longer than the line through the air is rounding */
static const double NEARLY = 0.02;   /* up to this much longer, a straight way is the only one about */

typedef struct point {
    double x, y;
} point;

typedef struct strip {
    int ngates;
    point left[MOST_GATES + 1], right[MOST_GATES + 1]; /* the last: v */
} strip;

/* The plane, and the side to which a vertex on it counts. */
typedef struct cut {
    vec3 origin, ahead, normal;
    double border;
} cut;

typedef enum step { ON_THE_WAY, ARRIVED, LOST } step;

/* The side through which the way leaves a triangle, and the two ends of the side. */
typedef struct gate {
    int slot, left, right;
    point at_left, at_right;
} gate;

static double cross(point from, point a, point b)
{
    return (a.x - from.x) * (b.y - from.y) - (a.y - from.y) * (b.x - from.x);
}

static double gap(point a, point b) { return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)); }

/* ---- The plane ---- */

static vec3 add_normals(const tt_terrain *terrain, int v, vec3 sum)
{
    vec3 at = tt_terrain_at(terrain, v);
    for (int k = terrain->corner_start[v]; k < terrain->corner_start[v + 1]; k++) {
        const int *tri = terrain->mesh->tri;
        int corner = terrain->corner[k];
        vec3 normal = vec_cross(vec_sub(tt_terrain_at(terrain, tri[tt_slot_next(corner)]), at),
                                vec_sub(tt_terrain_at(terrain, tri[tt_slot_apex(corner)]), at));
        sum = vec_dot(normal, sum) < 0 ? vec_sub(sum, normal) : vec_add(sum, normal); /* whatever the winding */
    }
    return sum;
}

static bool find_cut(const tt_terrain *terrain, int u, int v, cut *c)
{
    vec3 from = tt_terrain_at(terrain, u), ahead = vec_sub(tt_terrain_at(terrain, v), from);
    vec3 upright = add_normals(terrain, v, add_normals(terrain, u, (vec3){0, 0, 0}));
    vec3 normal = vec_cross(upright, ahead);
    double length = vec_length(normal);
    if (!(length > 0)) return false;
    *c = (cut){from, ahead, vec_scale(normal, 1 / length), ON_PLANE * vec_length(ahead)};
    return true;
}

static double height(const tt_terrain *terrain, const cut *c, int v)
{
    return vec_dot(c->normal, vec_sub(tt_terrain_at(terrain, v), c->origin));
}

static bool is_left(const tt_terrain *terrain, const cut *c, int v) { return height(terrain, c, v) > c->border; }

/* ---- The strip ---- */

/* Whether the plane crosses the side of a slot ahead of the origin. */
static bool crosses_ahead(const tt_terrain *terrain, const cut *c, int slot)
{
    int p = terrain->mesh->tri[slot], q = terrain->mesh->tri[tt_slot_next(slot)];
    double hp = height(terrain, c, p) - c->border, hq = height(terrain, c, q) - c->border;
    if ((hp > 0) == (hq > 0)) return false;
    double at_p = vec_dot(c->ahead, vec_sub(tt_terrain_at(terrain, p), c->origin));
    double at_q = vec_dot(c->ahead, vec_sub(tt_terrain_at(terrain, q), c->origin));
    return (hp > 0 ? hp * at_q - hq * at_p : hq * at_p - hp * at_q) > 0;
}

/* Leaves the triangles around u; u is the origin. */
static step leave(const tt_terrain *terrain, const cut *c, int u, gate *g)
{
    const int *tri = terrain->mesh->tri;
    for (int k = terrain->corner_start[u]; k < terrain->corner_start[u + 1]; k++) {
        int slot = tt_slot_next(terrain->corner[k]), p = tri[slot], q = tri[tt_slot_next(slot)];
        if (!crosses_ahead(terrain, c, slot)) continue;
        bool p_left = is_left(terrain, c, p);
        tt_flat flat = tt_lay_flat(terrain, slot);
        point at_p = {flat.ay, p_left ? flat.ax : -flat.ax}; /* seen from u, which looks along x */
        point at_q = {flat.ay, p_left ? flat.ax - flat.length : flat.length - flat.ax};
        *g = p_left ? (gate){slot, p, q, at_p, at_q} : (gate){slot, q, p, at_q, at_p};
        return ON_THE_WAY;
    }
    return LOST;
}

/* Crosses the gate and the triangle behind it. */
static step go_on(const tt_terrain *terrain, const cut *c, int v, gate *g)
{
    const int *tri = terrain->mesh->tri, *across = terrain->topology->across;
    int slot = across[g->slot], apex = tri[tt_slot_apex(slot)];
    if (slot == g->slot || across[slot] != g->slot) return LOST; /* the rim, or several ways to go on */
    tt_flat flat = tt_lay_flat(terrain, slot);
    if (!(flat.length > 0)) return LOST;
    bool from_left = tri[slot] == g->left;
    double along = (from_left ? flat.ax : flat.length - flat.ax) / flat.length, up = flat.ay / flat.length;
    double dx = g->at_right.x - g->at_left.x, dy = g->at_right.y - g->at_left.y;
    point at = {g->at_left.x + along * dx - up * dy, g->at_left.y + along * dy + up * dx};
    bool left = is_left(terrain, c, apex);
    g->slot = left == from_left ? tt_slot_next(slot) : tt_slot_apex(slot);
    if (left) g->left = apex, g->at_left = at;
    else g->right = apex, g->at_right = at;
    if (apex != v) return ON_THE_WAY;
    g->at_left = g->at_right = at;
    return ARRIVED;
}

static bool find_strip(const tt_terrain *terrain, const cut *c, int u, int v, strip *s)
{
    gate g;
    step next = leave(terrain, c, u, &g);
    for (s->ngates = 0; next != LOST; next = go_on(terrain, c, v, &g)) {
        s->left[s->ngates] = g.at_left;
        s->right[s->ngates] = g.at_right;
        if (next == ARRIVED) return true;
        if (++s->ngates > MOST_GATES) return false;
    }
    return false;
}

/* ---- The string ---- */

/* The length of the shortest way through all gates, and whether it is straight. From the last corner of the way a wedge
 * is open through the gates ahead. If a gate would turn the wedge inside out, the way gets a corner at the gate's end
 * there, and the search goes on behind it. */
static double pull_tight(const strip *s, bool *straight)
{
    point corner = {0, 0}, left = s->left[0], right = s->right[0], goal = s->left[s->ngates];
    int at_left = 0, at_right = 0;
    double length = 0;
    *straight = true;
    for (int i = 1; i <= s->ngates; i++) {
        bool over_left = false, over_right = false;
        if (cross(corner, right, s->right[i]) >= 0) {
            over_left = cross(corner, left, s->right[i]) > 0;
            if (!over_left) right = s->right[i], at_right = i;
        }
        if (!over_left && cross(corner, left, s->left[i]) <= 0) {
            over_right = cross(corner, right, s->left[i]) < 0;
            if (!over_right) left = s->left[i], at_left = i;
        }
        if (!over_left && !over_right) continue;
        point next = over_left ? left : right;
        length += gap(corner, next);
        i = over_left ? at_left : at_right;
        corner = next;
        *straight = false;
        while (i < s->ngates && gap(corner, over_left ? s->left[i] : s->right[i]) == 0) i++; /* gates that end there */
        left = s->left[i], right = s->right[i];
        at_left = at_right = i;
    }
    return length + gap(corner, goal);
}

/* The length of the triangles' side from u to v; INFINITY where there is none. */
static double side_between(const tt_terrain *terrain, int u, int v)
{
    for (int k = terrain->corner_start[u]; k < terrain->corner_start[u + 1]; k++) {
        int corner = terrain->corner[k], before = tt_slot_apex(corner);
        if (terrain->mesh->tri[tt_slot_next(corner)] == v) return tt_side_length(terrain, corner);
        if (terrain->mesh->tri[before] == v) return tt_side_length(terrain, before);
    }
    return INFINITY;
}

double tt_straight_way(const tt_terrain *terrain, int u, int v)
{
    cut c;
    strip s;
    if (!find_cut(terrain, u, v, &c)) return INFINITY;
    double air = vec_length(c.ahead), side = side_between(terrain, u, v);
    if (isfinite(side)) return side <= (1 + NEARLY) * air ? side : (double)INFINITY;
    for (int turn = 0; turn < 2; turn++, c.border = -c.border) { /* along a rim only one side stays inside */
        bool straight;
        if (!find_strip(terrain, &c, u, v, &s)) continue;
        double length = pull_tight(&s, &straight);
        if (length <= (1 + (straight ? NEARLY : SHORTEST)) * air) return length;
    }
    return INFINITY;
}
