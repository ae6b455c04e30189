/* Notes of a run about each of its frames, and about each body in it. */
#ifndef TOOLS_RUN_NOTES_H
#define TOOLS_RUN_NOTES_H

#include "run.h"

/* Makes room for the notes of all frames. */
bool run_notes_open(run *r, taut_error *error);
void run_notes_close(run *r);

/* Notes the present frame of the scene. */
bool run_notes_take(run *r, taut_error *error);

/* The notes about body `i` in a frame. */
run_body_note *run_body_note_of(const run *r, int frame, int i);
/* Whether these notes were taken: without --stats they are not. */
bool run_body_note_known(const run_body_note *note);
/* The largest numbers of all bodies in a frame. */
run_body_note run_note_of_all(const run *r, int frame);

/* Measures how body `i` is deformed now. */
bool run_deformation(const run *r, int i, taut_deformation *d, taut_error *error);
/* Measures all bodies; the note gets the largest of each number. */
bool run_note_now(const run *r, run_body_note *most, taut_error *error);

#endif
