/* Order statistics. */
#ifndef TAUT_BASE_QUANTILE_H
#define TAUT_BASE_QUANTILE_H

/* The value below which a share q (0..1) of the n > 0 values lies; 0.5 gives the median, 1 the largest. Changes the
 * order of the values. */
double tt_quantile(double *values, int n, double q);

#endif
