/* Which contacts act at which moment of a substep, and in which order.
 *
 * When positions are pushed, colliders and pairs of bodies come last, because they must hold whatever the ties want.
 * Within the limits, pairs are pushed too: else limits would move bodies into each other, and acceptance would take
 * their motion back until they are crushed. Ties come last there: they pull at meshes whose limits and colliders have
 * just acted. In the balance, ties come after the colliders, because a collider lets go of particles that a tie
 * carries. */
#include "world/contacts.h"

enum { MOST = 3 };

static tt_contact *const acting[TT_MOMENTS][MOST] = {
    [TT_AT_BEGIN] = {tt_ties_begin, tt_apart_begin},
    [TT_AT_ITERATION] = {tt_ties_draw, tt_colliders_push, tt_apart_touch},
    [TT_AT_LEVEL] = {tt_colliders_bound},
    [TT_AT_LIMITS] = {tt_colliders_bound, tt_apart_touch, tt_ties_draw},
    [TT_AT_END] = {tt_ties_end, tt_faces_push, tt_apart_end},
    [TT_AT_VELOCITY] = {tt_apart_settle},

    [TT_AT_LANDING] = {tt_grip_land, tt_ties_land},
    [TT_AT_LOAD] = {tt_ties_load, tt_touch_load},
    [TT_AT_LOAD_AGAIN] = {tt_ties_load, tt_touch_load_again},
    [TT_AT_BRACE] = {tt_touch_brace, tt_ties_brace},
    [TT_AT_WHOLE] = {tt_touch_whole},
    [TT_AT_SEARCH] = {tt_grip_choose},
    [TT_AT_LOOSE] = {tt_ties_gather},
    [TT_AT_WAY] = {tt_ties_carry_way},
    [TT_AT_MOVE] = {tt_ties_carry_move},
    [TT_AT_PUSH] = {tt_ties_stiffen, tt_touch_stiffen},
    [TT_AT_CATCH] = {tt_grip_arrest, tt_touch_catch},
    [TT_AT_RELEASE] = {tt_touch_release, tt_grip_release, tt_ties_release},
    [TT_AT_SETTLING] = {tt_ties_settle, tt_touch_remember},
    [TT_AT_FOLLOWING] = {tt_ties_follow},
};

bool tt_contacts_act(const tt_work *work, tt_moment moment)
{
    tt_work own = *work;
    own.undone = false;
    for (int i = 0; i < MOST && acting[moment][i]; i++) acting[moment][i](&own);
    return own.undone;
}
