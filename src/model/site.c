#include "model/site.h"

enum { VERTICES_A_THREAD = 2048 };

static void *allocate(size_t size, size_t alignment, void *user)
{
    tt_site *site = user;
    pthread_mutex_lock(&site->mutex);
    void *memory = site->own.allocate(size, alignment, site->own.user);
    pthread_mutex_unlock(&site->mutex);
    return memory;
}

static void release(void *memory, void *user)
{
    tt_site *site = user;
    pthread_mutex_lock(&site->mutex);
    site->own.release(memory, site->own.user);
    pthread_mutex_unlock(&site->mutex);
}

void tt_site_open(tt_site *site, const taut_model_options *options, int nvertices)
{
    *site = (tt_site){.progress = options->progress, .user = options->progress_user};
    tt_scope_open(&site->scope, options->allocator);
    site->own = site->scope.allocator;
    site->shared = &site->own;
    int threads = options->threads ? options->threads : tt_pool_cores(), most = nvertices / VERTICES_A_THREAD;
    if (threads > most) threads = most;
    if (threads < 2 || pthread_mutex_init(&site->mutex, NULL) != 0) return;
    site->pool = tt_pool_start(&site->scope, threads);
    if (site->pool) {
        site->turns = (taut_allocator){allocate, release, site};
        site->shared = &site->turns;
    } else {
        pthread_mutex_destroy(&site->mutex);
    }
}

void tt_site_close(tt_site *site)
{
    if (site->pool) {
        tt_pool_stop(site->pool);
        pthread_mutex_destroy(&site->mutex);
    }
    tt_scope_close(&site->scope);
}

void tt_site_progress(tt_site *site, float done)
{
    if (site->progress) site->progress(done, site->user);
}
