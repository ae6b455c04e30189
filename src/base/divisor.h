/* Strides that visit everything: i * stride % n takes each value below n once if stride and n share no divisor. */
#ifndef TAUT_BASE_DIVISOR_H
#define TAUT_BASE_DIVISOR_H

static inline int tt_common_divisor(int a, int b)
{
    while (b) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The smallest stride that shares no divisor with n and is at least `wanted` and at least 1. */
static inline int tt_coprime_stride(int wanted, int n)
{
    int stride = wanted < 1 ? 1 : wanted;
    while (tt_common_divisor(stride, n) > 1) stride++;
    return stride;
}

#endif
