/* A filter in double decides nearly always. If it cannot decide, the determinant is summed exactly, as in Shewchuk
 * 1997, "Adaptive precision floating-point arithmetic and fast robust geometric predicates". No fused multiply-add is
 * needed. */
#include "mesh/predicates.h"

#include <math.h>

static const double EPSILON = 0x1p-53; /* half a unit in the last place of 1 */

/* The product of three differences of floats is the sum of up to 8 products of three doubles. Each of these is the sum
 * of 4 doubles. A determinant has 6 products of three differences. */
enum { MOST_PARTS = 6 * 8 * 4 };

/* A number as the exact sum of doubles that do not overlap, smallest first and none of them 0. */
typedef struct exact {
    int count;
    double part[MOST_PARTS];
} exact;

/* A rounded sum or product, and its rounding error. */
typedef struct pair {
    double high, low;
} pair;

/* Knuth's sum: high + low = a + b. */
static pair add(double a, double b)
{
    double high = a + b, from_b = high - a, from_a = high - from_b;
    return (pair){high, (a - from_a) + (b - from_b)};
}

/* Dekker's and Veltkamp's: each half has at most 26 bits. */
static pair halves(double a)
{
    double large = 0x8000001p0 * a, high = large - (large - a);
    return (pair){high, a - high};
}

/* Dekker's product: high + low = a b. */
static pair multiply(double a, double b)
{
    pair x = halves(a), y = halves(b);
    double high = a * b, rest = high - x.high * y.high;
    rest -= x.low * y.high;
    rest -= x.high * y.low;
    return (pair){high, x.low * y.low - rest};
}

/* Shewchuk's Grow-Expansion, without parts that are 0. */
static void grow(exact *sum, double number)
{
    int count = 0;
    for (int i = 0; i < sum->count; i++) {
        pair next = add(number, sum->part[i]);
        if (next.low != 0) sum->part[count++] = next.low;
        number = next.high;
    }
    if (number != 0) sum->part[count++] = number;
    sum->count = count;
}

/* The sign is that of the largest part, because it is larger than all others together. */
static int sign_of(const exact *sum)
{
    if (sum->count == 0) return 0;
    return sum->part[sum->count - 1] > 0 ? 1 : -1;
}

static void grow_by_product(exact *sum, double a, double b, double c)
{
    if (a == 0 || b == 0 || c == 0) return;
    pair ab = multiply(a, b);
    pair first = multiply(ab.high, c), second = multiply(ab.low, c);
    grow(sum, second.low);
    grow(sum, second.high);
    grow(sum, first.low);
    grow(sum, first.high);
}

/* Adds sign a b c. */
static void grow_by_pairs(exact *sum, double sign, pair a, pair b, pair c)
{
    const double as[2] = {a.low, a.high}, bs[2] = {b.low, b.high}, cs[2] = {c.low, c.high};
    for (int i = 0; i < 8; i++) grow_by_product(sum, sign * as[i & 1], bs[i >> 1 & 1], cs[i >> 2]);
}

static pair difference(float a, float b) { return add((double)a, -(double)b); }

static int orient3d_exactly(const float a[3], const float b[3], const float c[3], const float d[3])
{
    static const int even[3][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
    exact sum;
    pair row[3][3];
    sum.count = 0;
    for (int k = 0; k < 3; k++) {
        row[0][k] = difference(a[k], d[k]);
        row[1][k] = difference(b[k], d[k]);
        row[2][k] = difference(c[k], d[k]);
    }
    for (int i = 0; i < 3; i++) {
        const int *k = even[i];
        grow_by_pairs(&sum, 1, row[0][k[0]], row[1][k[1]], row[2][k[2]]);
        grow_by_pairs(&sum, -1, row[0][k[0]], row[1][k[2]], row[2][k[1]]);
    }
    return sign_of(&sum);
}

/* The bound is o3derrboundA of Shewchuk's section 4.3. Its proof needs only that nothing underflows. If `size` is 0,
 * every product has a factor that is 0, and 0 is the exact result. */
int tt_orient3d(const float a[3], const float b[3], const float c[3], const float d[3])
{
    double p[3], q[3], r[3];
    for (int k = 0; k < 3; k++) {
        p[k] = (double)a[k] - (double)d[k];
        q[k] = (double)b[k] - (double)d[k];
        r[k] = (double)c[k] - (double)d[k];
    }
    double yz = q[1] * r[2], zy = q[2] * r[1], zx = q[2] * r[0], xz = q[0] * r[2], xy = q[0] * r[1], yx = q[1] * r[0];
    double determinant = p[0] * (yz - zy) + p[1] * (zx - xz) + p[2] * (xy - yx);
    double size = fabs(p[0]) * (fabs(yz) + fabs(zy)) + fabs(p[1]) * (fabs(zx) + fabs(xz)) +
                  fabs(p[2]) * (fabs(xy) + fabs(yx));
    double bound = (7 + 56 * EPSILON) * EPSILON * size;
    if (determinant > bound) return 1;
    if (determinant < -bound) return -1;
    return size == 0 ? 0 : orient3d_exactly(a, b, c, d);
}

static int orient2d_exactly(const float a[3], const float b[3], const float c[3], int u, int v)
{
    const pair one = {1, 0};
    exact sum;
    sum.count = 0;
    grow_by_pairs(&sum, 1, difference(a[u], c[u]), difference(b[v], c[v]), one);
    grow_by_pairs(&sum, -1, difference(a[v], c[v]), difference(b[u], c[u]), one);
    return sign_of(&sum);
}

/* The bound is ccwerrboundA of the same paper. */
int tt_orient2d(const float a[3], const float b[3], const float c[3], int u, int v)
{
    double left = ((double)a[u] - (double)c[u]) * ((double)b[v] - (double)c[v]);
    double right = ((double)a[v] - (double)c[v]) * ((double)b[u] - (double)c[u]);
    double determinant = left - right, size = fabs(left) + fabs(right);
    double bound = (3 + 16 * EPSILON) * EPSILON * size;
    if (determinant > bound) return 1;
    if (determinant < -bound) return -1;
    return size == 0 ? 0 : orient2d_exactly(a, b, c, u, v);
}
