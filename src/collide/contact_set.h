/* The contact set: pairs of mesh features that are found while running, packed in blocks for the kernels.
 *
 *     between steps   tt_contact_set_reserve   the only function that takes memory
 *     per search      tt_contact_set_clear     then any task appends to the list of its own piece: tt_contact_set_add
 *                     tt_contact_set_pack      one order whatever the threads did, each pair once, blocks
 *
 * A piece is a share of the work that does not depend on the number of threads, such as a part of a body. A full list
 * drops further pairs and counts them, and the next reserve makes room. */
#ifndef TAUT_COLLIDE_CONTACT_SET_H
#define TAUT_COLLIDE_CONTACT_SET_H

#include "base/memory.h"

typedef enum tt_pair_kind { TT_VERTEX_TRIANGLE, TT_EDGE_EDGE, TT_PAIR_KINDS } tt_pair_kind;

/* A vertex and the corners of a triangle, or the ends of two edges. Two pairs are the same if all their numbers are
 * equal. So the order of a pair's particles must not depend on how the pair was found. */
typedef struct tt_pair {
    int kind, particle[4];
} tt_pair;

typedef struct tt_contact_set {
    tt_scope scope; /* owns the arrays */
    int npieces, nparticles;
    tt_pair *found;  /* the lists of all pieces, one after the other                                 */
    int *start;      /* npieces + 1: where the list of a piece begins                                */
    int *asked;      /* per piece: how many pairs it has appended, those dropped included            */
    int *most_asked; /* per piece: the most of all searches since the last reserve                   */
    int64_t dropped; /* pairs for which there was no room, of all searches since the last reserve    */
    tt_pair *sorted; /* scratch of packing */
    int *block_of;   /* scratch: per pair  */
    int *open;       /* scratch: per block, the first block from there on that is not full           */
    int *filled;     /* scratch: per block */
    int *last;       /* per particle: the block after the last one that has it; 0 outside of packing */
    /* The result: block b has pairs pair[block[b]] .. pair[block[b + 1] - 1], at most 16, of one kind, which share no
     * particle. */
    tt_pair *pair;
    int npairs, nblocks, *block;
    int first_block[TT_PAIR_KINDS + 1]; /* blocks of a kind: first_block[kind] .. first_block[kind + 1] - 1 */
} tt_contact_set;

void tt_contact_set_open(tt_contact_set *set, const taut_allocator *allocator);
void tt_contact_set_close(tt_contact_set *set);

/* Makes room for so many pieces and particles. A list that was asked to hold more than three quarters of its length
 * becomes twice as long as what was asked. The set is empty afterwards. False when memory ran out; then everything
 * is as before. */
bool tt_contact_set_reserve(tt_contact_set *set, int npieces, int nparticles);

void tt_contact_set_clear(tt_contact_set *set);
/* Only one task at a time may append to a piece. */
void tt_contact_set_add(tt_contact_set *set, int piece, tt_pair pair);
void tt_contact_set_pack(tt_contact_set *set);

#endif
