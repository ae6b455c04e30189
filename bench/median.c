#include "median.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double quantile(double *values, int n, double q)
{
    qsort(values, (size_t)n, sizeof *values, compare);
    return values[(int)(q * (n - 1) + 0.5)];
}
