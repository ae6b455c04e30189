/* The pool is compiled into this test, so that the test can count the threads and make pthread_create fail. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include <pthread.h>

static int create_or_fail(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*body)(void *), void *argument);
static int join_and_count(pthread_t thread, void **result);

#define pthread_create create_or_fail
#define pthread_join join_and_count
#include "base/pool.c"
#undef pthread_create
#undef pthread_join

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 1000 };

static const int thread_counts[] = {1, 2, 3, 8};
static const int index_counts[] = {0, 1, 2, 3, 7, MANY};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- Threads that fail to start ---- */

static int creates_left = -1; /* -1: no limit */
static int threads_running;

static int create_or_fail(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*body)(void *), void *argument)
{
    if (creates_left == 0) return EAGAIN;
    if (creates_left > 0) creates_left--;
    int result = pthread_create(thread, attributes, body, argument);
    if (result == 0) threads_running++;
    return result;
}

static int join_and_count(pthread_t thread, void **result)
{
    threads_running--;
    return pthread_join(thread, result);
}

/* ---- Memory that runs out ---- */

typedef struct budget {
    int allocations_left;
    int live;
} budget;

static void *allocate_within(size_t size, size_t alignment, void *user)
{
    budget *b = user;
    if (b->allocations_left == 0) return NULL;
    b->allocations_left--;
    b->live++;
    return aligned_alloc(alignment, size);
}

static void release_to(void *memory, void *user)
{
    budget *b = user;
    if (memory) b->live--;
    free(memory);
}

/* ---- A pool with the data of a test ---- */

/* This is plain memory on purpose: if a run gives an index to two threads, or returns before all are done, the thread
 * sanitizer reports a data race. */
typedef struct record {
    int visits[MANY];
    pthread_t thread[MANY];
} record;

static void visit(void *argument, int index)
{
    record *r = argument;
    r->visits[index]++;
    r->thread[index] = pthread_self();
}

static void sleep_ms(long ms) { nanosleep(&(struct timespec){0, ms * 1000000}, NULL); }

static void assert_visits(const record *r, int count, int expected)
{
    for (int i = 0; i < MANY; i++) assert_int_equal(r->visits[i], i < count ? expected : 0);
}

static void for_each_pool(void (*check)(tt_pool *pool))
{
    for (size_t t = 0; t < LENGTH(thread_counts); t++) {
        tt_scope scope;
        tt_scope_open(&scope, NULL);
        tt_pool *pool = tt_pool_start(&scope, thread_counts[t]);
        assert_non_null(pool);
        assert_int_equal(tt_pool_threads(pool), thread_counts[t]);
        assert_int_equal(threads_running, thread_counts[t] - 1);
        check(pool);
        tt_pool_stop(pool);
        assert_int_equal(threads_running, 0);
        tt_scope_close(&scope);
    }
}

/* ---- Tests ---- */

static void check_visits(tt_pool *pool)
{
    for (size_t c = 0; c < LENGTH(index_counts); c++) {
        record r = {0};
        tt_pool_run(index_counts[c], visit, &r, pool);
        assert_visits(&r, index_counts[c], 1);
    }
}

static void every_index_runs_once(void **state)
{
    (void)state;
    for_each_pool(check_visits);
}

/* No thread goes on before all have arrived, so none can help another. Each keeps to its own range. */
typedef struct meeting {
    record r;
    pthread_barrier_t all;
} meeting;

static void visit_together(void *argument, int index)
{
    meeting *m = argument;
    visit(&m->r, index);
    pthread_barrier_wait(&m->all);
}

static void check_ranges(tt_pool *pool)
{
    int threads = tt_pool_threads(pool);
    for (int rounds = 0; rounds < 20; rounds++) {
        meeting m = {0};
        pthread_barrier_init(&m.all, NULL, (unsigned)threads);
        tt_pool_run(threads, visit_together, &m, pool);
        pthread_barrier_destroy(&m.all);
        assert_visits(&m.r, threads, 1);
        for (int i = 0; i < threads; i++)
            for (int j = 0; j < i; j++) assert_false(pthread_equal(m.r.thread[i], m.r.thread[j]));
        assert_true(pthread_equal(m.r.thread[threads - 1], pthread_self()));
    }
}

/* The first index waits for all others. These get done only if other threads help the thread that waits. */
typedef struct burden {
    atomic_int ran;
    bool helped;
} burden;

static void carry(void *argument, int index)
{
    burden *b = argument;
    for (int ms = 0; index == 0 && atomic_load(&b->ran) < MANY - 1 && ms < 5000; ms++) sleep_ms(1);
    if (index == 0) b->helped = atomic_load(&b->ran) == MANY - 1;
    atomic_fetch_add(&b->ran, 1);
}

static void check_help(tt_pool *pool)
{
    if (tt_pool_threads(pool) == 1) return;
    burden b = {0};
    tt_pool_run(MANY, carry, &b, pool);
    assert_true(b.helped);
}

static void a_late_thread_is_helped(void **state)
{
    (void)state;
    for_each_pool(check_help);
}

static void threads_take_the_documented_ranges(void **state)
{
    (void)state;
    for_each_pool(check_ranges);
}

static void check_many_runs(tt_pool *pool)
{
    int runs = pool->crowded ? 2000 : 100000; /* on a busy machine threads take turns, which is slow */
    int expected[4] = {0};
    record r = {0};
    for (int i = 0; i < runs; i++) {
        int count = i % 4 + 1;
        tt_pool_run(count, visit, &r, pool);
        for (int k = 0; k < count; k++) expected[k]++;
        assert_memory_equal(r.visits, expected, sizeof expected);
    }
    assert_int_equal(r.visits[0], runs);
}

static void many_runs_in_a_row(void **state)
{
    (void)state;
    for_each_pool(check_many_runs);
}

static void visit_slowly(void *argument, int index)
{
    if (index == 0) sleep_ms(2);
    visit(argument, index);
}

/* Unless the caller is alone, a worker has the first index, which takes longer than the caller's patience. */
static void check_slow_worker(tt_pool *pool)
{
    record r = {0};
    for (int i = 1; i <= 20; i++) {
        tt_pool_run(8, visit_slowly, &r, pool);
        assert_visits(&r, 8, i);
    }
}

static void the_caller_waits_for_slow_workers(void **state)
{
    (void)state;
    for_each_pool(check_slow_worker);
}

static void wait_until_all_sleep(tt_pool *pool)
{
    int workers = tt_pool_threads(pool) - 1;
    for (int tries = 0; tries < 5000 && atomic_load(&pool->sleepers) < workers; tries++) {
        sleep_ms(1);
    }
    assert_int_equal(atomic_load(&pool->sleepers), workers);
}

static void check_runs_after_sleep(tt_pool *pool)
{
    record r = {0};
    for (int i = 1; i <= 50; i++) {
        sleep_ms(2);
        wait_until_all_sleep(pool);
        tt_pool_run(8, visit, &r, pool);
        assert_visits(&r, 8, i);
    }
}

static void runs_wake_sleeping_workers(void **state)
{
    (void)state;
    for_each_pool(check_runs_after_sleep);
}

/* Publishes around the moment when workers decide to sleep, when a wake-up could get lost. */
static void check_runs_near_sleep(tt_pool *pool)
{
    record r = {0};
    int runs = pool->crowded ? 400 : 4000;
    for (int i = 1; i <= runs; i++) {
        double until = tt_clock() + patience * (0.9 + 0.01 * (i % 40));
        while (tt_clock() < until) pause_core();
        tt_pool_run(8, visit, &r, pool);
        for (int k = 0; k < 8; k++) assert_int_equal(r.visits[k], i);
    }
}

static void no_wake_up_is_lost(void **state)
{
    (void)state;
    for_each_pool(check_runs_near_sleep);
}

static void a_pool_without_runs_stops(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        tt_scope scope;
        tt_scope_open(&scope, NULL);
        tt_pool *pool = tt_pool_start(&scope, 4);
        assert_non_null(pool);
        if (i % 2) sleep_ms(1);
        tt_pool_stop(pool);
        assert_int_equal(threads_running, 0);
        tt_scope_close(&scope);
    }
    tt_pool_stop(NULL);
}

static void failing_allocations_give_null(void **state)
{
    (void)state;
    tt_pool *pool = NULL;
    int allowed = 0;
    for (; !pool; allowed++) {
        assert_in_range(allowed, 0, 10);
        budget b = {allowed, 0};
        tt_scope scope;
        tt_scope_open(&scope, &(taut_allocator){allocate_within, release_to, &b});
        pool = tt_pool_start(&scope, 3);
        assert_int_equal(threads_running, pool ? 2 : 0);
        tt_pool_stop(pool);
        tt_scope_close(&scope);
        assert_int_equal(b.live, 0);
    }
    assert_true(allowed > 1);
}

static void failing_threads_give_null(void **state)
{
    (void)state;
    for (int allowed = 0; allowed <= 7; allowed++) {
        tt_scope scope;
        tt_scope_open(&scope, NULL);
        creates_left = allowed;
        tt_pool *pool = tt_pool_start(&scope, 8);
        creates_left = -1;
        assert_int_equal(pool != NULL, allowed == 7);
        assert_int_equal(threads_running, pool ? 7 : 0);
        tt_pool_stop(pool);
        assert_int_equal(threads_running, 0);
        tt_scope_close(&scope);
    }
}

static void machine_has_cores(void **state)
{
    (void)state;
    assert_true(tt_pool_cores() >= 1);
    assert_true(tt_pool_cores() <= sysconf(_SC_NPROCESSORS_CONF));
}

static void clock_runs_in_milliseconds(void **state)
{
    (void)state;
    double start = tt_clock();
    time_t seconds = time(NULL);
    sleep_ms(20);
    double passed = tt_clock() - start;
    double most = (difftime(time(NULL), seconds) + 1.0) * 1000.0;
    assert_true(passed >= 20.0);
    assert_true(passed <= most);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_runs_once),
        cmocka_unit_test(threads_take_the_documented_ranges),
        cmocka_unit_test(a_late_thread_is_helped),
        cmocka_unit_test(many_runs_in_a_row),
        cmocka_unit_test(the_caller_waits_for_slow_workers),
        cmocka_unit_test(runs_wake_sleeping_workers),
        cmocka_unit_test(no_wake_up_is_lost),
        cmocka_unit_test(a_pool_without_runs_stops),
        cmocka_unit_test(failing_allocations_give_null),
        cmocka_unit_test(failing_threads_give_null),
        cmocka_unit_test(machine_has_cores),
        cmocka_unit_test(clock_runs_in_milliseconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
