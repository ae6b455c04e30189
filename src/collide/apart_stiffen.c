/* The springs of the balance against a direction of its search. The search asks for this at each of its steps, so the
 * springs are packed first. Each spring finds what it pushes, then each particle adds up what its springs push, in
 * their order. So all threads take part, and no two of them write to the same particle. */
#include "collide/apart_pair.h"

#include <string.h>

enum { SHARE = 512 };

static tt_packed_spring packed(const tt_apart *apart, const tt_apart_spring *spring)
{
    const tt_apart_pair *pair = apart->pair[spring->pair];
    tt_packed_spring s = {.firm = spring->firm, .hold = spring->hold, .impulse = 1 / spring->ease};
    for (int k = 0; k < 3; k++) s.axis[k] = pair->axis[k];
    for (int k = 0; k < 4; k++) {
        s.weight[k] = pair->weight[k];
        s.way[k] = &view_of(apart, pair->particle[k])->way[offset_of(apart, pair->particle[k])];
    }
    return s;
}

/* Lists the ends of the springs by particle, in the order of the springs. */
static void list_ends(tt_apart *apart)
{
    int *first = apart->first_end, end = 0;
    memset(first, 0, (size_t)apart->nparticles * sizeof *first);
    for (int i = 0; i < apart->nsprings; i++)
        for (int k = 0; k < 4; k++) first[apart->pair[apart->spring[i].pair]->particle[k]]++;
    for (int i = 0; i < apart->nparticles; i++) end += first[i], first[i] = end;
    first[apart->nparticles] = end;
    for (int i = apart->nsprings - 1; i >= 0; i--)
        for (int k = 0; k < 4; k++) {
            const tt_apart_pair *pair = apart->pair[apart->spring[i].pair];
            apart->end[--first[pair->particle[k]]] = (tt_spring_end){i, pair->weight[k]};
        }
}

void tt_apart_pack(tt_apart *apart)
{
    for (int i = 0; i < apart->nsprings; i++) apart->packed[i] = packed(apart, &apart->spring[i]);
    list_ends(apart);
}

static int last_of(int share, int count) { return (share + 1) * SHARE < count ? (share + 1) * SHARE : count; }

/* What springs push when their particles go along the way. */
static void strain_share(void *argument, int share)
{
    const tt_apart *apart = argument;
    for (int i = share * SHARE, last = last_of(share, apart->nsprings); i < last; i++) {
        const tt_packed_spring *spring = &apart->packed[i];
        tt_four apart_by = {0, 0, 0, 0}, n = spring->axis;
        for (int k = 0; k < 4; k++) {
            tt_four way;
            memcpy(&way, spring->way[k], sizeof way);
            apart_by += way * spring->weight[k];
        }
        float along = n[0] * apart_by[0] + n[1] * apart_by[1] + n[2] * apart_by[2];
        apart->strain[i] = (apart_by * spring->hold + n * ((spring->firm - spring->hold) * along)) * spring->impulse;
    }
}

/* The sum of what springs push at each particle. */
static void deliver_share(void *argument, int share)
{
    const tt_apart *apart = argument;
    for (int i = share * SHARE, last = last_of(share, apart->nparticles); i < last; i++) {
        if (apart->first_end[i] == apart->first_end[i + 1]) continue;
        float *push = &view_of(apart, i)->push[offset_of(apart, i)];
        tt_four sum;
        memcpy(&sum, push, sizeof sum);
        for (int e = apart->first_end[i]; e < apart->first_end[i + 1]; e++)
            sum += apart->strain[apart->end[e].spring] * apart->end[e].weight;
        memcpy(push, &sum, sizeof sum);
    }
}

static int shares_of(int count) { return (count + SHARE - 1) / SHARE; }

void tt_apart_stiffen(tt_apart *apart, tt_apart_team team)
{
    if (apart->nsprings == 0) return;
    team.run(shares_of(apart->nsprings), strain_share, apart, team.user);
    team.run(shares_of(apart->nparticles), deliver_share, apart, team.user);
}
