/* SPDX-License-Identifier: BSD-3-Clause
 * The files that a program writes, kept apart between its runs. */
#ifndef XMPIRUN_CHECK_FILES_H
#define XMPIRUN_CHECK_FILES_H

#include "run/check/text.h"

/* One file. */
typedef struct {
    char *name;     /* malloc */
    char *contents; /* as the program as it is has written it, mapped; NULL: none, or empty */
    size_t length;
    bool was_there; /* before the first run */
    bool more;      /* the program as it is does not write it */
    text_t text;    /* where it is text */
    bool is_text, varies;
    bool rows;     /* a loop has rows there: it has no name after a change of its layout */
    double spread; /* of one that is no text: bytes_spread */
} file_t;

/* A file as it was seen in the working folder. */
typedef struct {
    char *name; /* malloc */
    int64_t time, size, node;
} seen_t;

typedef struct {
    const char *store; /* a folder of ours */
    bool named;        /* by the user: not those that change */
    int files, seens;
    file_t *file;
    seen_t *seen; /* before the first run, then after it, in order of their names */
    bool too_many;
    bool others; /* in each run the program writes files with other names */
    bool stay;   /* what could not be put back is in STORE, which is not to be removed */
} files_t;

/* Before the first run. NAMES: separated by commas; NULL: whatever changes in the working folder.
 */
void files_open(files_t *files, const char *names, const char *store);

/* After the first run: what it has written is the measure. TOOL_MISUSED, and a line, when it has
 * not written one that the user names. */
int files_keep(files_t *files);

/* Before every other run: those that were there have the contents from before, others are gone. */
void files_restore(files_t *files);

/* After another run of the program as it is: what is another one is not compared. */
void files_steady(files_t *files, double tolerance);

/* After a run without changes: PATH has rows of a loop, and is not compared. */
void files_note_rows(files_t *files, const char *path);

/* After a run of the program as it is with another number of processes (text_spread). */
void files_spread(files_t *files);

/* After another run than the first: also whether it has written files that the first has not. */
comparison_t files_compare(files_t *files, double tolerance);

/* At the end: puts those of the first run where they were written, and with them what only other
 * runs have written. */
void files_close(files_t *files);

#endif
