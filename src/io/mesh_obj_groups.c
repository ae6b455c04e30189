#include "io/mesh_obj.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* A run of consecutive elements in the same groups. Its vertices are listed once, however many groups they are in and
 * however many faces share them. So memory is bounded by the size of the file. */
typedef struct run {
    int first_name, nnames;
    int first_member, nmembers;
} run;

typedef struct mention {
    tio_word name;
    int place; /* among all mentions */
    int run;   /* the run that it belongs to; -1: no elements */
} mention;

/* A group: its mentions are neighbours once sorted by name. */
typedef struct group_range {
    int begin, end;
    int place; /* of the first mention */
} group_range;

typedef struct grouping {
    tio_list run;    /* run */
    tio_list member; /* int: the vertices of each run, ascending */
    tio_list range;  /* group_range */
    tio_list vertex; /* int: those of the present group */
    mention *mention;
    int nmentions;
} grouping;

static int compare_names(tio_word a, tio_word b)
{
    int order = memcmp(a.at, b.at, a.size < b.size ? a.size : b.size);
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

static int by_name(const void *a, const void *b)
{
    const mention *m = a, *n = b;
    int order = compare_names(m->name, n->name);
    return order ? order : (m->place > n->place) - (m->place < n->place);
}

static int by_place(const void *a, const void *b)
{
    const group_range *p = a, *q = b;
    return (p->place > q->place) - (p->place < q->place);
}

static int by_value(const void *a, const void *b)
{
    const int *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

static void sort_members(grouping *g, const run *r)
{
    int *member = (int *)g->member.data + r->first_member;
    if (r->nmembers > 1) qsort(member, (size_t)r->nmembers, sizeof *member, by_value);
}

/* Lists the members of the runs; latest[v] is the last run into which vertex v was put. */
static bool add_members(tio_obj *o, grouping *g, int *latest)
{
    const tio_obj_corner *corners = o->corner.data;
    const tio_obj_element *e = o->element.data;
    run *r = NULL;
    for (size_t k = 0; k < o->element.size / sizeof *e; k++, e++) {
        if (e->nnames == 0) continue;
        int nruns = (int)(g->run.size / sizeof *r);
        if (!r || r->first_name != e->first_name) {
            run next = {e->first_name, e->nnames, (int)(g->member.size / sizeof(int)), 0};
            if (r) sort_members(g, r);
            if (!tio_append(&g->run, &next, sizeof next, o->text->error)) return false;
            r = (run *)g->run.data + nruns++;
        }
        for (int i = 0; i < e->ncorners; i++) {
            int vertex = corners[e->first_corner + i].vertex;
            if (latest[vertex] == nruns) continue;
            latest[vertex] = nruns;
            if (!tio_append(&g->member, &vertex, sizeof vertex, o->text->error)) return false;
            r->nmembers++;
        }
    }
    if (r) sort_members(g, r);
    return true;
}

static bool collect_members(tio_obj *o, grouping *g)
{
    int *latest = calloc((size_t)o->builder->nvertices + 1, sizeof *latest);
    if (!latest) return tt_no_memory(o->text->error);
    bool good = add_members(o, g, latest);
    free(latest);
    return good;
}

/* Sorts the mentions by name, and the groups by their first mentions. */
static bool collect_mentions(tio_obj *o, grouping *g)
{
    const tio_word *name = o->name.data;
    const run *r = g->run.data;
    mention *m = malloc((size_t)g->nmentions * sizeof *m);
    if (!m) return tt_no_memory(o->text->error);
    g->mention = m;
    for (int i = 0; i < g->nmentions; i++) m[i] = (mention){name[i], i, -1};
    for (int k = 0; k < (int)(g->run.size / sizeof *r); k++)
        for (int i = 0; i < r[k].nnames; i++) m[r[k].first_name + i].run = k;
    qsort(m, (size_t)g->nmentions, sizeof *m, by_name);
    for (int begin = 0, end = 0; begin < g->nmentions; begin = end) {
        while (end < g->nmentions && compare_names(m[begin].name, m[end].name) == 0) end++;
        group_range range = {begin, end, m[begin].place};
        if (!tio_append(&g->range, &range, sizeof range, o->text->error)) return false;
    }
    qsort(g->range.data, g->range.size / sizeof(group_range), sizeof(group_range), by_place);
    return true;
}

/* The vertices of all runs that mention the group, ascending, each once; returns how many, -1 when memory ran out. */
static int gather_vertices(tio_obj *o, grouping *g, const group_range *range)
{
    const run *runs = g->run.data;
    int nruns = 0, count = 0;
    g->vertex.size = 0;
    for (int i = range->begin; i < range->end; i++) {
        const run *r = g->mention[i].run < 0 ? NULL : &runs[g->mention[i].run];
        bool twice = i > range->begin && g->mention[i - 1].run == g->mention[i].run;
        if (!r || twice) continue;
        const int *member = (const int *)g->member.data + r->first_member;
        if (!tio_append(&g->vertex, member, (size_t)r->nmembers * sizeof *member, o->text->error)) return -1;
        nruns++;
    }
    int *vertex = g->vertex.data, n = (int)(g->vertex.size / sizeof *vertex);
    if (nruns > 1) qsort(vertex, (size_t)n, sizeof *vertex, by_value);
    for (int i = 0; i < n; i++)
        if (i == 0 || vertex[i] != vertex[count - 1]) vertex[count++] = vertex[i];
    return count;
}

static bool add_group(tio_obj *o, tio_word name, const int *vertex, int count)
{
    taut_vertex_group group = {
        .name = malloc(name.size + 1), .nvertices = count, .vertex = malloc((size_t)count * sizeof *group.vertex)};
    bool good = group.name && group.vertex;
    if (!good) tt_no_memory(o->text->error);
    if (good) {
        memcpy(group.name, name.at, name.size);
        group.name[name.size] = '\0';
        memcpy(group.vertex, vertex, (size_t)count * sizeof *vertex);
        good = tio_append(&o->builder->group, &group, sizeof group, o->text->error);
    }
    if (!good) {
        free(group.name);
        free(group.vertex);
    }
    return good;
}

bool tio_add_obj_groups(tio_obj *o)
{
    grouping g = {.nmentions = (int)(o->name.size / sizeof(tio_word))};
    if (g.nmentions == 0) return true;
    bool good = collect_members(o, &g) && collect_mentions(o, &g);
    const group_range *range = g.range.data;
    for (size_t i = 0; good && i < g.range.size / sizeof *range; i++) {
        int count = gather_vertices(o, &g, &range[i]);
        good = count == 0 || (count > 0 && add_group(o, g.mention[range[i].begin].name, g.vertex.data, count));
    }
    tio_list_free(&g.run);
    tio_list_free(&g.member);
    tio_list_free(&g.range);
    tio_list_free(&g.vertex);
    free(g.mention);
    return good;
}
