#include "collide/turn.h"

#include <math.h>

tt_turn tt_turn_of(const double q[4])
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    return (tt_turn){{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                      {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                      {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}}};
}

tt_turn tt_turn_between(const float now[4], const float end[4], float to)
{
    double q[4], dot = 0, norm = 0;
    for (int i = 0; i < 4; i++) dot += (double)now[i] * (double)end[i];
    double sign = dot < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++) {
        q[i] = (double)now[i] + (sign * (double)end[i] - (double)now[i]) * (double)to;
        norm += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) q[i] /= sqrt(norm); /* norm is at least 1/2, because the way is the shorter one */
    return tt_turn_of(q);
}

tt_turn tt_turn_from(const tt_turn *a, const tt_turn *b)
{
    tt_turn turn;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turn.row[i][j] = b->row[i][0] * a->row[j][0] + b->row[i][1] * a->row[j][1] + b->row[i][2] * a->row[j][2];
    return turn;
}

static double dot(const double u[3], const double v[3]) { return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]; }

/* Rodrigues' formula: with s = u x v and c = u.v of unit vectors, 1 + [s] + [s]^2 / (1 + c). */
tt_turn tt_turn_to(const double u[3], const double v[3])
{
    double scale = sqrt(dot(u, u)) * sqrt(dot(v, v)), cosine = scale > 0 ? dot(u, v) / scale : 1;
    if (!(scale > 0 && isfinite(scale)) || cosine < -1 + 1e-9) return TT_NO_TURN;
    const double s[3] = {(u[1] * v[2] - u[2] * v[1]) / scale, (u[2] * v[0] - u[0] * v[2]) / scale,
                         (u[0] * v[1] - u[1] * v[0]) / scale};
    const double cross[3][3] = {{0, -s[2], s[1]}, {s[2], 0, -s[0]}, {-s[1], s[0], 0}};
    tt_turn turn = TT_NO_TURN;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double square = s[i] * s[j] - (i == j ? dot(s, s) : 0);
            turn.row[i][j] += cross[i][j] + square / (1 + cosine);
        }
    return turn;
}
