#include "collide/contact_set.h"

#include "constraints/constraint.h"

#include <string.h>

enum { LEAST_ROOM = 16 };

/* ---- Memory ---- */

void tt_contact_set_open(tt_contact_set *set, const taut_allocator *allocator)
{
    *set = (tt_contact_set){.npieces = 0};
    tt_scope_open(&set->scope, allocator);
}

void tt_contact_set_close(tt_contact_set *set) { tt_scope_close(&set->scope); }

/* How many pairs the list of a piece can hold. */
static int room_of(const tt_contact_set *set, int piece) { return set->start[piece + 1] - set->start[piece]; }

/* How long the list of a piece is to be. */
static int64_t wanted_room(const tt_contact_set *set, int piece)
{
    if (piece >= set->npieces) return LEAST_ROOM;
    int64_t room = room_of(set, piece), most = set->most_asked[piece];
    if (set->asked[piece] > most) most = set->asked[piece];
    return 4 * most > 3 * room ? 2 * most : room;
}

/* Where the lists begin, and how many pairs there are in all; -1 when that is more than an int can count. */
static int lay_out(const tt_contact_set *old, int npieces, int *start)
{
    int64_t total = 0;
    for (int piece = 0; piece < npieces; piece++) {
        start[piece] = (int)total;
        total += wanted_room(old, piece);
        if (total > INT32_MAX) return -1;
    }
    start[npieces] = (int)total;
    return (int)total;
}

static bool take_arrays(tt_contact_set *set, const tt_contact_set *old)
{
    set->start = TT_TAKE(&set->scope, int, set->npieces + 1);
    set->asked = TT_TAKE(&set->scope, int, set->npieces);
    set->most_asked = TT_TAKE(&set->scope, int, set->npieces);
    set->last = TT_TAKE(&set->scope, int, set->nparticles);
    if (!set->start || !set->asked || !set->most_asked || !set->last) return false;
    int room = lay_out(old, set->npieces, set->start);
    if (room < 0) return false;
    set->found = TT_TAKE(&set->scope, tt_pair, room);
    set->sorted = TT_TAKE(&set->scope, tt_pair, room);
    set->pair = TT_TAKE(&set->scope, tt_pair, room);
    set->block_of = TT_TAKE(&set->scope, int, room);
    set->open = TT_TAKE(&set->scope, int, (size_t)room + 1);
    set->filled = TT_TAKE(&set->scope, int, room);
    set->block = TT_TAKE(&set->scope, int, (size_t)room + 1);
    return set->found && set->sorted && set->pair && set->block_of && set->open && set->filled && set->block;
}

static bool has_room(const tt_contact_set *set, int npieces, int nparticles)
{
    if (!set->block || npieces != set->npieces || nparticles > set->nparticles) return false;
    for (int piece = 0; piece < npieces; piece++)
        if (wanted_room(set, piece) > room_of(set, piece)) return false;
    return true;
}

bool tt_contact_set_reserve(tt_contact_set *set, int npieces, int nparticles)
{
    if (!has_room(set, npieces, nparticles)) {
        tt_contact_set larger = {.npieces = npieces, .nparticles = nparticles};
        tt_scope_open(&larger.scope, &set->scope.allocator);
        if (!take_arrays(&larger, set)) {
            tt_scope_close(&larger.scope);
            return false;
        }
        tt_scope_close(&set->scope);
        *set = larger;
    }
    tt_contact_set_clear(set);
    memset(set->most_asked, 0, (size_t)npieces * sizeof *set->most_asked);
    set->dropped = 0;
    return true;
}

/* ---- Finding ---- */

void tt_contact_set_clear(tt_contact_set *set)
{
    for (int piece = 0; piece < set->npieces; piece++) {
        if (set->asked[piece] > set->most_asked[piece]) set->most_asked[piece] = set->asked[piece];
        set->asked[piece] = 0;
    }
    set->npairs = set->nblocks = 0;
    memset(set->first_block, 0, sizeof set->first_block);
}

void tt_contact_set_add(tt_contact_set *set, int piece, tt_pair pair)
{
    int at = set->asked[piece]++;
    if (at < room_of(set, piece)) set->found[set->start[piece] + at] = pair;
}

/* ---- Packing ---- */

static int compare(const tt_pair *a, const tt_pair *b)
{
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    for (int i = 0; i < 4; i++)
        if (a->particle[i] != b->particle[i]) return a->particle[i] < b->particle[i] ? -1 : 1;
    return 0;
}

/* Copies what all pieces found to `sorted`. */
static int gather_lists(tt_contact_set *set)
{
    int n = 0;
    for (int piece = 0; piece < set->npieces; piece++) {
        int room = room_of(set, piece), count = set->asked[piece] < room ? set->asked[piece] : room;
        set->dropped += set->asked[piece] - count;
        memcpy(&set->sorted[n], &set->found[set->start[piece]], (size_t)count * sizeof *set->sorted);
        n += count;
    }
    return n;
}

static void merge_runs(const tt_pair *from, int first, int middle, int end, tt_pair *to)
{
    int left = first, right = middle;
    for (int i = first; i < end; i++) {
        bool take_left = left < middle && (right == end || compare(&from[left], &from[right]) <= 0);
        to[i] = take_left ? from[left++] : from[right++];
    }
}

/* A merge sort, because qsort may allocate memory. */
static void sort_pairs(tt_contact_set *set, int n)
{
    tt_pair *from = set->sorted, *to = set->pair;
    for (int64_t run = 1; run < n; run *= 2) {
        for (int64_t first = 0; first < n; first += 2 * run) {
            int64_t middle = first + run < n ? first + run : n, end = first + 2 * run < n ? first + 2 * run : n;
            merge_runs(from, (int)first, (int)middle, (int)end, to);
        }
        tt_pair *swap = from;
        from = to, to = swap;
    }
    set->sorted = from;
    set->pair = to;
}

static int drop_duplicates(tt_pair *pair, int n)
{
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (kept == 0 || compare(&pair[kept - 1], &pair[i]) != 0) pair[kept++] = pair[i];
    return kept;
}

/* The first block from `block` on that is not full. It shortens the way there for later calls. */
static int first_open(int *open, int block)
{
    while (open[block] != block) {
        open[block] = open[open[block]];
        block = open[block];
    }
    return block;
}

/* A pair goes to the first block of its kind that has room and comes after all blocks with one of its particles. */
static void choose_block(tt_contact_set *set, int i)
{
    const tt_pair *pair = &set->sorted[i];
    int least = set->first_block[pair->kind];
    for (int k = 0; k < 4; k++)
        if (set->last[pair->particle[k]] > least) least = set->last[pair->particle[k]];
    int block = first_open(set->open, least);
    if (block == set->nblocks) {
        set->filled[block] = 0;
        set->open[++set->nblocks] = block + 1; /* one block beyond the last is always open */
    }
    if (++set->filled[block] == TT_BLOCK) set->open[block] = block + 1;
    set->block_of[i] = block;
    for (int k = 0; k < 4; k++) set->last[pair->particle[k]] = block + 1;
}

/* Moves the pairs to their blocks, where they keep their order. */
static void fill_blocks(tt_contact_set *set)
{
    int at = 0;
    for (int block = 0; block < set->nblocks; block++) {
        set->block[block] = at;
        at += set->filled[block];
        set->filled[block] = 0;
    }
    set->block[set->nblocks] = at;
    for (int i = 0; i < set->npairs; i++) {
        int block = set->block_of[i];
        set->pair[set->block[block] + set->filled[block]++] = set->sorted[i];
    }
}

void tt_contact_set_pack(tt_contact_set *set)
{
    int n = gather_lists(set), i = 0;
    sort_pairs(set, n);
    set->npairs = drop_duplicates(set->sorted, n);
    set->nblocks = 0;
    if (set->npairs) set->open[0] = 0;
    for (int kind = 0; kind < TT_PAIR_KINDS; kind++) {
        set->first_block[kind] = set->nblocks;
        for (; i < set->npairs && set->sorted[i].kind == kind; i++) choose_block(set, i);
    }
    set->first_block[TT_PAIR_KINDS] = set->nblocks;
    fill_blocks(set);
    for (i = 0; i < set->npairs; i++)
        for (int k = 0; k < 4; k++) set->last[set->sorted[i].particle[k]] = 0;
}
