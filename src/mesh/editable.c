#include "mesh/editable.h"

static void link_corner(tt_editable *e, int corner, int v)
{
    e->corner[corner].vertex = v;
    e->corner[corner].next = e->first[v];
    e->first[v] = corner;
    e->ncorners[v]++;
}

static void unlink_corner(tt_editable *e, int corner)
{
    int v = e->corner[corner].vertex, *place = &e->first[v];
    while (*place != corner) place = &e->corner[*place].next;
    *place = e->corner[corner].next;
    e->ncorners[v]--;
}

/* Positions are measured from the middle of the mesh, because far from the origin the squares in quadric.h would cancel
 * out. */
static void copy_centred(const taut_mesh *mesh, vec3 *at)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 3 * mesh->ntris; i++)
        for (int axis = 0; axis < 3; axis++) {
            double x = mesh->x[3 * (size_t)mesh->tri[i] + (size_t)axis];
            if (x < low[axis]) low[axis] = x;
            if (x > high[axis]) high[axis] = x;
        }
    vec3 middle = {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2])};
    for (int v = 0; v < mesh->nvertices; v++) at[v] = vec_sub(vec_of(mesh->x + 3 * (size_t)v), middle);
}

bool tt_editable_build(tt_scope *scope, const taut_mesh *mesh, tt_editable *e)
{
    size_t corners = 3 * (size_t)mesh->ntris, n = (size_t)mesh->nvertices;
    *e = (tt_editable){.nvertices = mesh->nvertices, .ntris = mesh->ntris};
    e->at = TT_TAKE(scope, vec3, n);
    e->corner = TT_TAKE(scope, tt_corner, corners);
    e->first = TT_TAKE(scope, int, n);
    e->ncorners = TT_TAKE(scope, int, n);
    if (!e->at || !e->corner || !e->first || !e->ncorners) return false;
    copy_centred(mesh, e->at);
    for (int v = 0; v < e->nvertices; v++) e->first[v] = -1;
    for (int corner = 3 * mesh->ntris - 1; corner >= 0; corner--) link_corner(e, corner, mesh->tri[corner]);
    return true;
}

int tt_editable_sides(const tt_editable *e, int a, int b, int side[2])
{
    int count = 0;
    if (e->ncorners[b] < e->ncorners[a]) {
        int kept = a;
        a = b;
        b = kept;
    }
    for (int corner = e->first[a]; corner >= 0; corner = e->corner[corner].next) {
        int on = tt_after(e, corner) == b ? corner : tt_before(e, corner) == b ? tt_slot_apex(corner) : -1;
        if (on < 0) continue;
        if (count < 2) side[count] = on;
        count++;
    }
    return count;
}

bool tt_editable_is_inside(const tt_editable *e, int a, int b, int side[2])
{
    if (tt_editable_sides(e, a, b, side) != 2 || e->corner[side[0]].vertex == e->corner[side[1]].vertex) return false;
    if (e->corner[side[0]].vertex == a) return true;
    int kept = side[0];
    side[0] = side[1];
    side[1] = kept;
    return true;
}

int tt_editable_collapse(tt_editable *e, int from, int to)
{
    int moved = 0;
    for (int corner = e->first[from], next; corner >= 0; corner = next) {
        next = e->corner[corner].next;
        int after = tt_slot_next(corner), before = tt_slot_apex(corner);
        if (e->corner[after].vertex == to || e->corner[before].vertex == to) {
            unlink_corner(e, after);
            unlink_corner(e, before);
            e->corner[corner].vertex = e->corner[after].vertex = e->corner[before].vertex = -1;
        } else {
            link_corner(e, corner, to);
            moved++;
        }
    }
    e->first[from] = -1;
    e->ncorners[from] = 0;
    return moved;
}

void tt_editable_flip(tt_editable *e, const int side[2])
{
    int apex[2] = {tt_before(e, side[0]), tt_before(e, side[1])};
    for (int i = 0; i < 2; i++) {
        int end = tt_slot_next(side[i]);
        unlink_corner(e, end);
        link_corner(e, end, apex[1 - i]);
    }
}
