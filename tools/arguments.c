#include "arguments.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fail(const char *command, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fprintf(stderr, "%s: ", command);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    return EXIT_USAGE;
}

/* ---- The nearest name ---- */

enum { LONGEST = 64 };

static int least_of(int a, int b, int c)
{
    int least = a < b ? a : b;
    return least < c ? least : c;
}

/* Levenshtein's distance: letters to insert, delete or replace. */
static int edit_distance(const char *a, const char *b)
{
    int row[LONGEST + 1], n = (int)strlen(b);
    if (n > LONGEST) return INT_MAX;
    for (int j = 0; j <= n; j++) row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int above = row[j];
            row[j] = least_of(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[n];
}

typedef struct guess {
    const char *name;
    int distance;
} guess;

static void consider(guess *best, const char *word, const char *name)
{
    int distance = edit_distance(word, name);
    if (!best->name || distance < best->distance) *best = (guess){name, distance};
}

/* Whether only few letters of the shorter word are wrong. */
static bool is_likely(const guess *best, const char *word)
{
    if (!best->name) return false;
    size_t length = strlen(word), other = strlen(best->name);
    return best->distance <= 1 + (int)(length < other ? length : other) / 3;
}

int fail_unknown(const char *command, const char *what, const char *word,
                 const char *(*name)(int index))
{
    guess best = {NULL, 0};
    for (int i = 0; name(i); i++) consider(&best, word, name(i));
    if (is_likely(&best, word)) return fail(command, "there is no %s '%s'; did you mean '%s'?", what, word, best.name);
    fprintf(stderr, "%s: there is no %s '%s', only", command, what, word);
    for (int i = 0; name(i); i++) fprintf(stderr, "%s %s", i ? "," : "", name(i));
    fputc('\n', stderr);
    return EXIT_USAGE;
}

/* ---- Help ---- */

static const char *repeats(const option *o) { return o->list ? "..." : ""; }

static void print_usage(const syntax *s)
{
    enum { COLUMNS = 110, INDENT = 4 };
    int column = printf("usage: %s", s->command);
    if (s->operand) column += printf(s->operand_needed ? " %s" : " [%s]", s->operand);
    if (s->operand_list) column += printf("...");
    for (const option *o = s->options; o->name; o++) {
        char text[LONGEST];
        const char *value = o->value ? o->value : "";
        int length = snprintf(text, sizeof text, o->needed ? " %s%s%s%s" : " [%s%s%s]%s", o->name,
                              o->value ? " " : "", value, repeats(o));
        if (column + length > COLUMNS) column = printf("\n%*s", INDENT - 1, "");
        column += printf("%s", text);
    }
}

static void print_help(const syntax *s)
{
    print_usage(s);
    printf("\n\n%s\n\noptions:\n", s->about);
    for (const option *o = s->options; o->name; o++) {
        char left[LONGEST];
        snprintf(left, sizeof left, "%s %s", o->name, o->value ? o->value : "");
        printf("  %-18s %s\n", left, o->help);
    }
    printf("  %-18s %s\n\nexample:\n  %s\n", "--help", "this text", s->example);
}

/* ---- Parsing ---- */

static bool read_number(const char *text, int *number)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < INT_MIN || value > INT_MAX) return false;
    *number = (int)value;
    return true;
}

static int add_word(const syntax *s, const char *name, word_list *list, const char *value)
{
    if (list->count == WORDS) return fail(s->command, "%s is given more than %d times", name, WORDS);
    list->word[list->count++] = value;
    return ARGUMENTS_READ;
}

static int set_value(const syntax *s, const option *o, const char *value)
{
    int number;
    if (!value || !*value) return fail(s->command, "%s needs a value: %s", o->name, o->value);
    if (o->text) {
        *o->text = value;
        return ARGUMENTS_READ;
    }
    if (o->list) return add_word(s, o->name, o->list, value);
    if (!read_number(value, &number))
        return fail(s->command, "%s must be a whole number, got '%s'", o->name, value);
    if (number < o->least || number > o->most)
        return fail(s->command, "%s must be in %d .. %d, got %d", o->name, o->least, o->most,
                    number);
    *o->number = number;
    return ARGUMENTS_READ;
}

static const option *find_option(const syntax *s, const char *word)
{
    for (const option *o = s->options; o->name; o++)
        if (strcmp(word, o->name) == 0) return o;
    return NULL;
}

static int fail_option(const syntax *s, const char *word)
{
    guess best = {NULL, 0};
    consider(&best, word, "--help");
    for (const option *o = s->options; o->name; o++) consider(&best, word, o->name);
    if (!is_likely(&best, word)) return fail(s->command, "there is no option '%s'; --help lists them", word);
    return fail(s->command, "there is no option '%s'; did you mean '%s'?", word, best.name);
}

static int read_operand(const syntax *s, const char *word)
{
    if (s->operand_list) return add_word(s, s->operand, s->operand_list, word);
    if (!s->operand || *s->operand_text)
        return fail(s->command, "'%s' is one argument too many; see %s --help", word, s->command);
    *s->operand_text = word;
    return ARGUMENTS_READ;
}

int arguments_read(const syntax *s, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        int code = ARGUMENTS_READ;
        const option *o = find_option(s, argv[i]);
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help(s);
            return 0;
        }
        if (o && o->flag) *o->flag = true;
        else if (o) code = set_value(s, o, ++i < argc ? argv[i] : NULL);
        else if (argv[i][0] == '-') code = fail_option(s, argv[i]);
        else code = read_operand(s, argv[i]);
        if (code != ARGUMENTS_READ) return code;
    }
    if (s->operand_needed && !*s->operand_text)
        return fail(s->command, "%s is missing; see %s --help", s->operand, s->command);
    return ARGUMENTS_READ;
}
