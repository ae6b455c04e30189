/* A fork-join pool for hundreds of short loops a step: waking a thread would cost more than a loop.
 *
 *     caller                                   worker
 *     job = ...; generation++  -------------->  sees the generation, reads the job
 *     runs its own range                        runs its own range
 *     waits for every `finished`  <-----------  finished = generation
 *
 * Both sides wait by spinning. A worker that saw no job for a while sleeps; the caller takes the
 * mutex only when `sleepers` says that somebody does. No run starts before all workers finished the
 * one before, so the job itself needs no lock, and the generation a worker waits for is always its
 * last one plus one.
 *
 * The caller is the last thread, not the first: a job of one index falls into the last range, and
 * so needs no worker at all. */
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

typedef struct worker {
    alignas(CACHE_LINE) atomic_uint finished; /* the last generation this worker is done with */
    int index;
    tt_pool *pool;
    pthread_t thread;
} worker;

typedef struct job {
    void (*task)(void *argument, int index); /* NULL: the worker ends */
    void *argument;
    int count;
} job;

struct tt_pool {
    alignas(CACHE_LINE) atomic_uint generation; /* shares its line with the job it announces */
    job job;
    int threads;
    int pauses;      /* between two looks at the clock */
    bool crowded;    /* more threads than cores: spinning keeps the awaited thread from running */
    worker *workers; /* threads - 1 */
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

/* Waits for `word` to become `value`, and sees what its writer wrote before; false when patience
 * ran out. */
static bool spin_until(const tt_pool *pool, const atomic_uint *word, unsigned value)
{
    double start = 0.0, now = 0.0;
    do {
        for (int i = 0; i < pool->pauses; i++) {
            if (atomic_load_explicit(word, memory_order_acquire) == value) return true;
            pause_core();
        }
        if (pool->crowded) sched_yield();
        now = tt_clock();
        if (start == 0.0) start = now;
    } while (now - start < patience);
    return false;
}

/* No wake-up is lost, because `sleepers` and `generation` are sequentially consistent here and in
 * publish(): each side writes its own word before it reads the other's, so either the worker sees
 * the new generation or the caller sees the sleeper, and then the mutex holds the caller back until
 * the worker waits. */
static void sleep_until(tt_pool *pool, unsigned generation)
{
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleepers, 1);
    while (atomic_load(&pool->generation) != generation) {
        pthread_cond_wait(&pool->wake, &pool->mutex);
    }
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->mutex);
}

static unsigned publish(tt_pool *pool, job work)
{
    unsigned generation = atomic_load_explicit(&pool->generation, memory_order_relaxed) + 1;
    pool->job = work;
    atomic_store(&pool->generation, generation);
    if (atomic_load(&pool->sleepers) > 0) {
        pthread_mutex_lock(&pool->mutex);
        pthread_cond_broadcast(&pool->wake);
        pthread_mutex_unlock(&pool->mutex);
    }
    return generation;
}

static void wait_for(const tt_pool *pool, const atomic_uint *finished, unsigned generation)
{
    if (spin_until(pool, finished, generation)) return;
    while (atomic_load_explicit(finished, memory_order_acquire) != generation) sched_yield();
}

static void run_range(job work, int thread, int threads)
{
    int begin = (int)((int64_t)thread * work.count / threads);
    int end = (int)((int64_t)(thread + 1) * work.count / threads);
    for (int i = begin; i < end; i++) work.task(work.argument, i);
}

static void *work_until_stopped(void *argument)
{
    worker *self = argument;
    tt_pool *pool = self->pool;
    for (unsigned generation = 1;; generation++) {
        if (!spin_until(pool, &pool->generation, generation)) sleep_until(pool, generation);
        job work = pool->job;
        if (!work.task) return NULL;
        run_range(work, self->index, pool->threads);
        atomic_store_explicit(&self->finished, generation, memory_order_release);
    }
}

void tt_pool_run(int count, void (*task)(void *argument, int index), void *argument, void *user)
{
    tt_pool *pool = user;
    job work = {task, argument, count};
    if (count <= 1 || pool->threads == 1) {
        run_range(work, 0, 1);
        return;
    }
    unsigned generation = publish(pool, work);
    run_range(work, pool->threads - 1, pool->threads);
    for (int i = 0; i < pool->threads - 1; i++) {
        wait_for(pool, &pool->workers[i].finished, generation);
    }
}

static void end_workers(tt_pool *pool, int started)
{
    publish(pool, (job){0});
    for (int i = 0; i < started; i++) pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->mutex);
}

tt_pool *tt_pool_start(tt_scope *scope, int threads)
{
    assert(threads >= 1);
    tt_pool *pool = TT_TAKE(scope, tt_pool, 1);
    worker *workers = TT_TAKE(scope, worker, threads - 1);
    if (!pool || !workers) return NULL;

    pool->threads = threads;
    pool->workers = workers;
    pool->crowded = threads > tt_pool_cores();
    pool->pauses = pool->crowded ? 4 : 64;
    atomic_init(&pool->generation, 0);
    atomic_init(&pool->sleepers, 0);
    if (pthread_mutex_init(&pool->mutex, NULL) != 0) return NULL;
    if (pthread_cond_init(&pool->wake, NULL) != 0) {
        pthread_mutex_destroy(&pool->mutex);
        return NULL;
    }
    for (int i = 0; i < threads - 1; i++) {
        workers[i].index = i;
        workers[i].pool = pool;
        atomic_init(&workers[i].finished, 0);
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

int tt_pool_threads(const tt_pool *pool) { return pool->threads; }

int tt_pool_cores(void)
{
#if defined(__linux__)
    cpu_set_t allowed; /* taskset and batch systems hand out fewer cores than the machine has */
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 1 ? (int)online : 1;
}
