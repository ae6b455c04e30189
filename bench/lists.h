/* Lists on the command line: numbers or words with commas between them. */
#ifndef BENCH_LISTS_H
#define BENCH_LISTS_H

#include "taut.h"

enum { LIST_MOST = 8 }; /* items of a list */

typedef struct number_list {
    int value[LIST_MOST], count;
} number_list;

/* `text` NULL: the list stays as it is. */
bool list_read_numbers(const char *option, const char *text, int least, int most, number_list *list, taut_error *error);
/* Each word is stored as its place among the names. */
bool list_read_words(const char *option, const char *text, const char *const *names, int count, number_list *list,
                     taut_error *error);

#endif
