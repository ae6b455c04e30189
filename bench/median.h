/* Order statistics of measurements. */
#ifndef BENCH_MEDIAN_H
#define BENCH_MEDIAN_H

/* The value below which a share q (0..1) of the n > 0 values lie; 0.5 is the median, 1 the largest. Puts them in
 * another order. */
double quantile(double *values, int n, double q);

#endif
