#include "outline.h"

#include <math.h>

static const double TWO_PI = 6.283185307179586;

/* ---- The shadow ---- */

/* The distance from the origin at which a ray at this angle meets the line from a to b in the plane. */
static double ray_meets(const double a[2], const double b[2], double angle)
{
    double c = cos(angle), s = sin(angle);
    double left_a = c * a[1] - s * a[0], left_b = c * b[1] - s * b[0]; /* distances from the ray */
    double share = left_a == left_b ? 0 : left_a / (left_a - left_b);
    share = fmin(fmax(share, 0), 1);
    return c * (a[0] + share * (b[0] - a[0])) + s * (a[1] + share * (b[1] - a[1]));
}

void outline_cast(outline_shadow *shadow, const double a[2], const double b[2])
{
    double from = atan2(a[1], a[0]), turn = atan2(b[1], b[0]) - from;
    if (turn > TWO_PI / 2) turn -= TWO_PI;
    if (turn < -TWO_PI / 2) turn += TWO_PI;
    double low = turn < 0 ? from + turn : from, high = turn < 0 ? from : from + turn, step = TWO_PI / OUTLINE_SECTORS;
    for (int i = (int)ceil(low / step); i <= (int)floor(high / step); i++) {
        double *sector = &shadow->far[(i + 2 * OUTLINE_SECTORS) % OUTLINE_SECTORS];
        *sector = fmax(*sector, ray_meets(a, b, i * step));
    }
}

double outline_area(const outline_shadow *shadow)
{
    double area = 0;
    for (int i = 0; i < OUTLINE_SECTORS; i++)
        area += shadow->far[i] * shadow->far[(i + 1) % OUTLINE_SECTORS] / 2 * sin(TWO_PI / OUTLINE_SECTORS);
    return area;
}

/* ---- Folds ---- */

static int highest(const double *height, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (height[i] > height[best]) best = i;
    return best;
}

/* Follows the profile and keeps the last extreme: the profile turns when a height is farther from the extreme than the
 * prominence. A closed profile starts and ends at its highest place, which is one more turn. */
int outline_folds(const double *height, int n, double prominence, bool closed)
{
    int start = closed ? highest(height, n) : 0, turns = 0, way = 0;
    double low = height[start], high = low;
    for (int i = 1; i < n + closed; i++) {
        double here = height[(start + i) % n];
        low = fmin(low, here);
        high = fmax(high, here);
        if (way >= 0 && here < high - prominence) {
            turns += way > 0;
            way = -1, low = here;
        } else if (way <= 0 && here > low + prominence) {
            turns += way < 0;
            way = 1, high = here;
        }
    }
    return closed ? (turns + (way != 0)) / 2 : turns;
}
