/* The contact set: the same blocks however pairs were found, no particle twice in a block, memory between steps only. */
#include "scenery.h"

#include "collide/contact_set.h"
#include "constraints/constraint.h"
#include "helpers_heap.h"

enum { PARTICLES = 300, PAIRS = 2000, PIECES = 7 };

static int below(uint64_t *random, int end) { return (int)uniform(random, 0, end); }

/* Pairs of neighbours, as contacts are. So some pairs come twice. */
static void random_pairs(uint64_t *random, tt_pair *pair, int n)
{
    for (int i = 0; i < n; i++) {
        int first = below(random, PARTICLES - 12);
        pair[i] = (tt_pair){below(random, TT_PAIR_KINDS), {first, first + 1 + below(random, 3), first + 4, first + 8}};
    }
}

static void shuffle(uint64_t *random, tt_pair *pair, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int other = below(random, i + 1);
        tt_pair swap = pair[i];
        pair[i] = pair[other], pair[other] = swap;
    }
}

/* A set in which each of the pieces has room for `room` pairs. */
static tt_contact_set open_set(int npieces, int room)
{
    tt_contact_set set;
    tt_contact_set_open(&set, NULL);
    assert_true(tt_contact_set_reserve(&set, npieces, PARTICLES));
    for (int piece = 0; piece < npieces; piece++)
        for (int i = 0; i < room; i++) tt_contact_set_add(&set, piece, (tt_pair){0, {0, 1, 2, 3}});
    assert_true(tt_contact_set_reserve(&set, npieces, PARTICLES));
    return set;
}

static void expect_same(const tt_contact_set *a, const tt_contact_set *b)
{
    assert_int_equal(a->npairs, b->npairs);
    assert_int_equal(a->nblocks, b->nblocks);
    assert_memory_equal(a->pair, b->pair, (size_t)a->npairs * sizeof *a->pair);
    assert_memory_equal(a->block, b->block, (size_t)(a->nblocks + 1) * sizeof *a->block);
    assert_memory_equal(a->first_block, b->first_block, sizeof a->first_block);
}

static void test_the_order_does_not_depend_on_who_found_what(void **state)
{
    (void)state;
    static tt_pair pair[PAIRS];
    uint64_t random = 1;
    random_pairs(&random, pair, PAIRS);
    tt_contact_set one = open_set(1, PAIRS), many = open_set(PIECES, PAIRS);
    for (int i = 0; i < PAIRS; i++) tt_contact_set_add(&one, 0, pair[i]);
    tt_contact_set_pack(&one);
    assert_true(one.npairs > 1000 && one.npairs < PAIRS);
    for (int round = 0; round < 10; round++) {
        tt_contact_set_clear(&many);
        shuffle(&random, pair, PAIRS);
        for (int i = 0; i < PAIRS; i++) tt_contact_set_add(&many, below(&random, PIECES), pair[i]);
        tt_contact_set_add(&many, 3, pair[0]); /* once more */
        tt_contact_set_pack(&many);
        expect_same(&one, &many);
    }
    assert_int_equal(many.dropped, 0);
    tt_contact_set_close(&one);
    tt_contact_set_close(&many);
}

static void expect_sound_block(const tt_contact_set *set, int block, int kind)
{
    int used[PARTICLES] = {0}, first = set->block[block], end = set->block[block + 1];
    assert_true(end > first && end - first <= TT_BLOCK);
    for (int i = first; i < end; i++) {
        assert_int_equal(set->pair[i].kind, kind);
        for (int k = 0; k < 4; k++) assert_int_equal(used[set->pair[i].particle[k]]++, 0);
    }
}

static bool has(const tt_contact_set *set, const tt_pair *pair)
{
    for (int i = 0; i < set->npairs; i++)
        if (memcmp(&set->pair[i], pair, sizeof *pair) == 0) return true;
    return false;
}

static void test_no_two_pairs_of_a_block_share_a_particle(void **state)
{
    (void)state;
    static tt_pair pair[PAIRS];
    uint64_t random = 2;
    tt_contact_set set = open_set(1, PAIRS);
    for (int n = 0; n <= PAIRS; n = 3 * n + 1) {
        random_pairs(&random, pair, n);
        tt_contact_set_clear(&set);
        for (int i = 0; i < n; i++) tt_contact_set_add(&set, 0, pair[i]);
        tt_contact_set_pack(&set);
        for (int kind = 0; kind < TT_PAIR_KINDS; kind++)
            for (int block = set.first_block[kind]; block < set.first_block[kind + 1]; block++)
                expect_sound_block(&set, block, kind);
        for (int i = 0; i < n; i++) assert_true(has(&set, &pair[i]));
        assert_int_equal(set.first_block[TT_PAIR_KINDS], set.nblocks);
        assert_int_equal(set.block[set.nblocks], set.npairs);
    }
    tt_contact_set_close(&set);
}

/* Pairs that all share one particle get a block each. Pairs that share no particle fill the blocks. */
static void test_blocks_are_as_full_as_can_be(void **state)
{
    (void)state;
    tt_contact_set set = open_set(1, 64);
    for (int i = 0; i < 40; i++) tt_contact_set_add(&set, 0, (tt_pair){0, {0, 3 * i + 1, 3 * i + 2, 3 * i + 3}});
    tt_contact_set_pack(&set);
    assert_int_equal(set.nblocks, 40);
    tt_contact_set_clear(&set);
    for (int i = 0; i < 64; i++) tt_contact_set_add(&set, 0, (tt_pair){1, {4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3}});
    tt_contact_set_pack(&set);
    assert_int_equal(set.nblocks, 4);
    tt_contact_set_close(&set);
}

static void test_what_is_dropped_is_counted_and_gets_room(void **state)
{
    (void)state;
    tt_contact_set set;
    tt_contact_set_open(&set, NULL);
    assert_true(tt_contact_set_reserve(&set, 2, PARTICLES));
    for (int round = 0; round < 2; round++) {
        for (int search = 0; search < 2; search++) {
            tt_contact_set_clear(&set);
            for (int i = 0; i < 100; i++) tt_contact_set_add(&set, 1, (tt_pair){0, {i, 100 + i, 200, 201}});
            tt_contact_set_pack(&set);
        }
        int room = round == 0 ? 16 : 100;
        assert_int_equal(set.npairs, room);
        assert_int_equal(set.dropped, 2 * (100 - room));
        assert_true(tt_contact_set_reserve(&set, 2, PARTICLES));
        assert_int_equal(set.dropped, 0);
    }
    assert_int_equal(set.start[1], 16); /* the other piece needed no more */
    tt_contact_set_close(&set);
}

/* ---- Memory that runs out ---- */

static void test_without_memory_all_is_as_before(void **state)
{
    (void)state;
    heap memory;
    heap_open(&memory);
    tt_contact_set set;
    tt_contact_set_open(&set, &memory.hook);
    assert_true(tt_contact_set_reserve(&set, 2, PARTICLES));
    for (int i = 0; i < 40; i++) tt_contact_set_add(&set, 0, (tt_pair){0, {i, 100, 101, 102}});
    tt_contact_set_pack(&set);
    int failures = 0;
    for (;; failures++) {
        const tt_contact_set before = set;
        heap_fail(&memory, failures + 1);
        if (tt_contact_set_reserve(&set, 2, PARTICLES)) break;
        assert_memory_equal(&set, &before, sizeof set);
        assert_int_equal(set.npairs, 16);
        assert_int_equal(set.dropped, 24);
    }
    assert_true(failures > 5);
    for (int i = 0; i < 40; i++) tt_contact_set_add(&set, 0, (tt_pair){0, {i, 100, 101, 102}});
    tt_contact_set_pack(&set);
    assert_int_equal(set.npairs, 40);
    tt_contact_set_close(&set);
    assert_int_equal(memory.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_order_does_not_depend_on_who_found_what),
        cmocka_unit_test(test_no_two_pairs_of_a_block_share_a_particle),
        cmocka_unit_test(test_blocks_are_as_full_as_can_be),
        cmocka_unit_test(test_what_is_dropped_is_counted_and_gets_room),
        cmocka_unit_test(test_without_memory_all_is_as_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
