/* Requests to stop, by signals. */
#ifndef TOOLS_INTERRUPT_H
#define TOOLS_INTERRUPT_H

enum { SIGNAL_EXIT = 128 }; /* the shell's code for a signal is this plus its number */

/* From now on the first SIGINT or SIGTERM is only noted; a second one ends the process at once. Signals that the
 * caller ignores stay ignored. A file that may not grow gives an error, like a full disk. */
void interrupt_watch(void);
int interrupt_signal(void); /* the signal that came; 0: none */

#endif
