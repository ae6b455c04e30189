/* Vectors and 4 x 4 matrices of floats, columns first, as OpenGL wants them. */
#ifndef TOOLS_RENDER_GL_MATRIX_H
#define TOOLS_RENDER_GL_MATRIX_H

#include <math.h>

typedef struct point {
    float x, y, z;
} point;

typedef struct matrix {
    float m[16];
} matrix;

static inline point point_of(const float *p) { return (point){p[0], p[1], p[2]}; }
static inline point minus(point a, point b) { return (point){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline point plus(point a, point b) { return (point){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline point scaled(point a, float s) { return (point){a.x * s, a.y * s, a.z * s}; }
static inline float dot(point a, point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline point cross(point a, point b)
{
    return (point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* A vector without length has no direction: it becomes `otherwise`. */
static inline point unit_or(point a, point otherwise)
{
    float length = sqrtf(dot(a, a));
    return length > 0 ? scaled(a, 1 / length) : otherwise;
}

/* The axes of a viewer: `back` points to the viewer, right and up complete it. */
typedef struct axes {
    point right, up, back;
} axes;

static inline axes axes_looking_from(point back)
{
    point b = unit_or(back, (point){0, 0, 1});
    point up = fabsf(b.y) > 0.999f ? (point){0, 0, -1} : (point){0, 1, 0};
    point right = unit_or(cross(up, b), (point){1, 0, 0});
    return (axes){right, cross(b, right), b};
}

static inline matrix times_matrix(const matrix *a, const matrix *b)
{
    matrix c;
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
            float sum = 0;
            for (int k = 0; k < 4; k++) sum += a->m[4 * k + row] * b->m[4 * column + k];
            c.m[4 * column + row] = sum;
        }
    return c;
}

static inline matrix view_matrix(point eye, const axes *a)
{
    return (matrix){{a->right.x, a->up.x, a->back.x, 0, a->right.y, a->up.y, a->back.y, 0, a->right.z, a->up.z,
                     a->back.z, 0, -dot(eye, a->right), -dot(eye, a->up), -dot(eye, a->back), 1}};
}

/* `height` is the tangent of half the angle of view. */
static inline matrix perspective_matrix(float height, float aspect, float near, float far)
{
    matrix p = {{0}};
    p.m[0] = 1 / (height * aspect);
    p.m[5] = 1 / height;
    p.m[10] = (far + near) / (near - far);
    p.m[11] = -1;
    p.m[14] = 2 * far * near / (near - far);
    return p;
}

/* From the sphere around `center` to the cube -1..1, seen along the light. */
static inline matrix light_matrix(point center, float radius, const axes *a)
{
    matrix v = view_matrix(center, a), s = {{0}};
    s.m[0] = s.m[5] = 1 / radius;
    s.m[10] = -1 / radius;
    s.m[15] = 1;
    return times_matrix(&s, &v);
}

#endif
