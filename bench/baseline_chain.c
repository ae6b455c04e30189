/* C_k = |d_k|^2 / l_k - l_k with d_k = p_(k+1) - p_k, as in the paper. A Newton step moves the vertices by
 * -W G^T lambda, where (G W G^T) lambda = C and G is the gradient of all C. Line k shares vertices only with lines k -
 * 1 and k + 1, so the matrix is tridiagonal and symmetric. */
#include "baselines.h"

#include <math.h>

typedef ref_double_vec3 vec3;

static vec3 line_of(const vec3 *p, int k)
{
    return (vec3){p[k + 1].x - p[k].x, p[k + 1].y - p[k].y, p[k + 1].z - p[k].z};
}

static double dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

double base_chain_strain(const base_chain *c, const vec3 *p)
{
    double worst = 0;
    for (int k = 0; k < c->n - 1; k++) {
        vec3 d = line_of(p, k);
        worst = fmax(worst, fabs(sqrt(dot(d, d)) / c->length[k] - 1));
    }
    return worst;
}

/* Thomas's algorithm. off[k] is the entry between lines k and k + 1; the solution replaces C. */
static void solve(double *diagonal, const double *off, double *C, int n)
{
    for (int k = 1; k < n; k++) {
        double factor = off[k - 1] / diagonal[k - 1];
        diagonal[k] -= factor * off[k - 1];
        C[k] -= factor * C[k - 1];
    }
    C[n - 1] /= diagonal[n - 1];
    for (int k = n - 2; k >= 0; k--) C[k] = (C[k] - off[k] * C[k + 1]) / diagonal[k];
}

static void newton_step(const base_chain *c, vec3 *p, const double *w)
{
    int lines = c->n - 1;
    double *diagonal = c->scratch, *off = diagonal + lines, *C = off + lines;
    for (int k = 0; k < lines; k++) {
        vec3 d = line_of(p, k);
        double l = c->length[k], square = dot(d, d);
        C[k] = square / l - l;
        diagonal[k] = 4 * (w[k] + w[k + 1]) * square / (l * l);
        if (k > 0) off[k - 1] = -4 * w[k] * dot(line_of(p, k - 1), d) / (c->length[k - 1] * l);
    }
    solve(diagonal, off, C, lines);
    vec3 before = {0, 0, 0}; /* 2 lambda d / l of the line before the vertex */
    for (int k = 0; k <= lines; k++) {
        vec3 after = {0, 0, 0};
        if (k < lines) {
            vec3 d = line_of(p, k);
            double factor = 2 * C[k] / c->length[k];
            after = (vec3){factor * d.x, factor * d.y, factor * d.z};
        }
        p[k].x += w[k] * (after.x - before.x);
        p[k].y += w[k] * (after.y - before.y);
        p[k].z += w[k] * (after.z - before.z);
        before = after;
    }
}

int base_chain_project(const base_chain *c, double threshold, int most, vec3 *p, const double *w)
{
    int steps = 0;
    while (steps < most && base_chain_strain(c, p) > threshold) {
        newton_step(c, p, w);
        steps++;
    }
    return steps;
}
