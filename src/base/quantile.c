/* Selection in linear time, by quicksort that goes on in one side only. The pivot comes from a small sample and is
 * close to the value that is looked for. If that value is in the upper half of the remaining ones, the pivot is a
 * little below it, else a little above it. So few values remain after a few rounds. */
#include "base/quantile.h"

enum { SAMPLE = 64, MARGIN = 4 };

/* Moves the values of first .. last that are below the pivot (with `or_equal` also those equal to it) to the front.
 * Returns where the others begin. No branch depends on the values, because such branches are hard to predict. */
static int move_lower(double *values, int first, int last, double pivot, int or_equal)
{
    int others = first;
    for (int i = first; i <= last; i++) {
        double value = values[i];
        values[i] = values[others];
        values[others] = value;
        others += or_equal ? value <= pivot : value < pivot;
    }
    return others;
}

static void sort(double *values, int n)
{
    for (int i = 1; i < n; i++) {
        double value = values[i];
        int at = i;
        for (; at > 0 && values[at - 1] > value; at--) values[at] = values[at - 1];
        values[at] = value;
    }
}

/* Chooses one of the values first .. last, of which there are many. */
static double choose_pivot(const double *values, int first, int last, int wanted)
{
    double sample[SAMPLE];
    int step = (last - first) / SAMPLE, near = (wanted - first) / (step + 1);
    for (int i = 0; i < SAMPLE; i++) sample[i] = values[first + i * step];
    sort(sample, SAMPLE);
    near += near < SAMPLE / 2 ? MARGIN : -MARGIN;
    return sample[near < 0 ? 0 : near >= SAMPLE ? SAMPLE - 1 : near];
}

double tt_quantile(double *values, int n, double q)
{
    int wanted = (int)(q * (n - 1) + 0.5), first = 0, last = n - 1;
    while (last - first >= SAMPLE) {
        double pivot = choose_pivot(values, first, last, wanted);
        int equal = move_lower(values, first, last, pivot, 0);
        if (wanted < equal) {
            last = equal - 1;
            continue;
        }
        first = move_lower(values, equal, last, pivot, 1);
        if (wanted < first) return pivot;
    }
    sort(values + first, last - first + 1);
    return values[wanted];
}
