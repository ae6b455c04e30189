/* Springs of the balance (world/stage_balance.c) between near pairs, with Coulomb friction.
 *
 * A pair that is closer than it should be has a spring that presses it apart:  N = STIFFNESS (goal - distance) / ease
 *
 * Friction belongs to anchors. Each particle has two, one on either side of the cloth. An anchor serves all springs of
 * its particle on that side, in proportion to their N (`share`), and remembers its force from substep to substep. So
 * cloth that rests does not creep. Let F be this force, and s the sliding since the substep began:
 *
 *     the anchor holds    F = remembered force - HOLD s / ease     as long as  |F| <= mu N
 *     the anchor slides   F is cut to mu N
 *
 * The search of the balance knows `HOLD s` as a spring. How large N is, is known only after the search. Then anchors
 * that cannot hold begin to slide, and the search goes on. An anchor that slides fast from the beginning has no spring,
 * and its F may at most stop the slide. */
#include "collide/apart_pair.h"

#include <string.h>

/* The stiffness of springs, against coming closer and against sliding: a multiple of the mass that they move, divided
 * by the substep squared. */
static const float STIFFNESS = 10, HOLD = 30;
/* m/s: the speed at which springs bring back a lost thickness. It becomes velocity. */
static const float RISE = 0.2f;
/* An anchor that slides by more than this multiple of the fall in a substep has no spring. */
static const float SLOW = 2.5f;
/* The search goes on if the forces of springs are off by more than this share. */
static const float OFF = 0.02f;

/* ---- Members ---- */

static void add(float *to, spot load, float by) { to[0] += by * load.x, to[1] += by * load.y, to[2] += by * load.z; }

static void set(float *to, spot a) { to[0] = a.x, to[1] = a.y, to[2] = a.z; }

/* The first particle is one of A, the last is one of B. */
static bool has_springs(const tt_apart *apart, const tt_apart_pair *pair)
{
    return pair->near && view_of(apart, pair->particle[0])->load && view_of(apart, pair->particle[3])->load;
}

static void add_load(const tt_apart *apart, const tt_apart_pair *pair, spot load)
{
    for (int k = 0; k < 4; k++)
        add(&view_of(apart, pair->particle[k])->load[offset_of(apart, pair->particle[k])], load, pair->weight[k]);
}

/* ---- Anchors ---- */

/* The force that an anchor remembers, per substep squared. */
static float *memory_of(const tt_apart *apart, int anchor)
{
    int i = anchor / 2;
    return &view_of(apart, i)->held[anchor % 2][offset_of(apart, i)];
}

static spot side_between(const tt_apart *apart, int i, int j)
{
    return minus(spot_of(&apart->x[4 * (size_t)j]), spot_of(&apart->x[4 * (size_t)i]));
}

/* Any vector across a line. It depends on the line continuously, except where the line turns by a quarter. */
static spot across(spot line)
{
    spot axis = {0, 0, 0};
    if (fabsf(line.x) < fabsf(line.y)) axis.x = 1;
    else axis.y = 1;
    return cross(line, axis);
}

/* Adds up the normals of the triangles around each particle. They tell the two sides of the cloth apart. */
static void find_normals(tt_apart *apart)
{
    if (apart->has_normals) return;
    apart->has_normals = true;
    memset(apart->normal, 0, 4 * (size_t)apart->nparticles * sizeof *apart->normal);
    for (int m = 0; m < apart->nmembers; m++)
        for (int t = 0; t < apart->member[m].skin->ntris; t++) {
            const tt_skin_triangle *tri = &apart->member[m].skin->tri[t];
            int first = apart->member[m].first, a = first + tri->corner[0], b = first + tri->corner[1];
            spot ab = side_between(apart, a, b);
            spot n = tri->is_face ? cross(ab, side_between(apart, a, first + tri->corner[2])) : across(ab);
            for (int k = 0; k < (tri->is_face ? 3 : 2); k++)
                add(&apart->normal[4 * (size_t)(first + tri->corner[k])], n, 1);
        }
}

static int anchor_of(const tt_apart *apart, const tt_apart_pair *pair)
{
    int i = pair->particle[pair->kind == TT_SIDE_ON_SIDE && pair->weight[1] > pair->weight[0] ? 1 : 0];
    return 2 * i + (dot(axis_of(pair), spot_of(&apart->normal[4 * (size_t)i])) < 0);
}

/* The slide at p without what the normal spring does, and N. */
static float pressure_of(const tt_apart *apart, const tt_apart_spring *s, float h)
{
    const tt_apart_pair *pair = apart->pair[s->pair];
    return s->firm * (goal_of(pair, RISE * h) - distance_of(apart, pair)) / s->ease;
}

/* The load by which friction acts on A. */
static spot friction_of(const tt_apart *apart, const tt_apart_spring *s)
{
    return minus(spot_of(s->rub), times(slide_of(apart, apart->pair[s->pair]), s->hold / s->ease));
}

static void clear(tt_apart_anchor *a) { *a = (tt_apart_anchor){.sticks = a->sticks, .fast = a->fast, .bore = a->bore}; }

/* Adds up the pressure on all anchors at p. */
static void press(tt_apart *apart, float h)
{
    for (int i = 0; i < apart->nsprings; i++) clear(&apart->anchor[apart->spring[i].anchor]);
    for (int i = 0; i < apart->nsprings; i++) {
        tt_apart_spring *s = &apart->spring[i];
        tt_apart_anchor *a = &apart->anchor[s->anchor];
        float pressure = pressure_of(apart, s, h);
        s->pressure = most_of(0, pressure);
        a->pressure += s->pressure;
        a->most += apart->pair[s->pair]->friction * s->pressure;
        a->net += pressure;
        add(a->normal, axis_of(apart->pair[s->pair]), pressure);
    }
}

/* The part of its anchor's force that a spring gets. */
static float share_of(const tt_apart *apart, const tt_apart_spring *s)
{
    float all = apart->anchor[s->anchor].pressure;
    return all > 0 ? s->pressure / all : 0;
}

/* The largest force that friction can bear. Pressures that oppose each other do not press the surfaces together. */
static float most_by(const tt_apart_anchor *a)
{
    spot n = spot_of(a->normal);
    return a->pressure > 0 && a->net > 0 ? a->most * sqrtf(dot(n, n)) / a->pressure : 0;
}

/* The same as the search shall take it. Pressures that a search has not settled yet are off, but in the long run those
 * of the last substep are right. */
static float most_for(const tt_apart_anchor *a) { return a->bore > 0 ? a->bore : most_by(a); }

static float size_of(const float *force) { return sqrtf(dot(spot_of(force), spot_of(force))); }

/* ---- Choosing springs ---- */

/* Chooses the pairs that are closer than they should be. */
static void choose_springs(tt_apart *apart, float h)
{
    for (int i = 0; i < apart->npairs; i++) {
        tt_apart_pair *pair = apart->pair[i];
        if (pair->borne || !has_springs(apart, pair)) continue;
        pair->sprung = true;
        if (!(lack_of(apart, pair, RISE * h) > 0)) continue;
        float ease = ease_of(apart, pair);
        if (!(ease > 0)) continue;
        pair->borne = true;
        find_normals(apart);
        apart->spring[apart->nsprings++] =
            (tt_apart_spring){.pair = i, .anchor = anchor_of(apart, pair), .ease = ease, .firm = STIFFNESS};
    }
}

/* The load of a spring on A at p. */
static spot load_of(const tt_apart *apart, const tt_apart_spring *s, float h)
{
    const tt_apart_pair *pair = apart->pair[s->pair];
    float off = goal_of(pair, RISE * h) - distance_of(apart, pair);
    return plus(times(axis_of(pair), s->firm * off / s->ease), friction_of(apart, s));
}

static void load_from(tt_apart *apart, float h, int first)
{
    for (int i = first; i < apart->nsprings; i++)
        add_load(apart, apart->pair[apart->spring[i].pair], load_of(apart, &apart->spring[i], h));
}

/* Gives each spring its part of the force of its anchor. */
static void begin_friction(tt_apart *apart, float h, float fall)
{
    press(apart, h);
    for (int i = 0; i < apart->nsprings; i++) {
        const tt_apart_spring *s = &apart->spring[i];
        spot slide = slide_of(apart, apart->pair[s->pair]);
        add(apart->anchor[s->anchor].force, slide, share_of(apart, s));
    }
    for (int i = 0; i < apart->nsprings; i++) {
        tt_apart_spring *s = &apart->spring[i];
        tt_apart_anchor *a = &apart->anchor[s->anchor];
        float share = share_of(apart, s);
        const float *memory = memory_of(apart, s->anchor);
        bool slid = memory[3] > 0 && size_of(memory) >= 0.999f * memory[3];
        a->fast = size_of(a->force) > SLOW * fall;
        a->sticks = !slid && !a->fast;
        a->bore = h * h * memory[3];
        s->hold = a->sticks ? HOLD * share : 0;
        set(s->rub, times(spot_of(memory), h * h * share));
    }
}

void tt_apart_choose(tt_apart *apart, float h, float fall)
{
    for (int i = 0; i < apart->npairs; i++) apart->pair[i]->borne = false;
    apart->nsprings = 0;
    apart->has_normals = false;
    choose_springs(apart, h);
    begin_friction(apart, h, fall);
    tt_apart_pack(apart);
}

void tt_apart_load(tt_apart *apart, float h) { load_from(apart, h, 0); }

/* Springs that would pull are dropped where cloth slides fast. Elsewhere they do no harm for a substep, and folds come
 * to rest. Returns whether that changed the load enough to go on. */
static bool drop_springs(tt_apart *apart, float h)
{
    float changed = 0, all = 0;
    for (int i = 0; i < apart->nsprings; i++) {
        tt_apart_spring *s = &apart->spring[i];
        spot before = load_of(apart, s, h);
        all += dot(before, before);
        if (!apart->anchor[s->anchor].fast || pressure_of(apart, s, h) > 0) continue;
        changed += dot(before, before);
        add_load(apart, apart->pair[s->pair], times(before, -1));
        s->firm = s->hold = 0;
        set(s->rub, (spot){0, 0, 0});
    }
    return changed > OFF * OFF * all;
}

bool tt_apart_catch(tt_apart *apart, float h)
{
    bool dropped = drop_springs(apart, h);
    int before = apart->nsprings;
    choose_springs(apart, h);
    load_from(apart, h, before);
    tt_apart_pack(apart);
    return dropped || apart->nsprings > before;
}

/* ---- After the search ---- */

/* Finds the forces that would hold all anchors. A spring without `hold` would stop the slide. */
static void find_forces(tt_apart *apart)
{
    for (int i = 0; i < apart->nsprings; i++) {
        const tt_apart_spring *s = &apart->spring[i];
        tt_apart_anchor *a = &apart->anchor[s->anchor];
        spot force = friction_of(apart, s);
        float stop = share_of(apart, s) / s->ease;
        if (!a->sticks) force = minus(force, times(slide_of(apart, apart->pair[s->pair]), stop));
        add(a->force, force, 1);
    }
}

bool tt_apart_release(tt_apart *apart, float h)
{
    float changed = 0, all = 0;
    press(apart, h);
    find_forces(apart);
    for (int i = 0; i < apart->nsprings; i++) {
        tt_apart_spring *s = &apart->spring[i];
        const tt_apart_anchor *a = &apart->anchor[s->anchor];
        float most = most_for(a), size = size_of(a->force);
        spot before = load_of(apart, s, h);
        all += dot(before, before);
        if (goal_of(apart->pair[s->pair], RISE * h) > distance_of(apart, apart->pair[s->pair])) s->firm = STIFFNESS;
        if (!a->sticks || size > most) {
            set(s->rub, times(spot_of(a->force), share_of(apart, s) * (size > most ? most / size : 1)));
            s->hold = 0;
        }
        spot change = minus(load_of(apart, s, h), before);
        changed += dot(change, change);
        add_load(apart, apart->pair[s->pair], change);
    }
    for (int i = 0; i < apart->nsprings; i++) {
        tt_apart_anchor *a = &apart->anchor[apart->spring[i].anchor];
        a->sticks = size_of(a->force) <= most_for(a);
    }
    tt_apart_pack(apart);
    return changed > OFF * OFF * all;
}

/* The part of the anchor's force along the surfaces, cut to what friction can bear. If it slides, it is just that. */
static void remember(tt_apart *apart, int anchor, float h)
{
    const tt_apart_anchor *a = &apart->anchor[anchor];
    float *memory = memory_of(apart, anchor), most = most_by(a);
    spot n = spot_of(a->normal), force = spot_of(a->force);
    float square = dot(n, n);
    if (!(square > 0)) return;
    force = minus(force, times(n, dot(n, force) / square));
    float size = sqrtf(dot(force, force)), scale = size > most || (!a->sticks && size > 0) ? most / size : 1;
    set(memory, times(force, scale / (h * h)));
    memory[3] = most / (h * h);
}

/* A spring that brings back a lost thickness does not throw the pair apart. Else cloth that lies on cloth would bounce
 * from substep to substep. */
static void keep_still(tt_apart *apart, const tt_apart_spring *s)
{
    const tt_apart_pair *pair = apart->pair[s->pair];
    spot n = axis_of(pair), before = between(apart->x, pair->particle, pair->weight);
    before = plus(before, between(apart->moved, pair->particle, pair->weight));
    float out = distance_of(apart, pair) - dot(n, before);
    if (s->pressure > 0 && out > 0) move(apart->moved, apart, pair, times(n, out / s->ease));
}

void tt_apart_remember(tt_apart *apart, float h)
{
    for (int m = 0; m < apart->nmembers; m++)
        for (int k = 0; k < 2 && apart->view[m].held[k]; k++)
            memset(apart->view[m].held[k], 0, 4 * (size_t)apart->member[m].count * sizeof(float));
    press(apart, h);
    for (int i = 0; i < apart->nsprings; i++)
        add(apart->anchor[apart->spring[i].anchor].force, friction_of(apart, &apart->spring[i]), 1);
    for (int i = 0; i < apart->nsprings; i++) remember(apart, apart->spring[i].anchor, h);
    for (int i = 0; i < apart->nsprings; i++) keep_still(apart, &apart->spring[i]);
    for (int i = 0; i < apart->nsprings; i++) apart->anchor[apart->spring[i].anchor] = (tt_apart_anchor){0};
}

/* ---- Resistance ---- */

/* Adds what a spring pushes against a motion of which it feels this share. */
static void brace(const tt_apart *apart, const tt_apart_spring *s, float share, float *straight, float *mixed)
{
    const float *n = apart->pair[s->pair]->axis;
    float by = share * share / s->ease, along = by * (s->firm - s->hold);
    for (int c = 0; c < 3; c++) {
        straight[c] += by * s->hold + along * n[c] * n[c];
        mixed[c] += along * n[c == 2 ? 0 : c] * n[c == 2 ? 2 : c + 1]; /* xy yz xz */
    }
}

void tt_apart_brace(const tt_apart *apart)
{
    for (int i = 0; i < apart->nsprings; i++) {
        const tt_apart_pair *pair = apart->pair[apart->spring[i].pair];
        for (int k = 0; k < 4; k++) {
            const tt_apart_view *view = view_of(apart, pair->particle[k]);
            size_t at = offset_of(apart, pair->particle[k]);
            brace(apart, &apart->spring[i], pair->weight[k], &view->straight[at], &view->mixed[at]);
        }
    }
}

void tt_apart_brace_whole(const tt_apart *apart, int member, float straight[3], float mixed[3])
{
    for (int i = 0; i < apart->nsprings; i++) {
        const tt_apart_pair *pair = apart->pair[apart->spring[i].pair];
        bool a = apart->owner[pair->particle[0]] == member, b = apart->owner[pair->particle[3]] == member;
        if (a != b) brace(apart, &apart->spring[i], 1, straight, mixed);
    }
}
