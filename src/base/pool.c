/* A fork-join pool for hundreds of short loops in a step. Threads stay awake, because waking one would cost more than a
 * loop.
 *
 *     caller                                   worker
 *     lots = ...; generation++  ------------->  sees the generation, reads the job
 *     takes from its own lot, then helps        takes from its own lot, then helps
 *     waits for done == count  <--------------  done += what it ran
 *
 * A lot is a contiguous range of indices with a cursor, which holds the generation too. So a thread that takes an index
 * from a lot knows that the index belongs to the job it has read. If the system does not let a thread run, the others
 * do its lot and do not wait for it. When that thread comes late, it finds nothing of its generation. The caller waits
 * only for indices that a thread is working on.
 *
 * Both sides wait by spinning. A worker that saw no job for a while sleeps. The caller takes the mutex only when
 * `sleepers` says that a worker sleeps.
 *
 * The caller is the last thread, not the first, because a job of one index falls into the last range. So such a job
 * needs no worker. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_getaffinity */
#endif

#include "base/pool.h"
#include "base/clock.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <unistd.h>

#define CACHE_LINE 64

static const double patience = 0.05; /* ms of spinning before a thread gives its core away */

typedef void task_function(void *argument, int index);

typedef struct worker {
    alignas(CACHE_LINE) atomic_uint_least64_t cursor; /* of its lot: generation << 32 | next index */
    int index;
    tt_pool *pool;
    pthread_t thread;
} worker;

struct tt_pool {
    alignas(CACHE_LINE) atomic_uint generation; /* shares its line with the job it announces */
    _Atomic(task_function *) task;              /* NULL: the workers end */
    _Atomic(void *) argument;
    atomic_int count;
    int threads;
    int pauses;      /* between two looks at the clock */
    bool crowded;    /* more threads than cores: spinning keeps the awaited thread from running */
    worker *workers; /* threads; the last one is the caller */
    alignas(CACHE_LINE) atomic_int done;
    alignas(CACHE_LINE) atomic_int sleepers;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
};

static inline void pause_core(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Waits until the generation is no longer `seen`; false when patience ran out. */
static bool spin_past(const tt_pool *pool, unsigned seen)
{
    double start = 0.0, now = 0.0;
    do {
        for (int i = 0; i < pool->pauses; i++) {
            if (atomic_load_explicit(&pool->generation, memory_order_acquire) != seen) return true;
            pause_core();
        }
        if (pool->crowded) sched_yield();
        now = tt_clock();
        if (start == 0.0) start = now;
    } while (now - start < patience);
    return false;
}

/* No wake-up is lost, because `sleepers` and `generation` are sequentially consistent here and in publish(). Each side
 * writes its own word before it reads the other's. So either the worker sees the new generation or the caller sees the
 * sleeper. In the second case the mutex holds the caller back until the worker waits. */
static void sleep_past(tt_pool *pool, unsigned seen)
{
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleepers, 1);
    while (atomic_load(&pool->generation) == seen) pthread_cond_wait(&pool->wake, &pool->mutex);
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->mutex);
}

static int lot_start(int count, int thread, int threads) { return (int)((int64_t)thread * count / threads); }

/* The lots change before the job does. So a late worker that reads any part of the new job finds no lot of its own
 * generation any more. */
static unsigned publish(tt_pool *pool, task_function *task, void *argument, int count)
{
    unsigned generation = atomic_load_explicit(&pool->generation, memory_order_relaxed) + 1;
    atomic_store_explicit(&pool->done, 0, memory_order_relaxed);
    for (int i = 0; i < pool->threads; i++) {
        uint64_t start = (uint64_t)lot_start(count, i, pool->threads);
        atomic_store_explicit(&pool->workers[i].cursor, (uint64_t)generation << 32 | start, memory_order_relaxed);
    }
    atomic_store_explicit(&pool->task, task, memory_order_release);
    atomic_store_explicit(&pool->argument, argument, memory_order_release);
    atomic_store_explicit(&pool->count, count, memory_order_release);
    atomic_store(&pool->generation, generation);
    if (atomic_load(&pool->sleepers) > 0) {
        pthread_mutex_lock(&pool->mutex);
        pthread_cond_broadcast(&pool->wake);
        pthread_mutex_unlock(&pool->mutex);
    }
    return generation;
}

/* The next index of a lot that ends before `end`; -1 if the lot is empty or of another generation. */
static int claim(worker *lot, unsigned generation, int end)
{
    uint64_t cursor = atomic_load_explicit(&lot->cursor, memory_order_relaxed);
    do {
        if (cursor >> 32 != generation || (int)(cursor & 0xffffffffu) >= end) return -1;
    } while (!atomic_compare_exchange_weak_explicit(&lot->cursor, &cursor, cursor + 1, memory_order_acq_rel,
                                                    memory_order_relaxed));
    return (int)(cursor & 0xffffffffu);
}

/* Runs the remaining indices of every lot, beginning with the thread's own lot. */
static void take_part(tt_pool *pool, unsigned generation, int self)
{
    int count = atomic_load_explicit(&pool->count, memory_order_acquire), ran = 0;
    task_function *task = atomic_load_explicit(&pool->task, memory_order_acquire);
    void *argument = atomic_load_explicit(&pool->argument, memory_order_acquire);
    for (int i = 0; i < pool->threads; i++) {
        int owner = (self + i) % pool->threads, end = lot_start(count, owner + 1, pool->threads), index;
        while ((index = claim(&pool->workers[owner], generation, end)) >= 0) {
            task(argument, index);
            ran++;
        }
    }
    if (ran) atomic_fetch_add_explicit(&pool->done, ran, memory_order_release);
}

static void *work_until_stopped(void *argument)
{
    worker *self = argument;
    tt_pool *pool = self->pool;
    for (unsigned seen = 0;;) {
        if (!spin_past(pool, seen)) sleep_past(pool, seen);
        seen = atomic_load_explicit(&pool->generation, memory_order_acquire);
        if (!atomic_load_explicit(&pool->task, memory_order_relaxed)) return NULL;
        take_part(pool, seen, self->index);
    }
}

void tt_pool_run(int count, task_function *task, void *argument, void *user)
{
    tt_pool *pool = user;
    if (count <= 1 || !pool || pool->threads == 1) {
        for (int i = 0; i < count; i++) task(argument, i);
        return;
    }
    take_part(pool, publish(pool, task, argument, count), pool->threads - 1);
    for (int i = 0; atomic_load_explicit(&pool->done, memory_order_acquire) != count; i++) {
        if (pool->crowded || i > 1000)
            sched_yield();
        else
            pause_core();
    }
}

static void end_workers(tt_pool *pool, int started)
{
    publish(pool, NULL, NULL, 0);
    for (int i = 0; i < started; i++) pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->mutex);
}

tt_pool *tt_pool_start(tt_scope *scope, int threads)
{
    assert(threads >= 1);
    tt_pool *pool = TT_TAKE(scope, tt_pool, 1);
    worker *workers = TT_TAKE(scope, worker, threads);
    if (!pool || !workers) return NULL;

    pool->threads = threads;
    pool->workers = workers;
    pool->crowded = threads > tt_pool_cores();
    pool->pauses = pool->crowded ? 4 : 64;
    atomic_init(&pool->generation, 0);
    atomic_init(&pool->sleepers, 0);
    for (int i = 0; i < threads; i++) {
        atomic_init(&workers[i].cursor, 0);
        workers[i].index = i;
        workers[i].pool = pool;
    }
    if (pthread_mutex_init(&pool->mutex, NULL) != 0) return NULL;
    if (pthread_cond_init(&pool->wake, NULL) != 0) {
        pthread_mutex_destroy(&pool->mutex);
        return NULL;
    }
    for (int i = 0; i < threads - 1; i++) {
        if (pthread_create(&workers[i].thread, NULL, work_until_stopped, &workers[i]) != 0) {
            end_workers(pool, i);
            return NULL;
        }
    }
    return pool;
}

void tt_pool_stop(tt_pool *pool)
{
    if (pool) end_workers(pool, pool->threads - 1);
}

int tt_pool_threads(const tt_pool *pool) { return pool ? pool->threads : 1; }

int tt_pool_cores(void)
{
#if defined(__linux__)
    cpu_set_t allowed; /* taskset and batch systems hand out fewer cores than the machine has */
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 1 ? (int)online : 1;
}
