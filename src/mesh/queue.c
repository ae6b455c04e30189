#include "mesh/queue.h"

#include <limits.h>

static bool before(tt_queued a, tt_queued b)
{
    return a.key < b.key || (a.key == b.key && a.item < b.item);
}

static bool grow(tt_scope *scope, tt_queue *queue)
{
    if (queue->room > INT_MAX / 2) return false;
    int room = queue->room ? 2 * queue->room : 1024;
    tt_queued *heap = TT_TAKE(scope, tt_queued, room);
    if (!heap) return false;
    for (int i = 0; i < queue->count; i++) heap[i] = queue->heap[i];
    queue->heap = heap;
    queue->room = room;
    return true;
}

bool tt_queue_push(tt_scope *scope, tt_queue *queue, double key, int item)
{
    if (queue->count == queue->room && !grow(scope, queue)) return false;
    tt_queued added = {key, item};
    int at = queue->count++;
    while (at > 0 && before(added, queue->heap[(at - 1) / 2])) {
        queue->heap[at] = queue->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    queue->heap[at] = added;
    return true;
}

tt_queued tt_queue_pop(tt_queue *queue)
{
    tt_queued top = queue->heap[0], last = queue->heap[--queue->count];
    int at = 0;
    for (int down = 1; down < queue->count; down = 2 * at + 1) {
        if (down + 1 < queue->count && before(queue->heap[down + 1], queue->heap[down])) down++;
        if (!before(queue->heap[down], last)) break;
        queue->heap[at] = queue->heap[down];
        at = down;
    }
    queue->heap[at] = last;
    return top;
}
