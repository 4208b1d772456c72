/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays whose rows the program keeps in a file of its own, which it reads and writes piece by
 * piece: what a member stores of the array, row by row from byte 0 on, and nothing else.
 *
 * A change of layout maps the file, as rows are moved from storage to storage wherever these are.
 * Those that are to lie otherwise go to a new file, without a name, in the folder of the old one,
 * which stays what it is until the change is made: then the program's descriptor, or stream, is one
 * of the new file. The place on the disk is taken before anything moves. */
#ifndef XMPI_ACT_DATA_ROW_FILE_H
#define XMPI_ACT_DATA_ROW_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "act/data/registry.h"
#include "decide/layout/layout.h"
#include "base/status.h"

/* The slot of the array NAME is a descriptor (an int) or a stream (a FILE *) of such a file. What
 * joiners have to know of it becomes a live value, and is noted if the file is open. Gives the name
 * of that value. Ends the job when there is no memory. */
const char *xmpi_row_file_register(xmpi_registry_t *registry, const char *name, xmpi_slot_t holds);

/* Notes it anew, of all such arrays: before joiners are told. */
void xmpi_row_files_note(const xmpi_registry_t *registry);

/* The name of the first such array; NULL: there is none. */
const char *xmpi_row_files_first(const xmpi_registry_t *registry);

/* The names of such files that have one, each ended by a zero byte: malloc, *LENGTH bytes in all.
 * NULL: there are none. */
char *xmpi_row_files_names(const xmpi_registry_t *registry, int *length);

/* What becomes of a file in a move. */
typedef struct {
    int old;              /* the program's descriptor; -1: it has none */
    int fresh;            /* of the file that takes its place; -1: it stays */
    bool empty;           /* the program has not written it yet: its rows are zeros */
    bool at_end;          /* where the file stands, else at its begin */
    char *before, *after; /* the files in memory; NULL: nothing is */
    int64_t before_bytes, after_bytes;
} xmpi_file_move_t;

/* What a process that has no file moves. */
void xmpi_file_move_none(xmpi_file_move_t *move);

/* Maps the file of ARRAY, in which the program has BYTES. XMPI_ERR_INPUT: it is no such file, and
 * is as it was. To be cancelled or committed in any case. */
xmpi_status_t xmpi_file_move_open(const xmpi_array_t *array, int64_t bytes, xmpi_file_move_t *move,
                                  xmpi_error_t *error);

/* It stays, and what others have is going to be written into it: its place on the disk is taken. */
xmpi_status_t xmpi_file_move_fill(const xmpi_array_t *array, const xmpi_file_move_t *move,
                                  xmpi_error_t *error);

/* Makes the file that takes its place, of BYTES, and maps it. XMPI_ERR_INPUT: the folder, or the
 * disk, does not allow it. */
xmpi_status_t xmpi_file_move_make(const xmpi_array_t *array, int64_t bytes, xmpi_file_move_t *move,
                                  xmpi_error_t *error);

/* Reads BYTES of the program's file from byte AT on, to TO (NULL: nowhere), as a disk that cannot
 * read them must say so before anything moves: what is mapped ends the process then.
 * XMPI_ERR_INPUT.
 */
xmpi_status_t xmpi_file_move_read(const xmpi_array_t *array, const xmpi_file_move_t *move,
                                  int64_t at, int64_t bytes, char *to, xmpi_error_t *error);

/* The new file becomes the program's, and the old one is gone; of who LEAVES both are. A file that
 * stays loses its name: from the first change on nothing is left of those who are killed. */
void xmpi_file_move_commit(const xmpi_array_t *array, bool leaves, xmpi_file_move_t *move);
void xmpi_file_move_cancel(xmpi_file_move_t *move);

/* The files of all such arrays in memory, where xmpi_array_pointer finds them: as copies that stay
 * what they are, to be read, or themselves, to be written. */
typedef enum { XMPI_FILES_COPIED, XMPI_FILES_THEMSELVES } xmpi_files_t;

/* Maps those of the owner of BLOCK. XMPI_ERR_INPUT: one is no file of rows, or the disk does not
 * allow it; nothing is mapped then. */
xmpi_status_t xmpi_row_files_map(const xmpi_registry_t *registry, xmpi_block_t block,
                                 xmpi_files_t what, xmpi_error_t *error);
void xmpi_row_files_unmap(const xmpi_registry_t *registry);

/* What was written into the files themselves is from another run, with what joiners have to know of
 * them: they stand where they did then. */
void xmpi_row_files_go_on(const xmpi_registry_t *registry);

#endif
