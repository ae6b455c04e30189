/* Turns, as matrices of three rows. */
#ifndef TAUT_COLLIDE_TURN_H
#define TAUT_COLLIDE_TURN_H

typedef struct tt_turn {
    double row[3][3];
} tt_turn;

#define TT_NO_TURN ((tt_turn){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}})

/* The turn of a unit quaternion x y z w. */
tt_turn tt_turn_of(const double q[4]);
/* The turn at fraction `to` of the shorter way from one unit quaternion to the other. */
tt_turn tt_turn_between(const float now[4], const float end[4], float to);
/* The turn that leads from turn a to turn b: b after the inverse of a. */
tt_turn tt_turn_from(const tt_turn *a, const tt_turn *b);
/* The smallest turn that takes the direction of u to that of v; none if either is 0 or they are opposite. */
tt_turn tt_turn_to(const double u[3], const double v[3]);

#endif
