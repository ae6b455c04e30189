#include "reference_limits.h"

#include <math.h>
#include <string.h>

typedef ref_float_vec3 vec3;

static inline vec3 add(vec3 a, vec3 b) { return (vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }

static inline vec3 sub(vec3 a, vec3 b) { return (vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }

static inline vec3 scale(float s, vec3 a) { return (vec3){s * a.x, s * a.y, s * a.z}; }

static inline float dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline vec3 cross(vec3 a, vec3 b)
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float norm(vec3 a) { return sqrtf(dot(a, a)); }

static inline float clamp(float a, float low, float high) { return fminf(fmaxf(a, low), high); }

/* ---- Eq. 4 ---- */

/* Places n vertices by their edges from the first one. The centre of mass stays; if one vertex is pinned, that vertex
 * stays instead. */
static inline void place(int n, const int *i, const vec3 *edge, vec3 *p, const float *w)
{
    int pinned = -1;
    for (int k = 0; k < n; k++) {
        if (w[i[k]] > 0) continue;
        if (pinned >= 0) return;
        pinned = k;
    }
    vec3 first = {0, 0, 0};
    if (pinned >= 0) {
        first = sub(p[i[pinned]], edge[pinned]);
    } else {
        float total = 0;
        for (int k = 0; k < n; k++) {
            float m = 1 / w[i[k]];
            first = add(first, scale(m, sub(p[i[k]], edge[k])));
            total += m;
        }
        first = scale(1 / total, first);
    }
    for (int k = 0; k < n; k++)
        if (k != pinned) p[i[k]] = add(first, edge[k]);
}

/* ---- Triangles ---- */

/* The edges of a triangle in its own plane, the first along x (3.1.5), as columns; the axes of the plane. */
static inline void plane_edges(const int *i, const vec3 *p, float D[2][2], vec3 *x, vec3 *y)
{
    vec3 d1 = sub(p[i[1]], p[i[0]]), d2 = sub(p[i[2]], p[i[0]]);
    D[0][0] = norm(d1);
    D[1][0] = 0;
    *x = scale(1 / D[0][0], d1);
    D[0][1] = dot(*x, d2);
    vec3 up = sub(d2, scale(D[0][1], *x));
    D[1][1] = norm(up);
    *y = scale(1 / D[1][1], up);
}

bool ref_limit_tri_rest(ref_limit_tri *c, const int i[3], const vec3 *x)
{
    vec3 axis[2];
    memcpy(c->i, i, sizeof c->i);
    plane_edges(i, x, c->rest, &axis[0], &axis[1]);
    float det = c->rest[0][0] * c->rest[1][1];
    c->inverse[0][0] = c->rest[1][1] / det;
    c->inverse[0][1] = -c->rest[0][1] / det;
    c->inverse[1][0] = 0;
    c->inverse[1][1] = c->rest[0][0] / det;
    return det > 0;
}

static inline void multiply2(const float A[2][2], const float B[2][2], float AB[2][2])
{
    for (int r = 0; r < 2; r++)
        for (int k = 0; k < 2; k++) AB[r][k] = A[r][0] * B[0][k] + A[r][1] * B[1][k];
}

/* Whether all roots of the characteristic polynomial of F^T F are within. */
static inline bool is_within2(const float F[2][2], float low, float high)
{
    float trace = 0, det = F[0][0] * F[1][1] - F[0][1] * F[1][0];
    for (int r = 0; r < 2; r++)
        for (int k = 0; k < 2; k++) trace += F[r][k] * F[r][k];
    low *= low, high *= high, det *= det;
    return high * high - high * trace + det >= 0 && 2 * high >= trace && low * low - low * trace + det >= 0 &&
           2 * low <= trace;
}

/* F* = U S* V^T by the closed form of the singular value decomposition of a 2 x 2 matrix. */
static inline void clamp_stretches2(const float F[2][2], float low, float high, float G[2][2])
{
    float e = (F[0][0] + F[1][1]) / 2, f = (F[0][0] - F[1][1]) / 2;
    float g = (F[1][0] + F[0][1]) / 2, h = (F[1][0] - F[0][1]) / 2;
    float q = sqrtf(e * e + h * h), r = sqrtf(f * f + g * g);
    float s1 = clamp(q + r, low, high), s2 = clamp(q - r, low, high);
    float sum = atan2f(h, e), difference = atan2f(g, f);
    float u = (sum + difference) / 2, v = (sum - difference) / 2;
    float cu = cosf(u), su = sinf(u), cv = cosf(v), sv = sinf(v);
    const float US[2][2] = {{cu * s1, -su * s2}, {su * s1, cu * s2}}, Vt[2][2] = {{cv, -sv}, {sv, cv}};
    multiply2(US, Vt, G);
}

void ref_limit_tri_project(const ref_limit_tri *c, int n, float low, float high, vec3 *p, const float *w)
{
    for (int t = 0; t < n; t++) {
        float D[2][2], F[2][2], G[2][2];
        vec3 x, y, edge[3] = {{0, 0, 0}};
        plane_edges(c[t].i, p, D, &x, &y);
        multiply2(D, c[t].inverse, F);
        if (is_within2(F, low, high)) continue;
        clamp_stretches2(F, low, high, G);
        multiply2(G, c[t].rest, D);
        for (int k = 0; k < 2; k++) edge[k + 1] = add(scale(D[0][k], x), scale(D[1][k], y));
        place(3, c[t].i, edge, p, w);
    }
}

/* ---- Tets ---- */

static inline void tet_edges(const int *i, const vec3 *p, float D[3][3])
{
    for (int k = 0; k < 3; k++) {
        vec3 d = sub(p[i[k + 1]], p[i[0]]);
        D[0][k] = d.x;
        D[1][k] = d.y;
        D[2][k] = d.z;
    }
}

static inline float minor(const float A[3][3], int r, int k)
{
    int r1 = (r + 1) % 3, r2 = (r + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    return A[r1][k1] * A[r2][k2] - A[r1][k2] * A[r2][k1];
}

static inline float determinant(const float A[3][3])
{
    return A[0][0] * minor(A, 0, 0) + A[0][1] * minor(A, 0, 1) + A[0][2] * minor(A, 0, 2);
}

bool ref_limit_tet_rest(ref_limit_tet *c, const int i[4], const vec3 *x)
{
    memcpy(c->i, i, sizeof c->i);
    tet_edges(i, x, c->rest);
    float det = determinant(c->rest);
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++) c->inverse[r][k] = minor(c->rest, k, r) / det;
    return det != 0;
}

static inline void multiply3(const float A[3][3], const float B[3][3], float AB[3][3])
{
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++) AB[r][k] = A[r][0] * B[0][k] + A[r][1] * B[1][k] + A[r][2] * B[2][k];
}

/* Whether all roots of the characteristic polynomial of C are above (sign 1) or below (-1) a bound. This is so if the
 * coefficients of the polynomial shifted by the bound do not change sign. */
static inline bool roots_beyond(const float C[3][3], float bound, float sign)
{
    float A[3][3];
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++) A[r][k] = sign * (C[r][k] - (r == k ? bound : 0));
    return A[0][0] + A[1][1] + A[2][2] >= 0 && minor(A, 0, 0) + minor(A, 1, 1) + minor(A, 2, 2) >= 0 &&
           determinant(A) >= 0;
}

/* One of Jacobi's rotations: makes C_ij 0. */
static inline void rotate(float C[3][3], float V[3][3], int i, int j)
{
    if (C[i][j] == 0) return;
    float theta = (C[j][j] - C[i][i]) / (2 * C[i][j]);
    float t = copysignf(1, theta) / (fabsf(theta) + sqrtf(theta * theta + 1));
    float c = 1 / sqrtf(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        float a = C[k][i], b = C[k][j];
        C[k][i] = c * a - s * b;
        C[k][j] = s * a + c * b;
    }
    for (int k = 0; k < 3; k++) {
        float a = C[i][k], b = C[j][k], v = V[k][i], u = V[k][j];
        C[i][k] = c * a - s * b;
        C[j][k] = s * a + c * b;
        V[k][i] = c * v - s * u;
        V[k][j] = s * v + c * u;
    }
}

static inline void diagonalise(float C[3][3], float V[3][3])
{
    for (int sweep = 0; sweep < 10; sweep++) {
        float off = fabsf(C[0][1]) + fabsf(C[0][2]) + fabsf(C[1][2]);
        if (off <= 1e-7f * (C[0][0] + C[1][1] + C[2][2])) return;
        rotate(C, V, 0, 1);
        rotate(C, V, 0, 2);
        rotate(C, V, 1, 2);
    }
}

/* F* = U S* V^T. The smallest stretch of an inverted tet is negative (3.1.4): its u is the cross product of the other
 * two. */
static inline void clamp_stretches3(const float F[3][3], float C[3][3], float low, float high, float G[3][3])
{
    float V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, FV[3][3];
    diagonalise(C, V);
    multiply3(F, V, FV);
    int least = 0;
    for (int j = 1; j < 3; j++)
        if (C[j][j] < C[least][least]) least = j;
    int a = (least + 1) % 3, b = (least + 2) % 3;
    vec3 u[3], f[3];
    float s[3];
    for (int j = 0; j < 3; j++) f[j] = (vec3){FV[0][j], FV[1][j], FV[2][j]};
    s[a] = norm(f[a]);
    s[b] = norm(f[b]);
    u[a] = scale(1 / s[a], f[a]);
    u[b] = scale(1 / s[b], f[b]);
    u[least] = cross(u[a], u[b]);
    s[least] = dot(u[least], f[least]);
    memset(G, 0, 9 * sizeof G[0][0]);
    for (int j = 0; j < 3; j++) {
        vec3 us = scale(clamp(s[j], low, high), u[j]);
        for (int k = 0; k < 3; k++) {
            G[0][k] += us.x * V[k][j];
            G[1][k] += us.y * V[k][j];
            G[2][k] += us.z * V[k][j];
        }
    }
}

void ref_limit_tet_project(const ref_limit_tet *c, int n, float low, float high, vec3 *p, const float *w)
{
    for (int t = 0; t < n; t++) {
        float D[3][3], F[3][3], C[3][3], G[3][3];
        tet_edges(c[t].i, p, D);
        multiply3(D, c[t].inverse, F);
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < 3; k++) C[r][k] = F[0][r] * F[0][k] + F[1][r] * F[1][k] + F[2][r] * F[2][k];
        if (determinant(F) > 0 && roots_beyond(C, low * low, 1) && roots_beyond(C, high * high, -1)) continue;
        clamp_stretches3(F, C, low, high, G);
        multiply3(G, c[t].rest, D);
        const vec3 edge[4] = {
            {0, 0, 0}, {D[0][0], D[1][0], D[2][0]}, {D[0][1], D[1][1], D[2][1]}, {D[0][2], D[1][2], D[2][2]}};
        place(4, c[t].i, edge, p, w);
    }
}

/* ---- Bending ---- */

/* The angle over the edge opposite to corner k, 0 where flat; the edge's direction and both heights. */
static inline float fold(const int *i, int k, const vec3 *p, vec3 *direction, float height[2])
{
    vec3 own = p[i[k]], start = p[i[(k + 1) % 3]], end = p[i[(k + 2) % 3]], far = p[i[3 + k]];
    vec3 e = sub(end, start);
    float length = norm(e);
    *direction = scale(1 / length, e);
    vec3 n1 = cross(sub(start, own), sub(end, own)), n2 = cross(sub(end, far), sub(start, far));
    float area1 = norm(n1), area2 = norm(n2);
    height[0] = area1 / length;
    height[1] = area2 / length;
    n1 = scale(1 / area1, n1);
    n2 = scale(1 / area2, n2);
    return atan2f(dot(cross(n1, n2), *direction), dot(n1, n2));
}

bool ref_limit_bend_rest(ref_limit_bend *c, const int i[6], const vec3 *x)
{
    memcpy(c->i, i, sizeof c->i);
    for (int k = 0; k < 3; k++) {
        vec3 direction;
        float height[2];
        if (i[3 + k] < 0) continue;
        c->angle[k] = fold(i, k, x, &direction, height);
        c->heights[k] = height[0] + height[1];
        if (!(height[0] > 0 && height[1] > 0)) return false;
    }
    return true;
}

/* The step that eq. 6 gives corner k. */
static inline vec3 turn(const ref_limit_bend *c, int k, float low, float high, const vec3 *p, const float *w)
{
    const vec3 none = {0, 0, 0};
    const float pi = 3.14159265f;
    float height[2], m1 = w[c->i[k]], m2 = w[c->i[3 + k]];
    vec3 axis;
    if (!(m1 > 0)) return none;
    float angle = fold(c->i, k, p, &axis, height), off = angle - c->angle[k];
    if (off > pi) off -= 2 * pi;
    if (off < -pi) off += 2 * pi;
    float wanted = clamp(off, low * c->heights[k], high * c->heights[k]);
    if (wanted == off) return none;
    float d1 = height[0] * height[0] / m1, share = 1;
    if (m2 > 0) share = height[1] * height[1] / m2 / (d1 + height[1] * height[1] / m2);
    float by = -share * (wanted - off), co = cosf(by), si = sinf(by);
    vec3 start = p[c->i[(k + 1) % 3]], arm = sub(p[c->i[k]], start);
    vec3 along = scale(dot(axis, arm), axis), up = sub(arm, along);
    return sub(add(scale(co, up), scale(si, cross(axis, up))), up);
}

void ref_limit_bend_project(const ref_limit_bend *c, int n, float low, float high, vec3 *p, const float *w)
{
    for (int t = 0; t < n; t++) {
        vec3 step[3], shift = {0, 0, 0};
        float total = 0;
        int pinned = 0;
        for (int k = 0; k < 3; k++) {
            float inverse = w[c[t].i[k]];
            step[k] = (vec3){0, 0, 0};
            if (c[t].i[3 + k] >= 0) step[k] = turn(&c[t], k, low, high, p, w);
            if (!(inverse > 0)) {
                pinned++;
                continue;
            }
            shift = add(shift, scale(1 / inverse, step[k]));
            total += 1 / inverse;
        }
        shift = pinned ? (vec3){0, 0, 0} : scale(1 / total, shift);
        for (int k = 0; k < 3; k++)
            if (w[c[t].i[k]] > 0) p[c[t].i[k]] = add(p[c[t].i[k]], sub(step[k], shift));
    }
}
