/* A priority queue of whole numbers: smallest key first, ties by item, so that the order is the same everywhere. */
#ifndef TAUT_MESH_QUEUE_H
#define TAUT_MESH_QUEUE_H

#include "base/memory.h"

typedef struct tt_queued {
    double key;
    int item;
} tt_queued;

typedef struct tt_queue { /* zeroed: empty */
    tt_queued *heap;
    int count, room;
} tt_queue;

/* Room comes from `scope` as it is needed. False when memory ran out. */
bool tt_queue_push(tt_scope *scope, tt_queue *queue, double key, int item);
tt_queued tt_queue_pop(tt_queue *queue); /* not of an empty one */

#endif
