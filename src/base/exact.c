#include "base/exact.h"

#include <math.h>

/* pi/2 in three parts (Cody and Waite). The first two have 33 bits, so that their products with a whole number of up to
 * 20 bits are exact. So quarter turns are subtracted from x without loss. */
static const double QUARTER_1 = 0x1.921fb544p+0;
static const double QUARTER_2 = 0x1.0b4611a6p-34;
static const double QUARTER_3 = 0x1.3198a2e037073p-69;

/* Taylor series, |x| <= pi/4, nested: 1 - x^2/(2 3) (1 - x^2/(4 5) (1 - ...)). The first term left
 * out is below 1e-19. */
static double sin_near_zero(double x)
{
    double sum = 1;
    for (int n = 18; n > 0; n -= 2) sum = 1 - x * x / (n * (n + 1)) * sum;
    return x * sum;
}

static double cos_near_zero(double x)
{
    double sum = 1;
    for (int n = 17; n > 0; n -= 2) sum = 1 - x * x / (n * (n + 1)) * sum;
    return sum;
}

/* The sine of x plus `quarters` quarter turns. */
static double turned_sin(double x, double quarters)
{
    double turns = floor(x / (TT_PI / 2) + 0.5);
    double rest = x - turns * QUARTER_1 - turns * QUARTER_2 - turns * QUARTER_3;
    turns += quarters;
    double quadrant = turns - 4 * floor(turns / 4);
    double value = quadrant == 1 || quadrant == 3 ? cos_near_zero(rest) : sin_near_zero(rest);
    return quadrant >= 2 ? -value : value;
}

double tt_sin(double x) { return turned_sin(x, 0); }

double tt_cos(double x) { return turned_sin(x, 1); }

/* Gregory's series for |x| <= tan(pi/8); the first term left out is below 1e-18. */
static double atan_near_zero(double x)
{
    double sum = 0;
    for (int n = 41; n > 0; n -= 2) sum = 1.0 / n - x * x * sum;
    return x * sum;
}

/* For 0 <= x <= 1. The upper half uses atan x = pi/4 + atan((x - 1)/(x + 1)). */
static double atan_to_one(double x)
{
    const double tan_eighth = 0.41421356237309503; /* tan(pi/8) */
    return x > tan_eighth ? TT_PI / 4 + atan_near_zero((x - 1) / (x + 1)) : atan_near_zero(x);
}

double tt_atan2(double y, double x)
{
    double ax = fabs(x), ay = fabs(y);
    if (ax == 0 && ay == 0) return 0;
    double angle = ay <= ax ? atan_to_one(ay / ax) : TT_PI / 2 - atan_to_one(ax / ay);
    if (x < 0) angle = TT_PI - angle;
    return y < 0 ? -angle : angle;
}

static double power(double x, int n)
{
    double result = 1;
    for (; n; n /= 2, x *= x)
        if (n % 2) result *= x;
    return result;
}

/* Newton's method for y^n = x from y = 1. The function is convex, so y falls all the way to the root. When it stops
 * falling, only rounding is left. The error of y^n is about n roundings, and that of the root y is an n-th of it. */
double tt_root(double x, int n)
{
    const double tiny = 0x1p-500;
    if (x <= 0) return 0;
    if (n == 1) return x;
    if (x < tiny) return tt_root(x / tiny, n) * tt_root(tiny, n); /* keeps y^n clear of underflow */
    double y = 1;
    for (;;) {
        double next = y - y * (1 - x / power(y, n)) / n;
        if (!(next < y)) return y;
        y = next;
    }
}
