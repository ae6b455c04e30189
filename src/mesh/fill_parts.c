/* The parts of a filled solid: which tets are connected. */
#include "mesh/fill.h"

#include <string.h>

enum { FEWEST_TETS = 5 }; /* of a part: a tet and its neighbours */

int *tt_solid_number(tt_scope *scope, tt_solid *solid, int points)
{
    tt_scope scratch;
    tt_scope_open(&scratch, &scope->allocator);
    int *number = TT_TAKE(&scratch, int, points), *old = NULL;
    if (number) {
        int used = 0;
        for (int i = 0; i < 4 * solid->ntets; i++) number[solid->tet[i]] = 1;
        for (int p = 0; p < points; p++) used += number[p];
        old = TT_TAKE(scope, int, used);
    }
    if (old) {
        solid->nvertices = 0;
        for (int p = 0; p < points; p++) {
            if (!number[p]) continue;
            old[solid->nvertices] = p;
            number[p] = solid->nvertices++;
        }
        for (int i = 0; i < 4 * solid->ntets; i++) solid->tet[i] = number[solid->tet[i]];
    }
    tt_scope_close(&scratch);
    return old;
}

bool tt_solid_link(tt_scope *scope, tt_solid *solid)
{
    int *start = TT_TAKE(scope, int, solid->nvertices + 2), *user = TT_TAKE(scope, int, 4 * solid->ntets);
    if (!start || !user) return false;
    /* Counts are kept two places up, so that after filling start[v + 1] is where v ends. */
    for (int i = 0; i < 4 * solid->ntets; i++) start[solid->tet[i] + 2]++;
    for (int v = 0; v < solid->nvertices; v++) start[v + 2] += start[v + 1];
    for (int i = 0; i < 4 * solid->ntets; i++) user[start[solid->tet[i] + 1]++] = i / 4;
    solid->user_start = start;
    solid->user = user;
    return true;
}

static bool has_vertex(const int tet[4], int v) { return tet[0] == v || tet[1] == v || tet[2] == v || tet[3] == v; }

int tt_solid_neighbour(const tt_solid *solid, int tet, int corner)
{
    const int *v = solid->tet + 4 * (size_t)tet;
    int a = v[(corner + 1) % 4], b = v[(corner + 2) % 4], c = v[(corner + 3) % 4];
    for (int i = solid->user_start[a]; i < solid->user_start[a + 1]; i++) {
        const int *other = solid->tet + 4 * (size_t)solid->user[i];
        if (solid->user[i] != tet && has_vertex(other, b) && has_vertex(other, c)) return solid->user[i];
    }
    return -1;
}

/* Marks the tets connected to `seed` as part `mark` and puts them in `queue`. Returns how many there are. */
static int mark_part(const tt_solid *solid, int seed, int mark, int *part, int *queue)
{
    int count = 1;
    queue[0] = seed;
    part[seed] = mark;
    for (int i = 0; i < count; i++) {
        for (int corner = 0; corner < 4; corner++) {
            int next = tt_solid_neighbour(solid, queue[i], corner);
            if (next < 0 || part[next]) continue;
            part[next] = mark;
            queue[count++] = next;
        }
    }
    return count;
}

/* Keeps the largest part, and all others that are large enough. */
static void remove_small_parts(tt_solid *solid, const int *part, const int *size, int nparts)
{
    int largest = 1;
    for (int p = 2; p <= nparts; p++)
        if (size[p] > size[largest]) largest = p;
    for (int t = 0; t < solid->ntets; t++)
        if (size[part[t]] < FEWEST_TETS && part[t] != largest) tt_solid_remove(solid, t);
}

bool tt_solid_drop_bits(tt_scope *scope, tt_solid *solid)
{
    tt_scope scratch;
    tt_scope_open(&scratch, &scope->allocator);
    int *part = TT_TAKE(&scratch, int, solid->ntets), *queue = TT_TAKE(&scratch, int, solid->ntets);
    int *size = TT_TAKE(&scratch, int, solid->ntets + 1), nparts = 0;
    bool ok = part && queue && size;
    for (int t = 0; ok && t < solid->ntets; t++) {
        if (part[t]) continue;
        nparts++;
        size[nparts] = mark_part(solid, t, nparts, part, queue);
    }
    if (ok) remove_small_parts(solid, part, size, nparts);
    tt_scope_close(&scratch);
    return ok && tt_solid_compact(scope, solid);
}

void tt_solid_remove(tt_solid *solid, int tet)
{
    for (int i = 0; i < 4; i++) solid->tet[4 * (size_t)tet + (size_t)i] = -1;
}

bool tt_solid_is_removed(const tt_solid *solid, int tet) { return solid->tet[4 * (size_t)tet] < 0; }

bool tt_solid_compact(tt_scope *scope, tt_solid *solid)
{
    int kept = 0;
    for (int t = 0; t < solid->ntets; t++)
        if (!tt_solid_is_removed(solid, t))
            memmove(solid->tet + 4 * (size_t)kept++, solid->tet + 4 * (size_t)t, 4 * sizeof(int));
    if (kept == solid->ntets) return true;
    solid->ntets = kept;
    int *old = tt_solid_number(scope, solid, solid->nvertices);
    if (!old) return false;
    for (int v = 0; v < solid->nvertices; v++) /* old[v] >= v */
        memmove(solid->x + 3 * (size_t)v, solid->x + 3 * (size_t)old[v], 3 * sizeof(float));
    return tt_solid_link(scope, solid);
}
