#include "world/origin.h"

#include <float.h>
#include <math.h>

/* Coordinates of a whole number of spacings are exact in double up to here. */
static const double FARTHEST = 4503599627370496.0; /* 2^52 */

double tt_lattice_of(const taut_model *model)
{
    double size = 0, spacing = 1;
    for (int c = 0; c < 3; c++) {
        double low = DBL_MAX, high = -DBL_MAX;
        for (int i = 0; i < model->nvertices; i++) {
            double at = (double)model->rest[4 * (size_t)i + (size_t)c];
            if (at < low) low = at;
            if (at > high) high = at;
        }
        if (high - low > size) size = high - low;
    }
    if (!(size > 0) || !isfinite(size)) return 1; /* a point has no size */
    while (spacing > size) spacing /= 2;
    while (spacing * 2 <= size) spacing *= 2;
    return spacing;
}

static double nearest(double lattice, double place)
{
    double spacings = floor(place / lattice + 0.5);
    return fabs(spacings) < FARTHEST ? lattice * spacings : 0;
}

void tt_lattice_nearest(double lattice, const double place[3], double point[3])
{
    for (int c = 0; c < 3; c++) point[c] = nearest(lattice, place[c]);
}

void tt_lattice_approach(double lattice, const double low[3], const double high[3], double point[3])
{
    for (int c = 0; c < 3; c++) {
        double middle = (low[c] + high[c]) / 2;
        if (fabs(middle - point[c]) > lattice) point[c] = nearest(lattice, middle);
    }
}

/* Subtracting s from a coordinate p is exact if s/2 <= p. Up to p = 2s this is Sterbenz' lemma. For larger p it holds
 * because the difference is smaller than p and a multiple of p's last place. */
double tt_lattice_follow(double lattice, double low, double high)
{
    double middle = (low + high) / 2, sign = middle < 0 ? -1 : 1, nearest = middle < 0 ? -high : low;
    double most = fmin(fabs(middle), 2 * nearest), spacings = floor(most / lattice);
    if (!(fabs(middle) > lattice && spacings >= 1 && spacings < FARTHEST)) return 0;
    return sign * spacings * lattice;
}
