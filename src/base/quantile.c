#include "base/quantile.h"

static void swap(double *a, double *b)
{
    double c = *a;
    *a = *b;
    *b = c;
}

/* Moves values below the one in the middle to the front and those above it to the back. Between them is the rest:
 * from *first to *last. */
static void part(double *values, int *first, int *last)
{
    double middle = values[*first + (*last - *first) / 2];
    int low = *first, high = *last;
    for (int i = low; i <= high;) {
        if (values[i] < middle) swap(&values[i++], &values[low++]);
        else if (values[i] > middle) swap(&values[i], &values[high--]);
        else i++;
    }
    *first = low;
    *last = high;
}

double tt_quantile(double *values, int n, double q)
{
    int wanted = (int)(q * (n - 1) + 0.5), first = 0, last = n - 1;
    while (first < last) {
        int low = first, high = last;
        part(values, &low, &high);
        if (wanted < low) last = low - 1;
        else if (wanted > high) first = high + 1;
        else break;
    }
    return values[wanted];
}
