/* The tree over boxes finds the same as a test of every box, also after it was filled with fewer or more boxes. */
#include "scenery.h"

#include "mesh/bvh.h"

enum { ROOM = 40, MOST = 7 };

static tt_box random_box(uint64_t *random)
{
    tt_box box;
    for (int c = 0; c < 3; c++) {
        double middle = uniform(random, -1, 1), half = uniform(random, 0, 0.4);
        box.low[c] = middle - half, box.high[c] = middle + half;
    }
    return box;
}

static bool overlap(const tt_box *a, const tt_box *b)
{
    for (int c = 0; c < 3; c++)
        if (a->high[c] < b->low[c] || b->high[c] < a->low[c]) return false;
    return true;
}

/* All that overlap, in pieces of MOST. */
static void expect_all(const tt_bvh *bvh, const tt_box *box, int count, const tt_box *wanted)
{
    int next = 0, found[MOST];
    for (int after = -1, n = MOST; n == MOST; after = found[MOST - 1]) {
        n = tt_bvh_overlapping(bvh, box, wanted, after, found, MOST);
        for (int k = 0; k < n; k++, next++) {
            while (next < count && !overlap(&box[next], wanted)) next++;
            assert_int_equal(found[k], next);
        }
    }
    for (; next < count; next++) assert_false(overlap(&box[next], wanted));
}

static void a_tree_that_is_filled_again_finds_the_same_as_a_new_one(void **state)
{
    (void)state;
    uint64_t random = 5;
    tt_scope scope;
    tt_scope_open(&scope, NULL);
    tt_bvh bvh;
    assert_true(tt_bvh_reserve(&scope, ROOM, &bvh));
    for (int trial = 0; trial < 500; trial++) {
        tt_box box[ROOM];
        int count = (int)uniform(&random, 0, ROOM + 0.99);
        for (int i = 0; i < count; i++) box[i] = random_box(&random);
        tt_bvh_fill(&bvh, box, count);
        for (int i = 0; i < 10; i++) {
            const tt_box wanted = random_box(&random);
            expect_all(&bvh, box, count, &wanted);
        }
    }
    tt_scope_close(&scope);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_that_is_filled_again_finds_the_same_as_a_new_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
