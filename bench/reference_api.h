/* reference_api.h: the declarations of one precision. reference.h includes it twice, so it has no include guard.
 *
 * Every kind has three functions:
 *   _rest      fills a constraint from rest positions; false when the rest shape is degenerate
 *   _gradient  returns C and writes the gradient g of each of its particles (zeros if there is none)
 *   _project   projects n constraints one after the other; those that are degenerate or cannot move are left out
 * p are the positions and w the inverse masses (0 = pinned) of all particles; i are indices into both.
 */
#define NAME REFERENCE_NAME
#define real REFERENCE_REAL

typedef struct NAME(vec3) {
    real x, y, z;
} NAME(vec3);

/* PBD: alpha is NULL and k has one ratio per mode, which is k' already; 0 is off. XPBD: alpha and lambda have one entry
 * per constraint and mode ([n][modes]), and k is not read; alpha = compliance / h^2, INFINITY is off; lambda starts a
 * step at zero and is kept over its iterations. */
typedef struct NAME(stiffness) {
    const real *k;
    const real *alpha;
    real *lambda;
} NAME(stiffness);

/* Distance (SBD eq. 3-4), also stick bending: C = |p0 - p1| - rest. */
typedef struct NAME(distance) {
    int i[2];
    real rest;
} NAME(distance);

bool NAME(distance_rest)(NAME(distance) *c, const int i[2], const NAME(vec3) *x);
real NAME(distance_gradient)(const NAME(distance) *c, const NAME(vec3) *p, NAME(vec3) g[2]);
void NAME(distance_project)(const NAME(distance) *c, int n, NAME(vec3) *p, const real *w, NAME(stiffness) s);

/* Tether: C = |p0 - anchor| - limit, projected only while C > 0. */
typedef struct NAME(tether) {
    int i;
    NAME(vec3) anchor;
    real limit;
} NAME(tether);

bool NAME(tether_rest)(NAME(tether) *c, int i, NAME(vec3) anchor, const NAME(vec3) *x);
real NAME(tether_gradient)(const NAME(tether) *c, const NAME(vec3) *p, NAME(vec3) g[1]);
void NAME(tether_project)(const NAME(tether) *c, int n, NAME(vec3) *p, const real *w, NAME(stiffness) s);

/* Strain of a triangle (SBD 3.2-3.4): F = P Q^-1, modes xx, yy, xy and area, C_area = |f1 x f2| - s1 s2. F is computed
 * anew for each mode. The material's x axis is `warp` projected to the triangle, y is the normal x that. */
typedef struct NAME(strain_tri) {
    int i[3];
    real c[2][2]; /* c[j] is column j of Q^-1 */
    real det;     /* of Q^-1 */
    real s[2];    /* rest stretch; _rest sets 1 */
} NAME(strain_tri);

bool NAME(strain_tri_rest)(NAME(strain_tri) *c, const int i[3], const NAME(vec3) *x, NAME(vec3) warp);
real NAME(strain_tri_gradient)(const NAME(strain_tri) *c, ref_forms forms, int mode, const NAME(vec3) *p,
                               NAME(vec3) g[3]);
void NAME(strain_tri_project)(const NAME(strain_tri) *c, int n, ref_forms forms, NAME(vec3) *p, const real *w,
                              NAME(stiffness) s);

/* Strain of a tet (SBD 3.2-3.6): modes xx, yy, zz, xy, yz, xz and volume, C_volume = det F - s1 s2 s3. While det F <= 0
 * volume has full strength, k = 1 or alpha = 0, whatever `s` says. `axes` are the material's x, y, z, orthonormal. */
typedef struct NAME(strain_tet) {
    int i[4];
    real c[3][3]; /* c[j] is column j of Q^-1 */
    real det;     /* of Q^-1 */
    real s[3];    /* rest stretch; _rest sets 1 */
} NAME(strain_tet);

bool NAME(strain_tet_rest)(NAME(strain_tet) *c, const int i[4], const NAME(vec3) *x, const NAME(vec3) axes[3]);
real NAME(strain_tet_gradient)(const NAME(strain_tet) *c, ref_forms forms, int mode, const NAME(vec3) *p,
                               NAME(vec3) g[4]);
void NAME(strain_tet_project)(const NAME(strain_tet) *c, int n, ref_forms forms, NAME(vec3) *p, const real *w,
                              NAME(stiffness) s);

/* Dihedral angle (SBD eq. 39-46) of triangles (p1,p3,p4) and (p2,p4,p3), i = p1 p2 p3 p4: C = wrap(phi - phi0). */
typedef struct NAME(dihedral) {
    int i[4];
    real phi0;
} NAME(dihedral);

bool NAME(dihedral_rest)(NAME(dihedral) *c, const int i[4], const NAME(vec3) *x);
real NAME(dihedral_gradient)(const NAME(dihedral) *c, const NAME(vec3) *p, NAME(vec3) g[4]);
void NAME(dihedral_project)(const NAME(dihedral) *c, int n, NAME(vec3) *p, const real *w, NAME(stiffness) s);

/* Isometric bending (Bergou 2006) over edge (p0,p1) with opposite p2, p3: C = l - d, l = |b|, b = sum K_i p_i. Where
 * the rest state is curved (d != 0) l has the sign of b . (N1 + N2). `flat` takes d = 0 whatever the rest positions
 * are. The caller puts the factor 3/(A0 + A1) of the energy in alpha. */
typedef struct NAME(isometric) {
    int i[4];
    real K[4];
    real d;
} NAME(isometric);

bool NAME(isometric_rest)(NAME(isometric) *c, const int i[4], const NAME(vec3) *x, bool flat);
real NAME(isometric_gradient)(const NAME(isometric) *c, const NAME(vec3) *p, NAME(vec3) g[4]);
void NAME(isometric_project)(const NAME(isometric) *c, int n, NAME(vec3) *p, const real *w, NAME(stiffness) s);

/* Triangle bending (TB eq. 5), i = b0 b1 v: b = (2v - b0 - b1)/3, C = |b| - (h0 + kappa). AT_MOST projects only while
 * C > 0, AT_LEAST only while C < 0. */
typedef struct NAME(triangle_bend) {
    int i[3];
    real h0;
} NAME(triangle_bend);

bool NAME(triangle_bend_rest)(NAME(triangle_bend) *c, const int i[3], const NAME(vec3) *x);
real NAME(triangle_bend_gradient)(const NAME(triangle_bend) *c, real kappa, const NAME(vec3) *p, NAME(vec3) g[3]);
void NAME(triangle_bend_project)(const NAME(triangle_bend) *c, int n, real kappa, ref_bend_mode mode, NAME(vec3) *p,
                                 const real *w, NAME(stiffness) s);

/* The same with the midpoint of an edge (m0,m1) as the tip, i = b0 b1 m0 m1: b = (m0 + m1 - b0 - b1)/3. */
typedef struct NAME(midpoint_bend) {
    int i[4];
    real h0;
} NAME(midpoint_bend);

bool NAME(midpoint_bend_rest)(NAME(midpoint_bend) *c, const int i[4], const NAME(vec3) *x);
real NAME(midpoint_bend_gradient)(const NAME(midpoint_bend) *c, real kappa, const NAME(vec3) *p, NAME(vec3) g[4]);
void NAME(midpoint_bend_project)(const NAME(midpoint_bend) *c, int n, real kappa, ref_bend_mode mode, NAME(vec3) *p,
                                 const real *w, NAME(stiffness) s);

#undef NAME
#undef real
