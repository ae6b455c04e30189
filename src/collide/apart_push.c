/* Pushing: near pairs keep their thickness, with Coulomb friction.
 *
 *     C = n.(closest point of A - that of B) - thickness < 0:   the pair is moved apart by -C along n, by inverse mass
 *     s = tangential part of the relative motion since the substep began:   takes at most mu (-C) off |s|
 *
 * A pair that is too close when the substep begins comes apart at a bounded speed, and only a slow part of that becomes
 * velocity: the rest also moves the place where the substep began (`moved`). */
#include "collide/apart_pair.h"

static const float FASTEST = 2;   /* m/s: how fast a lost thickness comes back */
static const float KEPT = 0.3f;   /* m/s: how much of that becomes velocity    */

/* Springs in the balance, against coming closer and against sliding: by the mass that they move and the substep squared. */
static const float STIFFNESS = 10, HOLD = 30;
/* Pairs with springs are pushed only if they are closer than this share of what they should be. To push them farther
 * would upset the balance, and cloth that lies on itself would tremble for ever. */
static const float LAYER = 0.25f;

/* The motion of A's closest point against B's since the substep began. */
static spot slide_of(const tt_apart *apart, const tt_apart_pair *pair)
{
    spot s = {0, 0, 0}, n = axis_of(pair);
    for (int k = 0; k < 4; k++) {
        size_t i = 4 * (size_t)pair->particle[k];
        s = plus(s, times(minus(spot_of(&apart->p[i]), spot_of(&apart->x[i])), pair->weight[k]));
    }
    return minus(s, times(n, dot(n, s)));
}

static void move(float *to, const tt_apart *apart, const tt_apart_pair *pair, spot step)
{
    for (int k = 0; k < 4; k++) {
        size_t i = 4 * (size_t)pair->particle[k];
        spot d = times(step, apart->p[i + 3] * pair->weight[k]);
        to[i] += d.x, to[i + 1] += d.y, to[i + 2] += d.z;
    }
}

/* How much the pair's distance changes when both points are moved by one impulse. */
static float ease_of(const tt_apart *apart, const tt_apart_pair *pair)
{
    float ease = 0;
    for (int k = 0; k < 4; k++)
        ease += apart->p[4 * (size_t)pair->particle[k] + 3] * pair->weight[k] * pair->weight[k];
    return ease;
}

/* How far apart the pair is to be in this substep. */
static float goal_of(const tt_apart_pair *pair, float h)
{
    return least_of(pair->thickness, most_of(pair->gap, 0) + FASTEST * h);
}

static float distance_of(const tt_apart *apart, const tt_apart_pair *pair)
{
    return dot(axis_of(pair), between(apart->p, pair->particle, pair->weight));
}

static bool push_pair(tt_apart *apart, tt_apart_pair *pair, float h)
{
    spot n = axis_of(pair);
    float goal = (pair->sprung ? LAYER : 1) * goal_of(pair, h), off = goal - distance_of(apart, pair);
    float ease = ease_of(apart, pair);
    if (!(off > 0) || !(ease > 0)) return false;
    pair->pushed = true;
    spot slide = slide_of(apart, pair);
    float size = sqrtf(dot(slide, slide));
    float hold = size > 0 ? least_of(1, pair->friction * off / size) : 0;
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

/* ---- Springs of the balance ---- */

/* Adds a load on A, and its like on B. */
static void add_load(const tt_apart_pair *pair, int first, spot load, float *to)
{
    for (int k = 0; k < 4; k++) {
        float *at = &to[4 * (size_t)(pair->particle[k] - first)];
        at[0] += pair->weight[k] * load.x, at[1] += pair->weight[k] * load.y, at[2] += pair->weight[k] * load.z;
    }
}

/* Both features belong to the body. Bodies are balanced one after the other, and springs between two of them would pull
 * to and fro. */
static bool is_of(const tt_apart_pair *pair, int first, int last)
{
    return pair->particle[0] >= first && pair->particle[0] < last && pair->particle[3] >= first && pair->particle[3] < last;
}

/* A pair slides if that takes more than friction can bear. */
static void choose_hold(const tt_apart *apart, tt_apart_pair *pair, float h)
{
    spot slide = slide_of(apart, pair), rub = {0, 0, 0};
    float size = sqrtf(dot(slide, slide)), most = pair->friction * STIFFNESS * (goal_of(pair, h) - distance_of(apart, pair));
    bool slides = HOLD * size > most;
    pair->hold = slides ? 0 : HOLD;
    if (slides) rub = times(slide, -least_of(most, size) / (size * ease_of(apart, pair)));
    pair->rub[0] = rub.x, pair->rub[1] = rub.y, pair->rub[2] = rub.z;
}

static void choose_borne(tt_apart *apart, float h, int first, int last)
{
    apart->nborne = 0;
    for (int i = 0; i < apart->npairs; i++) {
        tt_apart_pair *pair = apart->pair[i];
        if (!pair->near || !is_of(pair, first, last)) continue;
        pair->sprung = true;
        if (!(distance_of(apart, pair) < goal_of(pair, h)) || !(ease_of(apart, pair) > 0)) continue;
        choose_hold(apart, pair, h);
        apart->borne[apart->nborne++] = i;
    }
}

void tt_apart_load(tt_apart *apart, float h, bool choose, int first, int last, float *load)
{
    if (choose) choose_borne(apart, h, first, last);
    for (int i = 0; i < apart->nborne; i++) {
        const tt_apart_pair *pair = apart->pair[apart->borne[i]];
        float off = goal_of(pair, h) - distance_of(apart, pair);
        spot push = minus(times(axis_of(pair), STIFFNESS * off), times(slide_of(apart, pair), pair->hold));
        add_load(pair, first, plus(times(push, 1 / ease_of(apart, pair)), spot_of(pair->rub)), load);
    }
}

void tt_apart_stiffen(const tt_apart *apart, int first, const float *way, float *push)
{
    for (int i = 0; i < apart->nborne; i++) {
        const tt_apart_pair *pair = apart->pair[apart->borne[i]];
        spot apart_by = {0, 0, 0}, n = axis_of(pair);
        for (int k = 0; k < 4; k++)
            apart_by = plus(apart_by, times(spot_of(&way[4 * (size_t)(pair->particle[k] - first)]), pair->weight[k]));
        spot along = times(n, (STIFFNESS - pair->hold) * dot(n, apart_by));
        add_load(pair, first, times(plus(times(apart_by, pair->hold), along), 1 / ease_of(apart, pair)), push);
    }
}

void tt_apart_brace(const tt_apart *apart, int first, float *straight, float *mixed)
{
    for (int i = 0; i < apart->nborne; i++) {
        const tt_apart_pair *pair = apart->pair[apart->borne[i]];
        const float *n = pair->axis;
        for (int k = 0; k < 4; k++) {
            size_t at = 4 * (size_t)(pair->particle[k] - first);
            float by = pair->weight[k] * pair->weight[k] / ease_of(apart, pair), along = by * (STIFFNESS - pair->hold);
            for (size_t c = 0; c < 3; c++) {
                straight[at + c] += by * pair->hold + along * n[c] * n[c];
                mixed[at + c] += along * n[c == 2 ? 0 : c] * n[c == 2 ? 2 : c + 1]; /* xy yz xz */
            }
        }
    }
}

/* ---- Speeds ---- */

/* All relative motion along the axis goes, and slow sliding. Each of these impulses takes energy, so all of them do. */
void tt_apart_calm(const tt_apart *apart, float *v, float slow)
{
    for (int i = 0; i < apart->npairs; i++) {
        const tt_apart_pair *pair = apart->pair[i];
        if (!pair->pushed) continue;
        spot speed = between(v, pair->particle, pair->weight), n = axis_of(pair), along = times(n, dot(n, speed));
        spot slide = minus(speed, along);
        bool rests = pair->friction > 0 && dot(slide, slide) <= slow * slow;
        move(v, apart, pair, times(rests ? speed : along, -1 / ease_of(apart, pair)));
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
