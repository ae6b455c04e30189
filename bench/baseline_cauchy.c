#include "baselines.h"

#include <math.h>
#include <string.h>

typedef ref_float_vec3 vec3;

enum { UNKNOWNS = 6 }; /* x and y of three vertices in the plane of the triangle */

static vec3 sub(vec3 a, vec3 b) { return (vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }

static vec3 add_scaled(vec3 a, float s, vec3 b) { return (vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }

static float dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/* The edges of a triangle in its own plane, as columns, and the axes of the plane. A direction that is not defined is
 * (0, 0, 0). */
static void plane_edges(const int *i, const vec3 *p, float D[2][2], vec3 axis[2])
{
    const vec3 none = {0, 0, 0};
    vec3 d1 = sub(p[i[1]], p[i[0]]), d2 = sub(p[i[2]], p[i[0]]);
    D[0][0] = sqrtf(dot(d1, d1));
    D[1][0] = 0;
    axis[0] = D[0][0] > 0 ? add_scaled(none, 1 / D[0][0], d1) : none;
    D[0][1] = dot(axis[0], d2);
    vec3 up = add_scaled(d2, -D[0][1], axis[0]);
    D[1][1] = sqrtf(dot(up, up));
    axis[1] = D[1][1] > 0 ? add_scaled(none, 1 / D[1][1], up) : none;
}

bool base_cauchy_rest(base_cauchy *c, const int i[3], const vec3 *x)
{
    vec3 axis[2];
    memcpy(c->i, i, sizeof c->i);
    plane_edges(i, x, c->rest, axis);
    c->inverse[0][0] = 1 / c->rest[0][0];
    c->inverse[0][1] = -c->rest[0][1] / (c->rest[0][0] * c->rest[1][1]);
    c->inverse[1][0] = 0;
    c->inverse[1][1] = 1 / c->rest[1][1];
    return c->rest[0][0] * c->rest[1][1] > 0;
}

/* A triangle turned back by the rotation of its polar decomposition. */
typedef struct unrotated {
    vec3 axis[2]; /* of the plane, turned with the triangle: the directions of the material's x and y */
    float edge[2][2];
    float strain[BASE_STRAINS];
} unrotated;

/* The rotation in F = R S of 2 x 2 matrices is known in closed form; S - I is the Cauchy strain. */
static void unrotate(const base_cauchy *c, const vec3 *p, unrotated *u)
{
    float D[2][2], F[2][2], S[2][2];
    vec3 axis[2];
    plane_edges(c->i, p, D, axis);
    for (int r = 0; r < 2; r++)
        for (int k = 0; k < 2; k++) F[r][k] = D[r][0] * c->inverse[0][k] + D[r][1] * c->inverse[1][k];
    float co = F[0][0] + F[1][1], si = F[1][0] - F[0][1], length = sqrtf(co * co + si * si);
    co = length > 0 ? co / length : 1;
    si = length > 0 ? si / length : 0;
    for (int k = 0; k < 2; k++) {
        S[0][k] = co * F[0][k] + si * F[1][k];
        S[1][k] = co * F[1][k] - si * F[0][k];
        u->edge[0][k] = co * D[0][k] + si * D[1][k];
        u->edge[1][k] = co * D[1][k] - si * D[0][k];
    }
    const vec3 none = {0, 0, 0};
    u->axis[0] = add_scaled(add_scaled(none, co, axis[0]), si, axis[1]);
    u->axis[1] = add_scaled(add_scaled(none, co, axis[1]), -si, axis[0]);
    u->strain[BASE_XX] = S[0][0] - 1;
    u->strain[BASE_YY] = S[1][1] - 1;
    u->strain[BASE_XY] = (S[0][1] + S[1][0]) / 2;
}

void base_cauchy_strain(const base_cauchy *c, const vec3 *p, float strain[BASE_STRAINS])
{
    unrotated u;
    unrotate(c, p, &u);
    memcpy(strain, u.strain, sizeof u.strain);
}

/* Rows 0..2: the change of the strains by a move of the vertices. For vertices 1 and 2, the gradient of the shape
 * function is a row of the inverse of the rest edges. For vertex 0 it is minus their sum. */
static void set_strain_rows(const base_cauchy *c, float A[UNKNOWNS][UNKNOWNS])
{
    for (int k = 0; k < 3; k++) {
        float gx = k ? c->inverse[k - 1][0] : -c->inverse[0][0] - c->inverse[1][0];
        float gy = k ? c->inverse[k - 1][1] : -c->inverse[0][1] - c->inverse[1][1];
        A[BASE_XX][2 * k] = gx;
        A[BASE_YY][2 * k + 1] = gy;
        A[BASE_XY][2 * k] = gy / 2;
        A[BASE_XY][2 * k + 1] = gx / 2;
    }
}

/* Rows 3..5: no linear momentum along x and y, no angular momentum about the centre of mass. Masses are divided by
 * their mean and lengths by the first edge at rest, so that all rows are of one size. */
static void set_momentum_rows(const base_cauchy *c, const unrotated *u, const float *w, float A[UNKNOWNS][UNKNOWNS])
{
    const float at[3][2] = {{0, 0}, {u->edge[0][0], u->edge[1][0]}, {u->edge[0][1], u->edge[1][1]}};
    float m[3], total = 0, centre[2] = {0, 0}, size = c->rest[0][0];
    for (int k = 0; k < 3; k++) total += m[k] = 1 / w[c->i[k]];
    for (int k = 0; k < 3; k++) {
        m[k] /= total * size;
        for (int r = 0; r < 2; r++) centre[r] += m[k] * size * at[k][r];
    }
    for (int k = 0; k < 3; k++) {
        A[3][2 * k] = m[k];
        A[4][2 * k + 1] = m[k];
        A[5][2 * k] = -m[k] * (at[k][1] - centre[1]) / size;
        A[5][2 * k + 1] = m[k] * (at[k][0] - centre[0]) / size;
    }
}

static void swap_rows(float *a, float *b, int n)
{
    for (int k = 0; k < n; k++) {
        float keep = a[k];
        a[k] = b[k];
        b[k] = keep;
    }
}

/* Gauss's elimination with pivots. False when the matrix is singular. */
static bool solve(float A[UNKNOWNS][UNKNOWNS], float b[UNKNOWNS])
{
    for (int j = 0; j < UNKNOWNS; j++) {
        int best = j;
        for (int r = j + 1; r < UNKNOWNS; r++)
            if (fabsf(A[r][j]) > fabsf(A[best][j])) best = r;
        if (A[best][j] == 0) return false;
        swap_rows(A[j], A[best], UNKNOWNS);
        swap_rows(&b[j], &b[best], 1);
        for (int r = j + 1; r < UNKNOWNS; r++) {
            float factor = A[r][j] / A[j][j];
            for (int k = j; k < UNKNOWNS; k++) A[r][k] -= factor * A[j][k];
            b[r] -= factor * b[j];
        }
    }
    for (int j = UNKNOWNS - 1; j >= 0; j--) {
        for (int k = j + 1; k < UNKNOWNS; k++) b[j] -= A[j][k] * b[k];
        b[j] /= A[j][j];
    }
    return true;
}

void base_cauchy_project(const base_cauchy *c, int n, const float limit[BASE_STRAINS][2], vec3 *p, const float *w)
{
    for (int t = 0; t < n; t++) {
        unrotated u;
        float A[UNKNOWNS][UNKNOWNS] = {{0}}, move[UNKNOWNS] = {0};
        bool within = true;
        unrotate(&c[t], p, &u);
        for (int s = 0; s < BASE_STRAINS; s++) {
            move[s] = fminf(fmaxf(u.strain[s], limit[s][0]), limit[s][1]) - u.strain[s];
            within = within && move[s] == 0;
        }
        if (within) continue;
        set_strain_rows(&c[t], A);
        set_momentum_rows(&c[t], &u, w, A);
        if (!solve(A, move)) continue;
        for (int k = 0; k < 3; k++) {
            vec3 *at = &p[c[t].i[k]];
            *at = add_scaled(add_scaled(*at, move[2 * k], u.axis[0]), move[2 * k + 1], u.axis[1]);
        }
    }
}
