#define _POSIX_C_SOURCE 200809L

#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t caught_signal;

static void remember_signal(int number) { caught_signal = number; }

static void catch_signal(int number)
{
    struct sigaction action = {.sa_handler = remember_signal, .sa_flags = (int)SA_RESETHAND | SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(number, &action, NULL);
}

void interrupt_watch(void)
{
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
    signal(SIGXFSZ, SIG_IGN);
}

int interrupt_signal(void) { return caught_signal; }
