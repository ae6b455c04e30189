/* Acceptance: motion that has no certificate is taken back.
 *
 *     1. particles are kept in their boxes
 *     2. if the gap of a pair at the end is too small, the pair takes a new axis from its end positions, provided
 *        that the axis separates the pair at both ends. Otherwise the particles that are too far along the axis are
 *        moved back along it, so sliding is kept. There are a few passes
 *     3. if a pair still has no certificate, the motion of its particles is scaled back, again and again, until all
 *        pairs have one. This ends, because the places where particles began are always allowed. Particles that stay
 *        behind their moving boxes get boxes that stand, and the pairs that they are in are found anew
 *     4. the motion that was cut off is tried again from the new places, a few times. The rest of it is dropped */
#include "collide/apart_pair.h"

#include <string.h>

enum { ROUNDS = 4, PASSES = 3, HALVINGS = 12, SHARE = 1024 };
static const float WITHIN = 0.999f; /* of half a box: where particles are kept; rounding does not matter then */

/* ---- Pairs without a certificate ---- */

static bool moves(const tt_apart *apart, const tt_apart_pair *pair)
{
    for (int k = 0; k < 4; k++) {
        const float *p = &apart->p[4 * (size_t)pair->particle[k]], *x = &apart->x[4 * (size_t)pair->particle[k]];
        if (p[0] != x[0] || p[1] != x[1] || p[2] != x[2]) return true;
    }
    return false;
}

/* Without an axis only rest is safe. */
static bool fails(const tt_apart *apart, const tt_apart_pair *pair)
{
    if (!pair->watched) return false;
    if (pair->stuck) return moves(apart, pair);
    return gap_along(apart->p, pair->particle, pair->kind, axis_of(pair)) < pair->least;
}

static void test_share(void *argument, int share)
{
    tt_apart *apart = argument;
    int last = (share + 1) * SHARE < apart->npairs ? (share + 1) * SHARE : apart->npairs;
    for (int i = share * SHARE; i < last; i++) apart->failing[i] = fails(apart, apart->pair[i]);
}

/* Marks the pairs without a certificate. Returns whether there are any. */
static bool find_failing(tt_apart *apart, tt_apart_team team)
{
    team.run((apart->npairs + SHARE - 1) / SHARE, test_share, apart, team.user);
    return memchr(apart->failing, 1, (size_t)apart->npairs) != NULL;
}

/* ---- Boxes ---- */

static void keep_in_box(tt_apart *apart, int i)
{
    float *p = &apart->p[4 * (size_t)i];
    spot off = off_box(apart, i);
    const float by[3] = {off.x, off.y, off.z}, *room = &apart->room[4 * (size_t)i];
    for (int c = 0; c < 3; c++) {
        if (fabsf(by[c]) <= room[c]) continue;
        p[c] += copysignf(WITHIN * room[c], by[c]) - by[c];
        apart->left = true;
    }
}

/* ---- Moving back ---- */

/* Takes an axis from the end positions of the pair, if it separates the pair at both ends. */
static bool find_other_axis(const tt_apart *apart, tt_apart_pair *pair)
{
    float weight[4];
    closest(apart->p, pair->particle, pair->kind, weight);
    spot n = between(apart->p, pair->particle, weight);
    for (int k = 0; k < 2; k++) {
        float size = sqrtf(dot(n, n));
        if (!(size > 0)) return false;
        n = times(n, 1 / size);
        float before = gap_along(apart->x, pair->particle, pair->kind, n);
        if (before >= pair->least && gap_along(apart->p, pair->particle, pair->kind, n) >= pair->least) {
            set_axis(pair, n, before);
            return true;
        }
        n = plus(n, axis_of(pair));
    }
    return false;
}

/* Moves back the particles of the pair that are too far along the axis. */
static void move_back(tt_apart *apart, const tt_apart_pair *pair)
{
    float q[4], ease[2] = {0, 0};
    spot n = axis_of(pair);
    int na = of_a(pair->kind);
    along_axis(apart->p, pair->particle, n, q);
    for (int k = 0; k < 4; k++) ease[k >= na] = most_of(ease[k >= na], apart->p[4 * (size_t)pair->particle[k] + 3]);
    float off = 1.05f * (pair->least - gap_of(pair->kind, q)), all = ease[0] + ease[1];
    if (!(off > 0) || !(all > 0)) return;
    float a = na == 2 ? least_of(q[0], q[1]) : q[0];
    float b = na == 2 ? most_of(q[2], q[3]) : most_of(q[1], most_of(q[2], q[3]));
    float high = a + off * ease[0] / all, low = b - off * ease[1] / all;
    for (int k = 0; k < 4; k++) {
        float *p = &apart->p[4 * (size_t)pair->particle[k]];
        float by = k < na ? most_of(0, high - q[k]) : least_of(0, low - q[k]);
        if (by == 0 || !(p[3] > 0)) continue;
        p[0] += n.x * by, p[1] += n.y * by, p[2] += n.z * by;
        keep_in_box(apart, pair->particle[k]);
    }
}

static void move_all_back(tt_apart *apart, tt_apart_team team)
{
    for (int pass = 0; pass < PASSES && find_failing(apart, team); pass++)
        for (int i = 0; i < apart->npairs; i++) {
            tt_apart_pair *pair = apart->pair[i];
            if (!apart->failing[i] || pair->stuck) continue;
            if (pass == 0 && find_other_axis(apart, pair)) continue;
            move_back(apart, pair);
        }
}

/* ---- Scaling back ---- */

/* Divides the room between A and B in proportion to the ways by which they come nearer. At first each particle may use
 * nine tenths of its part. If that is not enough, shares are halved, and at last no particle of the pair moves. */
static void scale_pair(tt_apart *apart, const tt_apart_pair *pair, int time)
{
    float from[4], to[4], nearer[2] = {1e-12f, 1e-12f};
    int na = of_a(pair->kind);
    spot n = axis_of(pair), o = spot_of(&apart->x[4 * (size_t)pair->particle[0]]);
    for (int k = 0; k < 4; k++) {
        size_t i = 4 * (size_t)pair->particle[k];
        from[k] = dot(n, minus(spot_of(&apart->x[i]), o)), to[k] = dot(n, minus(spot_of(&apart->aim[i]), o));
        float by = k < na ? from[k] - to[k] : to[k] - from[k];
        nearer[k >= na] = most_of(nearer[k >= na], by);
    }
    float b = na == 2 ? most_of(from[2], from[3]) : most_of(from[1], most_of(from[2], from[3]));
    float room = most_of(0, gap_of(pair->kind, from) - pair->least);
    float part = most_of(0.05f, least_of(0.95f, nearer[1] / (nearer[0] + nearer[1])));
    float low = b + part * room, high = low + pair->least;
    for (int k = 0; k < 4; k++) {
        float *share = &apart->share[pair->particle[k]];
        float left = k < na ? from[k] - high : low - from[k], by = k < na ? from[k] - to[k] : to[k] - from[k];
        if (pair->stuck || time > HALVINGS) *share = 0;
        else if (by > left && time == 0) *share = least_of(*share, left > 0 ? 0.9f * left / by : 0);
        else if (by > 0 && time > 0) *share = *share < 1e-3f ? 0 : *share * 0.5f;
    }
}

static void apply_shares(tt_apart *apart)
{
    for (int i = 0; i < apart->nparticles; i++) {
        float share = apart->share[i];
        const float *x = &apart->x[4 * (size_t)i], *aim = &apart->aim[4 * (size_t)i];
        float *p = &apart->p[4 * (size_t)i];
        for (int c = 0; c < 3 && share < 1; c++) p[c] = share > 0 ? x[c] + share * (aim[c] - x[c]) : x[c];
    }
}

/* Returns whether anything had to be scaled back. */
static bool scale_back(tt_apart *apart, tt_apart_team team)
{
    if (!find_failing(apart, team)) return false;
    memcpy(apart->aim, apart->p, 4 * (size_t)apart->nparticles * sizeof *apart->aim);
    for (int i = 0; i < apart->nparticles; i++) apart->share[i] = 1;
    for (int time = 0; time == 0 || find_failing(apart, team); time++) {
        if (time > 2 * HALVINGS) memset(apart->share, 0, (size_t)apart->nparticles * sizeof *apart->share);
        for (int i = 0; i < apart->npairs; i++)
            if (apart->failing[i]) scale_pair(apart, apart->pair[i], time);
        apply_shares(apart);
        if (tt_apart_search_again(apart, apart->aim, team) && apart->may_cross) tt_apart_find_tangles(apart);
        if (time > 2 * HALVINGS || apart->crowded) break;
    }
    for (int i = 0; i < apart->nparticles; i++) apart->count.held += apart->share[i] < 1;
    return true;
}

/* No particle moves in this substep, but all keep their velocities. */
static void wait(tt_apart *apart)
{
    for (size_t i = 0; i < 4 * (size_t)apart->nparticles; i++)
        if (i % 4 < 3) {
            apart->moved[i] = apart->x[i] - apart->p[i];
            apart->p[i] = apart->x[i];
        }
}

/* The next round begins at the places that were reached, and has the same goal as this one. */
static void begin_again(tt_apart *apart, tt_apart_team team)
{
    for (size_t i = 0; i < 4 * (size_t)apart->nparticles; i++)
        if (i % 4 < 3) {
            apart->x[i] = apart->p[i];
            apart->p[i] = apart->aim[i];
        }
    tt_apart_refresh(apart, team);
}

void tt_apart_accept(tt_apart *apart, tt_apart_team team)
{
    if (!apart->any_strict) return;
    if (apart->crowded) {
        wait(apart);
        return;
    }
    for (int i = 0; i < apart->nparticles; i++) keep_in_box(apart, i);
    for (int round = 0; round < ROUNDS; round++) {
        move_all_back(apart, team);
        bool scaled = scale_back(apart, team);
        if (apart->crowded) {
            memcpy(apart->p, apart->aim, 4 * (size_t)apart->nparticles * sizeof *apart->p);
            wait(apart);
        }
        if (!scaled || apart->crowded || round == ROUNDS - 1) return;
        begin_again(apart, team);
    }
}
