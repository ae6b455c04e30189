/* Ties in a substep (tie.h).
 *
 * By counts a tie is one more constraint: each iteration moves its ends by their inverse masses until |C| <= leash.
 *
 * In the balance a projection would be too weak: it is only as stiff as m/h^2 of a particle, and a seam has to bear as
 * much as the cloth. So the search keeps C = 0 exactly. One end of a tie, its slave, goes where the other ends take it:
 *
 *     C = 0:   d_slave = -sum of (by / by_slave) d_other       d = T d_free
 *
 * Loads on the slave act on the other ends by the transpose of T. So the answer of the levels to a load becomes
 * T M^-1 T^T, which is symmetric because M^-1 is. Conjugate gradients then find the balance of all bodies together. The
 * load that is left on the slave is the pull of the tie. Before the search the ends come together in proportion to
 * their inverse masses, as they would with inertia alone, and the search takes these places as the aims of the
 * particles.
 *
 * Ends of bodies by counts are not in the search. If they can move, only their inertia resists there: it is a spring on
 * C whose stiffness is their mass. After the search they follow. So neither body has to be heavier or stiffer.
 *
 * A tie with a leash (above 0) does the same along one direction. It cannot push: if it would, it is let go. A backstop
 * is another direction along which C may not go too far. If both are reached, the search keeps the backstop. */
#include "world/contacts.h"

#include "base/vec.h"

#include <math.h>

/* Ties that share particles undo each other's work, so all are drawn together several times before the search. */
enum { SWEEPS = 4 };

static float *number_of(const tt_tie_end *end, float *vector) { return &vector[4 * (size_t)end->particle]; }
static const tt_level *mesh_of(const tt_tie_end *end) { return &end->body->level[0]; }
static float *position_of(const tt_tie_end *end) { return number_of(end, end->body->level[0].p); }
static bool in_balance(const tt_tie_end *end)
{
    return end->body->balanced && mesh_of(end)->balance.mass[end->particle] > 0;
}

static void add(float *to, vec3 a, double by)
{
    to[0] += (float)(by * a.x), to[1] += (float)(by * a.y), to[2] += (float)(by * a.z);
}

/* The part of a vector that the tie acts on. */
static vec3 held_part(const tt_tie *tie, vec3 a)
{
    return tie->mode == TT_TIE_WHOLE ? a : vec_scale(tie->axis, vec_dot(tie->axis, a));
}

/* How far C moves under an impulse of 1 on it: by all ends, or by those of bodies by counts only. */
static double ease_of(const tt_tie *tie, bool counted)
{
    double ease = 0;
    for (int i = 0; i < tie->nends; i++) {
        const tt_tie_end *end = &tie->end[i];
        if (!counted || !end->body->balanced) ease += (double)position_of(end)[3] * end->by * end->by;
    }
    return ease;
}

/* Moves C by a vector. */
static void shift(tt_tie *tie, vec3 by)
{
    double ease = ease_of(tie, false);
    if (!(ease > 0)) return;
    vec3 impulse = vec_scale(by, 1 / ease);
    for (int i = 0; i < tie->nends; i++)
        add(position_of(&tie->end[i]), impulse, (double)position_of(&tie->end[i])[3] * tie->end[i].by);
    tie->impulse = vec_add(tie->impulse, impulse);
}

/* Draws the ends together, if they are too far apart, and pushes the particle out of its backstop. */
static void draw(tt_tie *tie)
{
    vec3 gap = tt_tie_gap(tie), n;
    double distance = vec_length(gap), size;
    if (distance > tie->leash) shift(tie, vec_scale(gap, tie->leash / distance - 1));
    if (!tt_tie_normal(tie, &n, &size)) return;
    double depth = -vec_dot(n, tt_tie_gap(tie)) - tie->wall;
    if (depth > 0) shift(tie, vec_scale(n, depth));
}

/* ---- A substep ---- */

static void fix(const tt_tie *tie)
{
    const tt_body *body = tie->end[0].body;
    vec3 gap = tt_tie_gap(tie);
    double where[3];
    tt_body_where(body, tie->particle, where);
    float *p = position_of(&tie->end[0]);
    p[0] = (float)(where[0] - gap.x - body->origin[0]);
    p[1] = (float)(where[1] - gap.y - body->origin[1]);
    p[2] = (float)(where[2] - gap.z - body->origin[2]);
}

void tt_ties_begin(tt_work *work)
{
    const tt_island *island = work->island;
    const tt_substep *substep = work->substep;
    double h = (double)substep->h, to = 1 - (double)(substep->remaining - 1) / substep->count;
    for (int i = 0; i < island->nties; i++) {
        tt_tie *tie = island->tie[i];
        double place[3];
        if (tie->holder) {
            tt_ride_at(tie->holder, &tie->ride, to, h * (substep->count - substep->remaining + 1), place);
            tie->place = (vec3){place[0], place[1], place[2]};
        }
        double nearer = h * (double)tie->speed;
        if (tie->leash > (double)tie->slack) tie->leash = fmax(tie->leash - nearer, (double)tie->slack);
        if (tie->wall > (double)tie->backstop) tie->wall = fmax(tie->wall - nearer, (double)tie->backstop);
        tie->impulse = (vec3){0, 0, 0};
        tie->slave = -1;
        tie->spring = 0;
        tie->mode = TT_TIE_LOOSE;
        if (tie->fixed) fix(tie);
    }
}

void tt_ties_draw(tt_work *work)
{
    tt_tie **tie = work->island->tie;
    for (int i = 0; i < work->island->nties; i++)
        if (!tie[i]->fixed && (tie[i]->slave < 0 || isfinite(tie[i]->backstop))) draw(tie[i]);
}

void tt_ties_end(tt_work *work)
{
    double h = (double)work->substep->h, rate = 1 / (h * h * work->substep->count);
    for (int i = 0; i < work->island->nties; i++) {
        tt_tie *tie = work->island->tie[i];
        tie->pulled = vec_add(tie->pulled, vec_scale(tie->impulse, rate));
    }
}

/* ---- The balance ---- */

/* Each tie, in the order of the list, takes a slave that is no end of an earlier tie. So T can be applied tie by tie in
 * that order, and its transpose in the reverse order. */
static void choose_slave(tt_tie *tie)
{
    double most = 0;
    for (int i = 0; i < tie->nends; i++) {
        const tt_tie_end *end = &tie->end[i];
        if (!in_balance(end) || mesh_of(end)->balance.bound[end->particle] || !(fabs(end->by) > most)) continue;
        most = fabs(end->by);
        tie->slave = i;
    }
}

static void bind(const tt_tie *tie, bool bound)
{
    for (int i = 0; i < tie->nends; i++)
        if (in_balance(&tie->end[i])) mesh_of(&tie->end[i])->balance.bound[tie->end[i].particle] = bound;
}

static bool has_balanced(const tt_tie *tie)
{
    bool any = false;
    for (int i = 0; i < tie->nends; i++) any = any || in_balance(&tie->end[i]);
    return any;
}

static void choose_mode(tt_tie *tie)
{
    vec3 gap = tt_tie_gap(tie), n;
    double distance = vec_length(gap), size;
    tie->mode = tie->leash > 0 ? TT_TIE_ALONG : TT_TIE_WHOLE;
    if (tie->mode == TT_TIE_WHOLE) return;
    if (tt_tie_normal(tie, &n, &size) && -vec_dot(n, gap) > tie->wall - 1e-5 * (size + tie->wall)) {
        tie->axis = vec_scale(n, -1);
        tie->reach = tie->wall;
    } else if (distance < tie->leash * (1 - 1e-5) || !(distance > 0)) {
        tie->mode = TT_TIE_LOOSE;
    } else {
        tie->axis = vec_scale(gap, 1 / distance);
        tie->reach = tie->leash;
    }
}

/* Frees a slave from its collider, because the collider would hold it against the other ends. */
static void free_of_colliders(const tt_tie_end *slave)
{
    if (mesh_of(slave)->balance.met) mesh_of(slave)->balance.grip[slave->particle] = TT_FREE;
}

void tt_ties_land(tt_work *work)
{
    const tt_island *island = work->island;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int i = 0; i < island->nties; i++)
            if (!island->tie[i]->fixed) draw(island->tie[i]);
    for (int i = 0; i < island->nties; i++) bind(island->tie[i], false);
    for (int i = 0; i < island->nties; i++) {
        tt_tie *tie = island->tie[i];
        if (tie->fixed) continue;
        choose_mode(tie);
        double ease = has_balanced(tie) ? ease_of(tie, true) : 0;
        if (tie->mode != TT_TIE_LOOSE && ease > 0) tie->spring = 1 / ease;
        else if (tie->mode != TT_TIE_LOOSE) choose_slave(tie);
        if (tie->slave < 0) continue;
        bind(tie, true);
        free_of_colliders(&tie->end[tie->slave]);
    }
}

/* A vector of a mesh. */
typedef float *vector_of(const tt_level *mesh);

static float *load_of(const tt_level *mesh) { return mesh->balance.load; }
static float *loose_of(const tt_level *mesh) { return mesh->balance.loose; }
static float *way_of(const tt_level *mesh) { return mesh->balance.way; }
static float *move_of(const tt_level *mesh) { return mesh->balance.move; }
static float *push_of(const tt_level *mesh) { return mesh->balance.push; }

/* d = T d: slaves go where the other ends take them. */
static void carry(const tt_island *island, vector_of *vector)
{
    for (int i = 0; i < island->nties; i++) {
        const tt_tie *tie = island->tie[i];
        if (tie->slave < 0) continue;
        const tt_tie_end *slave = &tie->end[tie->slave];
        free_of_colliders(slave);
        vec3 off = {0, 0, 0};
        for (int k = 0; k < tie->nends; k++)
            if (in_balance(&tie->end[k])) {
                vec3 d = vec_of(number_of(&tie->end[k], vector(mesh_of(&tie->end[k]))));
                off = vec_add(off, vec_scale(d, tie->end[k].by / slave->by));
            }
        add(number_of(slave, vector(mesh_of(slave))), held_part(tie, off), -1);
    }
}

void tt_ties_carry_way(tt_work *work) { carry(work->island, way_of); }
void tt_ties_carry_move(tt_work *work) { carry(work->island, move_of); }

/* The transpose of T: loads on slaves act on the other ends. */
void tt_ties_gather(tt_work *work)
{
    const tt_island *island = work->island;
    for (int i = island->nties - 1; i >= 0; i--) {
        const tt_tie *tie = island->tie[i];
        if (tie->slave < 0) continue;
        const tt_tie_end *slave = &tie->end[tie->slave];
        vec3 load = held_part(tie, vec_of(number_of(slave, loose_of(mesh_of(slave)))));
        for (int k = 0; k < tie->nends; k++) {
            const tt_tie_end *end = &tie->end[k];
            if (!in_balance(end)) continue;
            add(number_of(end, loose_of(mesh_of(end))), load, -end->by / slave->by);
            if (k != tie->slave && mesh_of(end)->balance.met)
                tt_grip_filter(&mesh_of(end)->balance, end->particle, number_of(end, loose_of(mesh_of(end))));
        }
    }
}

/* How far C is from its target. */
static vec3 missing(const tt_tie *tie)
{
    vec3 gap = held_part(tie, tt_tie_gap(tie));
    return tie->mode == TT_TIE_WHOLE ? gap : vec_sub(gap, vec_scale(tie->axis, tie->reach));
}

static void add_to_balanced(const tt_tie *tie, vector_of *vector, vec3 a)
{
    for (int k = 0; k < tie->nends; k++)
        if (in_balance(&tie->end[k])) add(number_of(&tie->end[k], vector(mesh_of(&tie->end[k]))), a, tie->end[k].by);
}

void tt_ties_load(tt_work *work)
{
    const tt_island *island = work->island;
    for (int i = 0; i < island->nties; i++) {
        const tt_tie *tie = island->tie[i];
        if (tie->spring > 0) add_to_balanced(tie, load_of, vec_scale(missing(tie), -tie->spring));
    }
}

void tt_ties_stiffen(tt_work *work)
{
    const tt_island *island = work->island;
    for (int i = 0; i < island->nties; i++) {
        const tt_tie *tie = island->tie[i];
        vec3 off = {0, 0, 0};
        for (int k = 0; k < tie->nends && tie->spring > 0; k++)
            if (in_balance(&tie->end[k]))
                off = vec_add(off, vec_scale(vec_of(number_of(&tie->end[k], mesh_of(&tie->end[k])->balance.way)),
                                             tie->end[k].by));
        if (tie->spring > 0) add_to_balanced(tie, push_of, vec_scale(held_part(tie, off), tie->spring));
    }
}

/* Ends by counts go where the search has left C. */
void tt_ties_follow(tt_work *work)
{
    const tt_island *island = work->island;
    for (int i = 0; i < island->nties; i++) {
        tt_tie *tie = island->tie[i];
        if (!(tie->spring > 0)) continue;
        vec3 impulse = vec_scale(missing(tie), -tie->spring);
        for (int k = 0; k < tie->nends; k++)
            if (!tie->end[k].body->balanced)
                add(position_of(&tie->end[k]), impulse, (double)position_of(&tie->end[k])[3] * tie->end[k].by);
        tie->impulse = vec_add(tie->impulse, impulse);
    }
}

static void brace_by_spring(const tt_tie *tie)
{
    const bool whole = tie->mode == TT_TIE_WHOLE;
    const double n[3] = {tie->axis.x, tie->axis.y, tie->axis.z};
    for (int k = 0; k < tie->nends; k++) {
        const tt_tie_end *end = &tie->end[k];
        if (!in_balance(end)) continue;
        float *s = number_of(end, mesh_of(end)->balance.brace[0]), *m = number_of(end, mesh_of(end)->balance.brace[1]);
        double by = tie->spring * end->by * end->by;
        for (int c = 0; c < 3; c++) {
            s[c] += (float)(whole ? by : by * n[c] * n[c]);
            m[c] += (float)(whole ? 0 : by * n[c == 2 ? 0 : c] * n[c == 2 ? 2 : c + 1]); /* xy yz xz */
        }
    }
}

/* If another end moves alone, it takes the slave along. So the stiffness that holds the slave holds that end too. */
void tt_ties_brace(tt_work *work)
{
    const tt_island *island = work->island;
    const float h = work->substep->h;
    for (int i = island->nties - 1; i >= 0; i--) {
        const tt_tie *tie = island->tie[i];
        if (tie->spring > 0) brace_by_spring(tie);
        if (tie->slave < 0) continue;
        const tt_tie_end *slave = &tie->end[tie->slave];
        const tt_balance *b = &mesh_of(slave)->balance;
        float own = b->mass[slave->particle] + h * h * b->plain[slave->particle];
        const float *straight = number_of(slave, b->brace[0]), *mixed = number_of(slave, b->brace[1]);
        for (int k = 0; k < tie->nends; k++) {
            const tt_tie_end *end = &tie->end[k];
            if (k == tie->slave || !in_balance(end)) continue;
            float share = (float)(end->by * end->by / (slave->by * slave->by));
            float *s = number_of(end, mesh_of(end)->balance.brace[0]),
                  *m = number_of(end, mesh_of(end)->balance.brace[1]);
            for (int c = 0; c < 3; c++) s[c] += share * (straight[c] + own), m[c] += share * mixed[c];
        }
    }
}

/* The pull of a tie: the load of its slave. */
static vec3 borne(const tt_tie *tie)
{
    const tt_tie_end *slave = &tie->end[tie->slave];
    return vec_scale(held_part(tie, vec_of(number_of(slave, mesh_of(slave)->balance.load))), -1 / slave->by);
}

void tt_ties_release(tt_work *work)
{
    for (int i = 0; i < work->island->nties; i++) {
        tt_tie *tie = work->island->tie[i];
        if (tie->slave < 0 || tie->mode != TT_TIE_ALONG || !(vec_dot(borne(tie), tie->axis) > 0)) continue;
        tie->mode = TT_TIE_LOOSE;
        tie->slave = -1;
        work->undone = true;
    }
}

/* Adds up the pulls of ties after the search. */
void tt_ties_settle(tt_work *work)
{
    const tt_island *island = work->island;
    for (int i = island->nties - 1; i >= 0; i--) {
        tt_tie *tie = island->tie[i];
        if (tie->slave < 0) continue;
        vec3 impulse = borne(tie);
        tie->impulse = vec_add(tie->impulse, impulse);
        for (int k = 0; k < tie->nends; k++)
            if (tie->end[k].body->balanced)
                add(number_of(&tie->end[k], load_of(mesh_of(&tie->end[k]))), impulse, tie->end[k].by);
    }
    for (int i = island->nties - 1; i >= 0; i--) {
        tt_tie *tie = island->tie[i];
        if (!tie->fixed || !tie->end[0].body->balanced) continue;
        vec3 load = vec_of(number_of(&tie->end[0], load_of(mesh_of(&tie->end[0]))));
        tie->impulse = vec_scale(load, -1);
        for (int k = 1; k < tie->nends; k++)
            if (tie->end[k].body->balanced)
                add(number_of(&tie->end[k], load_of(mesh_of(&tie->end[k]))), load, -tie->end[k].by);
    }
}
