/* Arguments that are spoiled and freed as soon as a call has returned. So a test fails if the library still uses them.
 * Include after cmocka.h. */
#ifndef TAUT_TESTS_HELPERS_LOANS_H
#define TAUT_TESTS_HELPERS_LOANS_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LOANS_MOST = 64 };

/* The copies that are passed in. */
typedef struct loans {
    bool spoil;
    int count;
    void *copy[LOANS_MOST];
    size_t size[LOANS_MOST];
} loans;

static inline void *lend(loans *l, const void *data, size_t size)
{
    assert_true(l->count < LOANS_MOST);
    l->copy[l->count] = malloc(size);
    assert_non_null(l->copy[l->count]);
    l->size[l->count] = size;
    return memcpy(l->copy[l->count++], data, size);
}

/* Spoils and frees the copies, after the call has returned. */
static inline void take_back(loans *l)
{
    for (; l->spoil && l->count > 0; l->count--) {
        memset(l->copy[l->count - 1], 0xff, l->size[l->count - 1]);
        free(l->copy[l->count - 1]);
    }
}

static inline void close_loans(loans *l)
{
    l->spoil = true;
    take_back(l);
}

#endif
