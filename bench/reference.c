/* reference.c: the formulas of the papers, written for one element at a time; see reference.h. */
#include "reference.h"

#include <float.h>
#include <string.h>
#include <tgmath.h>

#ifdef REFERENCE_DOUBLE
#define NAME(name) ref_double_##name
#define EPSILON DBL_EPSILON
typedef double real;
#else
#define NAME(name) ref_float_##name
#define EPSILON FLT_EPSILON
typedef float real;
#endif

typedef NAME(vec3) vec3;
typedef NAME(stiffness) stiffness;
typedef NAME(distance) distance;
typedef NAME(tether) tether;
typedef NAME(strain_tri) strain_tri;
typedef NAME(strain_tet) strain_tet;
typedef NAME(dihedral) dihedral;
typedef NAME(isometric) isometric;
typedef NAME(triangle_bend) triangle_bend;
typedef NAME(midpoint_bend) midpoint_bend;

static const real PI = (real)3.14159265358979323846;
static const real THIRD = (real)1 / 3;

/* ---- Vectors ---- */

static inline vec3 add(vec3 a, vec3 b) { return (vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }

static inline vec3 sub(vec3 a, vec3 b) { return (vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }

static inline vec3 scale(real s, vec3 a) { return (vec3){s * a.x, s * a.y, s * a.z}; }

static inline real dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline vec3 cross(vec3 a, vec3 b)
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline real norm(vec3 a) { return sqrt(dot(a, a)); }

static inline void load(int n, const int *i, const vec3 *p, vec3 *x)
{
    for (int k = 0; k < n; k++) x[k] = p[i[k]];
}

static inline void load_masses(int n, const int *i, const real *w, real *m)
{
    for (int k = 0; k < n; k++) m[k] = w[i[k]];
}

static inline void store(int n, const int *i, const vec3 *x, vec3 *p)
{
    for (int k = 0; k < n; k++) p[i[k]] = x[k];
}

/* ---- One projection ---- */

/* The stiffness of one mode of one constraint; lambda is NULL for a ratio. */
typedef struct softness {
    real k, alpha;
    real *lambda;
} softness;

static inline softness softness_of(stiffness s, int modes, int constraint, int mode)
{
    if (!s.alpha) return (softness){s.k[mode], 0, NULL};
    int at = constraint * modes + mode;
    return (softness){1, s.alpha[at], s.lambda + at};
}

static inline bool is_off(softness m) { return m.lambda ? m.alpha == INFINITY : m.k == 0; }

/* The dl of the step p_i += w_i g_i dl, from C and the sum of w_i |g_i|^2. Zero if nothing can move or numbers
 * overflow. */
static inline real multiplier(real C, real sum, softness m)
{
    if (!(sum > 0)) return 0;
    real dl = m.lambda ? -(C + m.alpha * *m.lambda) * (1 / (sum + m.alpha)) : -C * (m.k / sum);
    if (!isfinite(dl)) return 0;
    if (m.lambda) *m.lambda += dl;
    return dl;
}

static inline void project_gradient(int n, real C, const vec3 *g, vec3 *x, const real *w,
                                    softness m)
{
    real sum = 0;
    for (int i = 0; i < n; i++) sum += w[i] * dot(g[i], g[i]);
    real dl = multiplier(C, sum, m);
    if (dl == 0) return;
    for (int i = 0; i < n; i++) x[i] = add(x[i], scale(w[i], scale(dl, g[i])));
}

/* ---- Spans: C = |b| - d, b = sum a_i x_i ---- */

/* The a_i add up to zero, so b is taken relative to x_0. */
static inline vec3 span(int n, const real *a, const vec3 *x)
{
    vec3 b = {0, 0, 0};
    for (int i = 1; i < n; i++) b = add(b, scale(a[i], sub(x[i], x[0])));
    return b;
}

/* `length` is |b|; for a signed span it may be -|b|. */
static inline void span_gradient(int n, const real *a, vec3 b, real length, vec3 *g)
{
    for (int i = 0; i < n; i++) g[i] = length != 0 ? scale(a[i] / length, b) : (vec3){0, 0, 0};
}

static inline void project_span(int n, const real *a, vec3 b, real length, real d, vec3 *x,
                                const real *w, softness m)
{
    if (length == 0) return;
    real sum = 0;
    for (int i = 0; i < n; i++) sum += w[i] * a[i] * a[i];
    real t = multiplier(length - d, sum, m) * (1 / length);
    for (int i = 0; i < n; i++) x[i] = add(x[i], scale(w[i] * a[i] * t, b));
}

/* ---- Distance ---- */

bool NAME(distance_rest)(distance *c, const int i[2], const vec3 *x)
{
    memcpy(c->i, i, sizeof c->i);
    c->rest = norm(sub(x[i[0]], x[i[1]]));
    return c->rest > 0;
}

real NAME(distance_gradient)(const distance *c, const vec3 *p, vec3 g[2])
{
    vec3 b = sub(p[c->i[0]], p[c->i[1]]);
    real length = norm(b);
    span_gradient(2, (real[]){1, -1}, b, length, g);
    return length - c->rest;
}

void NAME(distance_project)(const distance *c, int n, vec3 *p, const real *w, stiffness s)
{
    for (int e = 0; e < n; e++) {
        int i0 = c[e].i[0], i1 = c[e].i[1];
        vec3 b = sub(p[i0], p[i1]);
        real length = norm(b);
        if (length == 0) continue;
        real dl = multiplier(length - c[e].rest, w[i0] + w[i1], softness_of(s, 1, e, 0));
        real t = dl * (1 / length);
        p[i0] = add(p[i0], scale(w[i0] * t, b));
        p[i1] = sub(p[i1], scale(w[i1] * t, b));
    }
}

/* ---- Tether ---- */

bool NAME(tether_rest)(tether *c, int i, vec3 anchor, const vec3 *x)
{
    *c = (tether){i, anchor, norm(sub(x[i], anchor))};
    return c->limit > 0;
}

real NAME(tether_gradient)(const tether *c, const vec3 *p, vec3 g[1])
{
    vec3 b = sub(p[c->i], c->anchor);
    real length = norm(b);
    span_gradient(1, (real[]){1}, b, length, g);
    return length - c->limit;
}

void NAME(tether_project)(const tether *c, int n, vec3 *p, const real *w, stiffness s)
{
    for (int e = 0; e < n; e++) {
        int i = c[e].i;
        vec3 b = sub(p[i], c[e].anchor);
        real length = norm(b);
        if (length <= c[e].limit || length == 0) continue;
        real dl = multiplier(length - c[e].limit, w[i], softness_of(s, 1, e, 0));
        real t = dl * (1 / length);
        p[i] = add(p[i], scale(w[i] * t, b));
    }
}

/* ---- Strain of an element of n particles: n = 3 a triangle, n = 4 a tet ---- */

/* f_j = P c_j as a span over the particles, from column j of Q^-1. */
static inline void column_coefficients(int n, const real *c, real *a)
{
    a[0] = 0;
    for (int k = 1; k < n; k++) {
        a[k] = c[k - 1];
        a[0] -= c[k - 1];
    }
}

/* SBD eq. 9 (raw) and 14 (span). */
static inline real stretch_gradient(int n, ref_stretch_form form, const real *c, real rest,
                                    const vec3 *x, vec3 *g)
{
    real a[4];
    column_coefficients(n, c, a);
    vec3 f = span(n, a, x);
    if (form == REF_STRETCH_RAW) {
        for (int i = 0; i < n; i++) g[i] = scale(2 * a[i], f);
        return dot(f, f) - rest * rest;
    }
    real length = norm(f);
    span_gradient(n, a, f, length, g);
    return length - rest;
}

static inline void project_stretch(int n, ref_stretch_form form, const real *c, real rest, vec3 *x,
                                   const real *w, softness m)
{
    if (is_off(m)) return;
    real a[4];
    column_coefficients(n, c, a);
    vec3 f = span(n, a, x);
    if (form == REF_STRETCH_SPAN) {
        project_span(n, a, f, norm(f), rest, x, w, m);
        return;
    }
    vec3 g[4];
    for (int i = 0; i < n; i++) g[i] = scale(2 * a[i], f);
    project_gradient(n, dot(f, f) - rest * rest, g, x, w, m);
}

/* The gradient of a shear from its derivatives ui, uj by f_i, f_j. */
static inline void shear_spread(int n, const real *ai, vec3 ui, const real *aj, vec3 uj, vec3 *g)
{
    for (int k = 0; k < n; k++) g[k] = add(scale(ai[k], ui), scale(aj[k], uj));
}

/* SBD eq. 10 (raw), 15 (cosine) and the asin of the latter (angle). Except in the raw form, the gradient is zero if an
 * axis has no length, or if rounding cannot tell the two axes from parallel ones. */
static inline real shear_gradient(int n, ref_shear_form form, const real *ci, const real *cj,
                                  const vec3 *x, vec3 *g)
{
    real ai[4], aj[4];
    column_coefficients(n, ci, ai);
    column_coefficients(n, cj, aj);
    vec3 fi = span(n, ai, x), fj = span(n, aj, x);
    if (form == REF_SHEAR_RAW) {
        shear_spread(n, ai, fj, aj, fi, g);
        return dot(fi, fj);
    }
    real li = norm(fi), lj = norm(fj);
    memset(g, 0, (size_t)n * sizeof *g);
    if (li == 0 || lj == 0) return 0;
    fi = scale(1 / li, fi);
    fj = scale(1 / lj, fj);
    real cosine = dot(fi, fj);
    real sine_squared = 1 - cosine * cosine;
    if (sine_squared < 16 * EPSILON)
        return form == REF_SHEAR_COSINE ? cosine : copysign(PI / 2, cosine);
    vec3 ui = scale(1 / li, sub(fj, scale(cosine, fi)));
    vec3 uj = scale(1 / lj, sub(fi, scale(cosine, fj)));
    if (form == REF_SHEAR_COSINE) {
        shear_spread(n, ai, ui, aj, uj, g);
        return cosine;
    }
    real cosecant = 1 / sqrt(sine_squared);
    shear_spread(n, ai, scale(cosecant, ui), aj, scale(cosecant, uj), g);
    return asin(cosine);
}

static inline void project_shear(int n, ref_shear_form form, const real *ci, const real *cj,
                                 vec3 *x, const real *w, softness m)
{
    vec3 g[4];
    if (is_off(m)) return;
    real C = shear_gradient(n, form, ci, cj, x, g);
    project_gradient(n, C, g, x, w, m);
}

/* ---- Strain of a triangle ---- */

bool NAME(strain_tri_rest)(strain_tri *c, const int i[3], const vec3 *x, vec3 warp)
{
    vec3 e1 = sub(x[i[1]], x[i[0]]), e2 = sub(x[i[2]], x[i[0]]);
    vec3 normal = cross(e1, e2);
    real area = norm(normal); /* of the parallelogram, det Q */
    normal = scale(1 / area, normal);
    vec3 u = sub(warp, scale(dot(warp, normal), normal));
    u = scale(1 / norm(u), u);
    vec3 v = cross(normal, u);
    /* Q = [q1 q2] = [u v]^T [e1 e2]; columns of its inverse. */
    *c = (strain_tri){
        .i = {i[0], i[1], i[2]},
        .c = {{dot(v, e2) / area, -dot(v, e1) / area}, {-dot(u, e2) / area, dot(u, e1) / area}},
        .det = 1 / area,
        .s = {1, 1}};
    return isfinite(c->det) && isfinite(c->c[0][0] + c->c[0][1] + c->c[1][0] + c->c[1][1]);
}

/* C = |f1 x f2| - s1 s2 with |f1 x f2| = |e1 x e2| det Q^-1. */
static inline real area_gradient(const strain_tri *c, const vec3 *x, vec3 *g)
{
    vec3 e1 = sub(x[1], x[0]), e2 = sub(x[2], x[0]);
    vec3 normal = cross(e1, e2);
    real area = norm(normal);
    memset(g, 0, 3 * sizeof *g);
    if (area > 0) {
        normal = scale(c->det / area, normal);
        g[1] = cross(e2, normal);
        g[2] = cross(normal, e1);
        g[0] = scale(-1, add(g[1], g[2]));
    }
    return area * c->det - c->s[0] * c->s[1];
}

static inline void project_area(const strain_tri *c, vec3 *x, const real *w, softness m)
{
    vec3 g[3];
    if (is_off(m)) return;
    real C = area_gradient(c, x, g);
    project_gradient(3, C, g, x, w, m);
}

real NAME(strain_tri_gradient)(const strain_tri *c, ref_forms forms, int mode, const vec3 *p,
                               vec3 g[3])
{
    vec3 x[3];
    load(3, c->i, p, x);
    if (mode == REF_TRI_AREA) return area_gradient(c, x, g);
    if (mode == REF_TRI_XY) return shear_gradient(3, forms.shear, c->c[0], c->c[1], x, g);
    return stretch_gradient(3, forms.stretch, c->c[mode], c->s[mode], x, g);
}

void NAME(strain_tri_project)(const strain_tri *c, int n, ref_forms forms, vec3 *p, const real *w,
                              stiffness s)
{
    for (int e = 0; e < n; e++, c++) {
        vec3 x[3];
        real m[3];
        load(3, c->i, p, x);
        load_masses(3, c->i, w, m);
        for (int j = 0; j < 2; j++) {
            softness soft = softness_of(s, REF_TRI_MODES, e, REF_TRI_XX + j);
            project_stretch(3, forms.stretch, c->c[j], c->s[j], x, m, soft);
        }
        softness soft = softness_of(s, REF_TRI_MODES, e, REF_TRI_XY);
        project_shear(3, forms.shear, c->c[0], c->c[1], x, m, soft);
        project_area(c, x, m, softness_of(s, REF_TRI_MODES, e, REF_TRI_AREA));
        store(3, c->i, x, p);
    }
}

/* ---- Strain of a tet ---- */

/* The two axes of the shear modes xy, yz, xz. */
static const int shear_axes[3][2] = {{0, 1}, {1, 2}, {0, 2}};

bool NAME(strain_tet_rest)(strain_tet *c, const int i[4], const vec3 *x, const vec3 axes[3])
{
    vec3 q[3]; /* rest edges in the material frame: the columns of Q */
    for (int k = 0; k < 3; k++) {
        vec3 edge = sub(x[i[k + 1]], x[i[0]]);
        q[k] = (vec3){dot(axes[0], edge), dot(axes[1], edge), dot(axes[2], edge)};
    }
    real det = dot(q[0], cross(q[1], q[2]));
    *c = (strain_tet){.i = {i[0], i[1], i[2], i[3]}, .det = 1 / det, .s = {1, 1, 1}};
    real sum = c->det;
    for (int k = 0; k < 3; k++) { /* rows of Q^-1 are cross products of the columns of Q */
        vec3 row = scale(1 / det, cross(q[(k + 1) % 3], q[(k + 2) % 3]));
        c->c[0][k] = row.x;
        c->c[1][k] = row.y;
        c->c[2][k] = row.z;
        sum += row.x + row.y + row.z;
    }
    return isfinite(sum);
}

/* det F = det P det Q^-1 and its gradient. */
static inline real determinant_gradient(const strain_tet *c, const vec3 *x, vec3 *g)
{
    vec3 e1 = sub(x[1], x[0]), e2 = sub(x[2], x[0]), e3 = sub(x[3], x[0]);
    g[1] = scale(c->det, cross(e2, e3));
    g[2] = scale(c->det, cross(e3, e1));
    g[3] = scale(c->det, cross(e1, e2));
    g[0] = scale(-1, add(g[1], add(g[2], g[3])));
    return dot(e1, g[1]);
}

static inline real rest_determinant(const strain_tet *c) { return c->s[0] * c->s[1] * c->s[2]; }

/* An inverted tet has full strength, so that it turns back. */
static inline void project_volume(const strain_tet *c, vec3 *x, const real *w, softness m)
{
    vec3 g[4];
    real det = determinant_gradient(c, x, g);
    if (det <= 0) {
        m.k = 1;
        m.alpha = 0;
    }
    if (!is_off(m)) project_gradient(4, det - rest_determinant(c), g, x, w, m);
}

real NAME(strain_tet_gradient)(const strain_tet *c, ref_forms forms, int mode, const vec3 *p,
                               vec3 g[4])
{
    vec3 x[4];
    load(4, c->i, p, x);
    if (mode == REF_TET_VOLUME) return determinant_gradient(c, x, g) - rest_determinant(c);
    if (mode >= REF_TET_XY) {
        const int *axes = shear_axes[mode - REF_TET_XY];
        return shear_gradient(4, forms.shear, c->c[axes[0]], c->c[axes[1]], x, g);
    }
    return stretch_gradient(4, forms.stretch, c->c[mode], c->s[mode], x, g);
}

void NAME(strain_tet_project)(const strain_tet *c, int n, ref_forms forms, vec3 *p, const real *w,
                              stiffness s)
{
    for (int e = 0; e < n; e++, c++) {
        vec3 x[4];
        real m[4];
        load(4, c->i, p, x);
        load_masses(4, c->i, w, m);
        for (int j = 0; j < 3; j++) {
            softness soft = softness_of(s, REF_TET_MODES, e, REF_TET_XX + j);
            project_stretch(4, forms.stretch, c->c[j], c->s[j], x, m, soft);
        }
        for (int j = 0; j < 3; j++) {
            softness soft = softness_of(s, REF_TET_MODES, e, REF_TET_XY + j);
            const int *axes = shear_axes[j];
            project_shear(4, forms.shear, c->c[axes[0]], c->c[axes[1]], x, m, soft);
        }
        project_volume(c, x, m, softness_of(s, REF_TET_MODES, e, REF_TET_VOLUME));
        store(4, c->i, x, p);
    }
}

/* ---- Dihedral angle ---- */

/* phi and its gradient (SBD eq. 39-46); x are p1, p2, p3, p4. If a triangle has no area, there is neither angle nor
 * gradient. */
static inline real angle_gradient(const vec3 *x, vec3 *g)
{
    vec3 edge = sub(x[3], x[2]);
    vec3 N1 = cross(sub(x[2], x[0]), sub(x[3], x[0]));
    vec3 N2 = cross(sub(x[3], x[1]), sub(x[2], x[1]));
    real length = norm(edge), N1N1 = dot(N1, N1), N2N2 = dot(N2, N2);
    if (length == 0 || N1N1 == 0 || N2N2 == 0) {
        memset(g, 0, 4 * sizeof *g);
        return 0;
    }
    vec3 unit = scale(1 / length, edge);
    vec3 n1 = scale(1 / N1N1, N1), n2 = scale(1 / N2N2, N2);
    g[0] = scale(-length, n1);
    g[1] = scale(-length, n2);
    g[2] = add(scale(dot(sub(x[3], x[0]), unit), n1), scale(dot(sub(x[3], x[1]), unit), n2));
    g[3] = add(scale(dot(sub(x[0], x[2]), unit), n1), scale(dot(sub(x[1], x[2]), unit), n2));
    return atan2(dot(cross(N1, N2), unit), dot(N1, N2));
}

/* Wraps an angle into (-pi, pi]. */
static inline real wrap(real angle)
{
    if (angle > PI) return angle - 2 * PI;
    if (angle <= -PI) return angle + 2 * PI;
    return angle;
}

bool NAME(dihedral_rest)(dihedral *c, const int i[4], const vec3 *x)
{
    vec3 rest[4], g[4];
    memcpy(c->i, i, sizeof c->i);
    load(4, i, x, rest);
    c->phi0 = angle_gradient(rest, g);
    return dot(g[0], g[0]) > 0;
}

real NAME(dihedral_gradient)(const dihedral *c, const vec3 *p, vec3 g[4])
{
    vec3 x[4];
    load(4, c->i, p, x);
    return wrap(angle_gradient(x, g) - c->phi0);
}

void NAME(dihedral_project)(const dihedral *c, int n, vec3 *p, const real *w, stiffness s)
{
    for (int e = 0; e < n; e++, c++) {
        vec3 x[4], g[4];
        real m[4];
        load(4, c->i, p, x);
        load_masses(4, c->i, w, m);
        real C = wrap(angle_gradient(x, g) - c->phi0);
        project_gradient(4, C, g, x, m, softness_of(s, 1, e, 0));
        store(4, c->i, x, p);
    }
}

/* ---- Isometric bending ---- */

static real cotangent(vec3 a, vec3 b) { return dot(a, b) / norm(cross(a, b)); }

/* |b| with the sign of b against the normals of (p0,p1,p2) and (p1,p0,p3). */
static inline real signed_length(vec3 b, const vec3 *x)
{
    vec3 e0 = sub(x[1], x[0]);
    vec3 normals = add(cross(e0, sub(x[2], x[0])), cross(sub(x[3], x[0]), e0));
    return dot(b, normals) < 0 ? -norm(b) : norm(b);
}

bool NAME(isometric_rest)(isometric *c, const int i[4], const vec3 *x, bool flat)
{
    vec3 r[4];
    load(4, i, x, r);
    vec3 e0 = sub(r[1], r[0]), back = sub(r[0], r[1]);
    real c01 = cotangent(e0, sub(r[2], r[0])), c02 = cotangent(e0, sub(r[3], r[0]));
    real c03 = cotangent(back, sub(r[2], r[1])), c04 = cotangent(back, sub(r[3], r[1]));
    *c = (isometric){.i = {i[0], i[1], i[2], i[3]},
                     .K = {c03 + c04, c01 + c02, -c01 - c03, -c02 - c04}};
    if (!flat) c->d = signed_length(span(4, c->K, r), r);
    return isfinite(c01 + c02 + c03 + c04);
}

real NAME(isometric_gradient)(const isometric *c, const vec3 *p, vec3 g[4])
{
    vec3 x[4];
    load(4, c->i, p, x);
    vec3 b = span(4, c->K, x);
    real length = c->d != 0 ? signed_length(b, x) : norm(b);
    span_gradient(4, c->K, b, length, g);
    return length - c->d;
}

void NAME(isometric_project)(const isometric *c, int n, vec3 *p, const real *w, stiffness s)
{
    for (int e = 0; e < n; e++, c++) {
        vec3 x[4];
        real m[4];
        load(4, c->i, p, x);
        load_masses(4, c->i, w, m);
        vec3 b = span(4, c->K, x);
        real length = c->d != 0 ? signed_length(b, x) : norm(b);
        project_span(4, c->K, b, length, c->d, x, m, softness_of(s, 1, e, 0));
        store(4, c->i, x, p);
    }
}

/* ---- Triangle bending ---- */

static inline bool bend_is_satisfied(ref_bend_mode mode, real C)
{
    return (mode == REF_BEND_AT_MOST && C <= 0) || (mode == REF_BEND_AT_LEAST && C >= 0);
}

/* Particles b0, b1, v: the vector from the centroid to v. */
static inline vec3 tip_height(const vec3 *x)
{
    return scale(THIRD, add(sub(x[2], x[0]), sub(x[2], x[1])));
}

static const real tip_coefficients[3] = {-(real)1 / 3, -(real)1 / 3, (real)2 / 3};

bool NAME(triangle_bend_rest)(triangle_bend *c, const int i[3], const vec3 *x)
{
    vec3 r[3];
    memcpy(c->i, i, sizeof c->i);
    load(3, i, x, r);
    c->h0 = norm(tip_height(r));
    return true;
}

real NAME(triangle_bend_gradient)(const triangle_bend *c, real kappa, const vec3 *p, vec3 g[3])
{
    vec3 x[3];
    load(3, c->i, p, x);
    vec3 b = tip_height(x);
    real length = norm(b);
    span_gradient(3, tip_coefficients, b, length, g);
    return length - (c->h0 + kappa);
}

void NAME(triangle_bend_project)(const triangle_bend *c, int n, real kappa, ref_bend_mode mode,
                                 vec3 *p, const real *w, stiffness s)
{
    for (int e = 0; e < n; e++, c++) {
        vec3 x[3];
        real m[3];
        load(3, c->i, p, x);
        load_masses(3, c->i, w, m);
        vec3 b = tip_height(x);
        real length = norm(b), d = c->h0 + kappa;
        if (bend_is_satisfied(mode, length - d)) continue;
        project_span(3, tip_coefficients, b, length, d, x, m, softness_of(s, 1, e, 0));
        store(3, c->i, x, p);
    }
}

/* Particles b0, b1, m0, m1: the tip is the midpoint of m0 and m1. */
static inline vec3 midpoint_height(const vec3 *x)
{
    return scale(THIRD, add(sub(x[2], x[0]), sub(x[3], x[1])));
}

static const real midpoint_coefficients[4] = {-(real)1 / 3, -(real)1 / 3, (real)1 / 3, (real)1 / 3};

bool NAME(midpoint_bend_rest)(midpoint_bend *c, const int i[4], const vec3 *x)
{
    vec3 r[4];
    memcpy(c->i, i, sizeof c->i);
    load(4, i, x, r);
    c->h0 = norm(midpoint_height(r));
    return true;
}

real NAME(midpoint_bend_gradient)(const midpoint_bend *c, real kappa, const vec3 *p, vec3 g[4])
{
    vec3 x[4];
    load(4, c->i, p, x);
    vec3 b = midpoint_height(x);
    real length = norm(b);
    span_gradient(4, midpoint_coefficients, b, length, g);
    return length - (c->h0 + kappa);
}

void NAME(midpoint_bend_project)(const midpoint_bend *c, int n, real kappa, ref_bend_mode mode,
                                 vec3 *p, const real *w, stiffness s)
{
    for (int e = 0; e < n; e++, c++) {
        vec3 x[4];
        real m[4];
        load(4, c->i, p, x);
        load_masses(4, c->i, w, m);
        vec3 b = midpoint_height(x);
        real length = norm(b), d = c->h0 + kappa;
        if (bend_is_satisfied(mode, length - d)) continue;
        project_span(4, midpoint_coefficients, b, length, d, x, m, softness_of(s, 1, e, 0));
        store(4, c->i, x, p);
    }
}
