/* Pushing: near pairs keep their thickness, with Coulomb friction.
 *
 *     C = n.(closest point of A - that of B) - thickness < 0:   the pair is moved apart by -C along n, by inverse mass
 *     s = tangential part of the relative motion since the substep began:   friction takes at most mu (-C) off |s|
 *
 * A pair that is too close when the substep begins comes apart at no more than a certain speed (FASTEST). Only a small
 * part of this speed (KEPT) becomes velocity. The rest of the push also moves the places where the substep began
 * (`moved`), so velocity does not see it. */
#include "collide/apart_pair.h"

static const float FASTEST = 2; /* m/s: the speed at which a lost thickness comes back */
static const float KEPT = 0.3f; /* m/s: the part of it that becomes velocity */

/* The stiffness of springs in the balance, against coming closer and against sliding: a multiple of the mass that they
 * move, divided by the substep squared. */
static const float STIFFNESS = 10, HOLD = 30;
/* Pairs with springs are pushed only if they are closer than this share of the distance that they should have. Farther
 * pushes would disturb the balance, and cloth that lies on itself would tremble for ever. */
static const float LAYER = 0.25f;

/* The sliding of A's closest point relative to B's since the substep began. */
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

/* The distance that the pair should have in this substep. */
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

static void add(float *to, spot load, float by) { to[0] += by * load.x, to[1] += by * load.y, to[2] += by * load.z; }

/* The first particle is one of A, the last is one of B. */
static bool has_springs(const tt_apart *apart, const tt_apart_pair *pair)
{
    return pair->near && view_of(apart, pair->particle[0])->load && view_of(apart, pair->particle[3])->load;
}

/* A pair slides if it takes more force than friction can bear to hold it. */
static void choose_hold(const tt_apart *apart, tt_apart_pair *pair, float h)
{
    spot slide = slide_of(apart, pair), rub = {0, 0, 0};
    float size = sqrtf(dot(slide, slide)),
          most = pair->friction * STIFFNESS * (goal_of(pair, h) - distance_of(apart, pair));
    bool slides = HOLD * size > most;
    pair->hold = slides ? 0 : HOLD;
    if (slides) rub = times(slide, -least_of(most, size) / (size * ease_of(apart, pair)));
    pair->rub[0] = rub.x, pair->rub[1] = rub.y, pair->rub[2] = rub.z;
}

/* Chooses the pairs that are closer than they should be. */
static void choose_borne(tt_apart *apart, float h)
{
    for (int i = 0; i < apart->npairs; i++) {
        tt_apart_pair *pair = apart->pair[i];
        if (pair->borne || !has_springs(apart, pair)) continue;
        pair->sprung = true;
        if (!(distance_of(apart, pair) < goal_of(pair, h)) || !(ease_of(apart, pair) > 0)) continue;
        choose_hold(apart, pair, h);
        pair->borne = true;
        apart->borne[apart->nborne++] = i;
    }
}

/* Adds the pushes of the springs from number `first` on. */
static void load_from(tt_apart *apart, float h, int first)
{
    for (int i = first; i < apart->nborne; i++) {
        const tt_apart_pair *pair = apart->pair[apart->borne[i]];
        float off = goal_of(pair, h) - distance_of(apart, pair);
        spot push = minus(times(axis_of(pair), STIFFNESS * off), times(slide_of(apart, pair), pair->hold));
        push = plus(times(push, 1 / ease_of(apart, pair)), spot_of(pair->rub));
        for (int k = 0; k < 4; k++)
            add(&view_of(apart, pair->particle[k])->load[offset_of(apart, pair->particle[k])], push, pair->weight[k]);
    }
}

void tt_apart_load(tt_apart *apart, float h, bool choose)
{
    for (int i = 0; i < apart->npairs && choose; i++) apart->pair[i]->borne = false;
    if (choose) {
        apart->nborne = 0;
        choose_borne(apart, h);
        tt_apart_pack(apart, STIFFNESS);
    }
    load_from(apart, h, 0);
}

bool tt_apart_catch(tt_apart *apart, float h)
{
    int before = apart->nborne;
    choose_borne(apart, h);
    tt_apart_pack(apart, STIFFNESS);
    load_from(apart, h, before);
    return apart->nborne > before;
}

void tt_apart_brace(const tt_apart *apart)
{
    for (int i = 0; i < apart->nborne; i++) {
        const tt_apart_pair *pair = apart->pair[apart->borne[i]];
        const float *n = pair->axis;
        for (int k = 0; k < 4; k++) {
            const tt_apart_view *view = view_of(apart, pair->particle[k]);
            size_t at = offset_of(apart, pair->particle[k]);
            float by = pair->weight[k] * pair->weight[k] / ease_of(apart, pair), along = by * (STIFFNESS - pair->hold);
            for (size_t c = 0; c < 3; c++) {
                view->straight[at + c] += by * pair->hold + along * n[c] * n[c];
                view->mixed[at + c] += along * n[c == 2 ? 0 : c] * n[c == 2 ? 2 : c + 1]; /* xy yz xz */
            }
        }
    }
}

/* ---- Speeds ---- */

/* Takes away all relative motion along the axis, and slow sliding. Each of these impulses takes energy, so all together
 * take energy. */
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
