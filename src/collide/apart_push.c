/* Pushing: near pairs keep their thickness, with Coulomb friction.
 *
 *     C = n.(closest point of A - that of B) - thickness < 0:   the pair is moved apart by -C along n, by inverse mass
 *     s = tangential part of the relative motion since the substep began:   friction takes at most mu (-C) off |s|,
 *     and what it has not used in earlier passes (`spare`)
 *
 * A pair that is too close when the substep begins comes apart at no more than a certain speed (FASTEST). Only a small
 * part of this speed (KEPT) becomes velocity. The rest of the push also moves the places where the substep began
 * (`moved`), so velocity does not see it. */
#include "collide/apart_pair.h"

static const float FASTEST = 2; /* m/s: the speed at which a lost thickness comes back */
static const float KEPT = 0.3f; /* m/s: the part of it that becomes velocity */

/* Pairs with springs are pushed only if they are closer than this share of the distance that they should have. Farther
 * pushes would disturb the balance, and cloth that lies on itself would tremble for ever. */
static const float LAYER = 0.25f;

static bool push_pair(tt_apart *apart, tt_apart_pair *pair, float h)
{
    float off = pair->sprung ? LAYER * goal_of(pair, FASTEST * h) - distance_of(apart, pair)
                             : lack_of(apart, pair, FASTEST * h);
    float ease = ease_of(apart, pair), goal = (pair->sprung ? LAYER : 1) * goal_of(pair, FASTEST * h);
    if (!(off > 0) || !(ease > 0)) return false;
    spot n = axis_of(pair), slide = slide_of(apart, pair);
    float size = sqrtf(dot(slide, slide));
    pair->spare = (pair->pushed ? pair->spare : 0) + pair->friction * off;
    pair->pushed = true;
    float hold = size > 0 ? least_of(1, pair->spare / size) : 0;
    pair->spare = most_of(0, pair->spare - hold * size); /* rounding must not make it negative */
    move(apart->p, apart, pair, times(minus(times(n, off), times(slide, hold)), 1 / ease));
    float silent = least_of(off, goal - most_of(pair->gap, 0)) - KEPT * h;
    if (silent > 0) move(apart->moved, apart, pair, times(n, silent / ease));
    return true;
}

void tt_apart_push(tt_apart *apart, float h, int passes)
{
    int pushed = 0;
    for (int pass = 0; pass < passes; pass++) {
        pushed = 0;
        for (int i = 0; i < apart->npairs; i++)
            if (apart->pair[i]->near) pushed += push_pair(apart, apart->pair[i], h);
    }
    apart->count.pushed += pushed;
}

/* ---- Speeds ---- */

/* Takes away all relative motion along the axis, and sliding that friction can stop. Each of these impulses takes
 * energy, so all together take energy. */
void tt_apart_calm(const tt_apart *apart, float *v, float h)
{
    for (int i = 0; i < apart->npairs; i++) {
        const tt_apart_pair *pair = apart->pair[i];
        float ease = ease_of(apart, pair); /* 0: since the push, the pair touches by its pinned particles */
        if (!pair->pushed || !(ease > 0)) continue;
        spot speed = between(v, pair->particle, pair->weight), n = axis_of(pair), along = times(n, dot(n, speed));
        spot slide = minus(speed, along);
        float size = h * sqrtf(dot(slide, slide)), hold = size > pair->spare ? pair->spare / size : 1;
        move(v, apart, pair, times(plus(along, times(slide, hold)), -1 / ease));
    }
}

/* ---- Axes of near pairs ---- */

enum { SHARE = 512 };

static void refresh_share(void *argument, int share)
{
    tt_apart *apart = argument;
    int last = (share + 1) * SHARE < apart->npairs ? (share + 1) * SHARE : apart->npairs;
    for (int i = share * SHARE; i < last; i++) {
        tt_apart_pair *pair = apart->pair[i], before = *pair;
        pair->pushed = pair->sprung = false;
        if (!pair->near && !pair->stuck && pair->least == pair->usual) continue;
        choose_axis(apart->x, pair);
        before.gap = gap_along(apart->x, pair->particle, pair->kind, axis_of(&before));
        if (pair->gap < pair->usual && before.gap > pair->gap) set_axis(pair, axis_of(&before), before.gap);
        set_least(pair);
    }
}

void tt_apart_refresh(tt_apart *apart, tt_apart_team team)
{
    team.run((apart->npairs + SHARE - 1) / SHARE, refresh_share, apart, team.user);
}
