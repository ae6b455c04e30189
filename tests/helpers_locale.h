/* Locales whose decimal point is not a dot. localedef makes them in a separate folder, because most machines have
 * none. */
#ifndef TAUT_TESTS_HELPERS_LOCALE_H
#define TAUT_TESTS_HELPERS_LOCALE_H

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

/* German has a comma of one byte, Pashto one of two. */
static const char *const comma_locales[] = {"de_DE.UTF-8", "ps_AF.UTF-8"};
enum { COMMA_LOCALES = 2 };

static char locale_folder[] = "/tmp/taut-locale-XXXXXX";

/* Group setup; include after defining _POSIX_C_SOURCE 200809L. */
static inline int make_comma_locales(void **state)
{
    (void)state;
    if (!mkdtemp(locale_folder) || setenv("LOCPATH", locale_folder, 1) != 0) return -1;
    for (int i = 0; i < COMMA_LOCALES; i++) {
        char command[200];
        snprintf(command, sizeof command, "localedef -i %.5s -f UTF-8 %s/%s", comma_locales[i], locale_folder,
                 comma_locales[i]);
        if (system(command) == 0 && setlocale(LC_ALL, comma_locales[i])) continue;
        fprintf(stderr, "there is no locale %s: is the package `locales` installed?\n", comma_locales[i]);
        return -1;
    }
    return setlocale(LC_ALL, "C") ? 0 : -1;
}

static inline int remove_comma_locales(void **state)
{
    (void)state;
    char command[200];
    snprintf(command, sizeof command, "rm -rf %s", locale_folder);
    return system(command);
}

#endif
