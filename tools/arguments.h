/* Command lines: each command describes its options in one table; parsing and help text both come from it. */
#ifndef TOOLS_ARGUMENTS_H
#define TOOLS_ARGUMENTS_H

#include <stdbool.h>

enum {
    EXIT_USAGE = 2,     /* exit code of bad usage and of everything else that cannot be done */
    ARGUMENTS_READ = -1 /* not an exit code: go on */
};

enum { WORDS = 256 };

/* The values of an option that may be given several times, in their order. */
typedef struct word_list {
    const char *word[WORDS];
    int count;
} word_list;

/* Exactly one of `flag`, `number`, `text` and `list` is set. The value of the option is stored there; the value that is
 * there before is the default. */
typedef struct option {
    const char *name;  /* "--steps" */
    const char *value; /* the name of its value in the help; NULL for flags */
    const char *help;
    bool needed; /* it must be given; the command reports that it is missing */
    bool *flag;
    int *number; /* must be in least .. most */
    int least, most;
    const char **text;
    word_list *list;
} option;

typedef struct syntax {
    const char *command;       /* "taut hash" */
    const char *operand;       /* its name in the help; NULL: the command takes none */
    const char **operand_text; /* the one operand is stored here */
    word_list *operand_list;   /* or else any number of them */
    bool operand_needed;
    const char *about, *example;
    const option *options; /* the last row has no name */
} syntax;

/* ARGUMENTS_READ when all is well, else the exit code: 0 after --help, EXIT_USAGE after a message. */
int arguments_read(const syntax *s, int argc, char **argv);

/* Prints "COMMAND: message" on stderr; returns EXIT_USAGE. */
__attribute__((format(printf, 2, 3))) int fail(const char *command, const char *format, ...);

/* Fails with "COMMAND: there is no WHAT 'word'; did you mean 'nearest'?". `name` gives the names, and NULL after the
 * last. */
int fail_unknown(const char *command, const char *what, const char *word, const char *(*name)(int index));

#endif
