/* Where a model is built: threads, memory that they share, and how far the work has come. */
#ifndef TAUT_MODEL_SITE_H
#define TAUT_MODEL_SITE_H

#include "base/pool.h"

#include <pthread.h>

typedef struct tt_site {
    tt_scope scope;
    tt_pool *pool;                /* NULL: the caller works alone                                              */
    taut_allocator own;           /* the user's                                                                */
    const taut_allocator *shared; /* `own` for all threads: one call at a time                               */
    taut_allocator turns;
    pthread_mutex_t mutex;
    void (*progress)(float done, void *user);
    void *user;
} tt_site;

/* For a mesh of so many vertices. Where threads cannot be had, there are none. */
void tt_site_open(tt_site *site, const taut_model_options *options, int nvertices);
void tt_site_close(tt_site *site);

/* Tells the user how much is done, 0 .. 1. */
void tt_site_progress(tt_site *site, float done);

#endif
