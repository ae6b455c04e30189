#include "lists.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes the word up to the next comma off the front of *text, which is NULL after the last word. */
static void next_word(const char **text, const char **word, int *length)
{
    *word = *text;
    *length = (int)strcspn(*text, ",");
    *text = (*text)[*length] ? *text + *length + 1 : NULL;
}

static bool append(number_list *list, int value, const char *option, taut_error *error)
{
    if (list->count == LIST_MOST)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%s takes at most %d items", option, LIST_MOST);
    list->value[list->count++] = value;
    return true;
}

bool list_read_numbers(const char *option, const char *text, int least, int most, number_list *list, taut_error *error)
{
    if (!text) return true;
    list->count = 0;
    do {
        const char *word;
        char *end;
        int length;
        next_word(&text, &word, &length);
        long value = strtol(word, &end, 10);
        if (length == 0 || end != word + length || value < least || value > most)
            return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%s takes whole numbers in %d .. %d and commas, got '%.*s'",
                           option, least, most, length, word);
        if (!append(list, (int)value, option, error)) return false;
    } while (text);
    return true;
}

bool list_read_words(const char *option, const char *text, const char *const *names, int count, number_list *list,
                     taut_error *error)
{
    if (!text) return true;
    list->count = 0;
    do {
        const char *word;
        int length, found = 0;
        next_word(&text, &word, &length);
        while (found < count && (strncmp(names[found], word, (size_t)length) != 0 || names[found][length])) found++;
        if (found == count) {
            char all[80] = "";
            for (int i = 0, used = 0; i < count && used < (int)sizeof all; i++)
                used += snprintf(all + used, sizeof all - (size_t)used, "%s%s", i ? ", " : "", names[i]);
            return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%s: there is no '%.*s', only %s", option, length, word, all);
        }
        if (!append(list, found, option, error)) return false;
    } while (text);
    return true;
}
