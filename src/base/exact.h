/* Elementary functions that give the same bits everywhere. They use + - * / and sqrt in double only, never libm, whose
 * results differ between platforms. They are for building meshes and models; kernels have their own (lane_math.h). */
#ifndef TAUT_BASE_EXACT_H
#define TAUT_BASE_EXACT_H

#define TT_PI 3.14159265358979323846

double tt_sin(double x);              /* |x| <= 1e6; error below 1e-15                          */
double tt_cos(double x);
double tt_atan2(double y, double x);  /* in (-pi, pi]; 0 for (0, 0); error below 1e-15          */
double tt_root(double x, int n);      /* x^(1/n), 0 <= x <= 1, n >= 1; relative error below 1e-14 */

#endif
