/* Particles of LANES constraints in rows, as they lie in memory. Functions that are linear in them need no transpose.
 *
 * Row i holds x y z w of lane i, then of lane i + 4, and so on. With a single lane, row i is its number i. The header
 * of each instruction set brings:
 *
 *     row_load(p, offset, i), row_store(p, offset, i, v)
 *     row_all(v, i)        each lane's v in the place of x, y, z and w
 *     row_without_w(v, i)  0 in the place of w
 *     transpose(row)       four rows to x, y, z and w of all lanes, or back */
#ifndef TAUT_CONSTRAINTS_ROWS_H
#define TAUT_CONSTRAINTS_ROWS_H

#if defined(TT_ISA_AVX2) && !defined(TT_NARROW)
#error "rows are for narrow lanes: include constraints/narrow.h first"
#endif

#include "constraints/lane.h"

typedef struct tt_rows {
    lane row[4];
} tt_rows;

/* Makes the compiler read offsets again instead of keeping them, because it has too few registers for them. */
TT_INLINE const uint32_t *read_afresh(const uint32_t *offset)
{
    __asm__ volatile("" : "+r"(offset));
    return offset;
}

TT_INLINE tt_rows rows_load(const real *p, const uint32_t *offset)
{
    tt_rows r;
    offset = read_afresh(offset);
    TT_UNROLL
    for (int i = 0; i < 4; i++) r.row[i] = row_load(p, offset, i);
    return r;
}

TT_INLINE void rows_store(real *p, const uint32_t *offset, tt_rows r)
{
    offset = read_afresh(offset);
    TT_UNROLL
    for (int i = 0; i < 4; i++) row_store(p, offset, i, r.row[i]);
}

TT_INLINE tt_rows rows_add(tt_rows a, tt_rows b)
{
    TT_UNROLL
    for (int i = 0; i < 4; i++) a.row[i] = a.row[i] + b.row[i];
    return a;
}

TT_INLINE tt_rows rows_sub(tt_rows a, tt_rows b)
{
    TT_UNROLL
    for (int i = 0; i < 4; i++) a.row[i] = a.row[i] - b.row[i];
    return a;
}

/* Each particle times its lane's s. */
TT_INLINE tt_rows rows_scale(lane s, tt_rows a)
{
    TT_UNROLL
    for (int i = 0; i < 4; i++) a.row[i] = row_all(s, i) * a.row[i];
    return a;
}

TT_INLINE tt_rows rows_without_w(tt_rows a)
{
    TT_UNROLL
    for (int i = 0; i < 4; i++) a.row[i] = row_without_w(a.row[i], i);
    return a;
}

TT_INLINE quad quad_of(tt_rows r)
{
    transpose(r.row);
    return (quad){r.row[0], r.row[1], r.row[2], r.row[3]};
}

TT_INLINE tt_rows rows_of(quad q)
{
    tt_rows r = {{q.x, q.y, q.z, q.w}};
    transpose(r.row);
    return r;
}

/* All rows are read before the first is written, because dead lanes repeat a live one. */
TT_INLINE void add_rows(real *to, const uint32_t *offset, tt_rows by)
{
    rows_store(to, offset, rows_add(rows_load(to, offset), by));
}

#endif
