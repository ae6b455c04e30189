/* Order statistics. */
#ifndef TAUT_BASE_QUANTILE_H
#define TAUT_BASE_QUANTILE_H

/* The value below which a share q (0..1) of the n > 0 values lie; 0.5 is the median, 1 the largest. Puts them in
 * another order. */
double tt_quantile(double *values, int n, double q);

#endif
