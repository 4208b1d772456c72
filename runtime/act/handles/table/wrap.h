/* SPDX-License-Identifier: BSD-3-Clause
 * What the wrappers do with handles (observe/translate_handles.awk writes the calls). */
#ifndef XMPI_ACT_HANDLES_TABLE_WRAP_H
#define XMPI_ACT_HANDLES_TABLE_WRAP_H

#include "act/handles/table/table.h"

#define XMPI_PLACE __builtin_return_address(0)

/* --- handles that a call gives -----------------------------------------------------------------
 */

/* *HANDLE becomes one of ours where the MPI has made it. */
void xmpi_handle_given(xmpi_handle_kind_t kind, int *handle, const char *call, const void *place);

/* The same where it may be one that the program has, as the MPI counts how often it has been given.
 */
void xmpi_handle_given_again(xmpi_handle_kind_t kind, int *handle, const char *call,
                             const void *place);

/* How many communicators have been made of COMM with this one; before the call, on all members. */
uint64_t xmpi_comm_child(MPI_Comm comm);

/* *COMM has been made of PARENT, its child NUMBER, by all members of that; or (0) by its own
 * members, who agree on a name here. HINTED: an info was given. */
void xmpi_comm_given(MPI_Comm *comm, MPI_Comm parent, uint64_t number, bool hinted,
                     const char *call, const void *place);

/* The program has given an info to COMM, a handle of its own. */
void xmpi_comm_hinted(MPI_Comm comm);

/* --- handles that a call takes away ------------------------------------------------------------
 */

/* Where it is one of ours and referred to elsewhere too: one reference less, *HANDLE is null, and
 * true. Else *REAL is the MPI's. */
bool xmpi_handle_kept(xmpi_handle_kind_t kind, int *handle, int *real);

/* The call has left REAL of what *HANDLE stands for. */
void xmpi_handle_left(xmpi_handle_kind_t kind, int *handle, int real);

/* --- arrays of handles -------------------------------------------------------------------------
 */

/* The MPI's handles for N of the program; FROM itself where there is nothing to do. *MADE (malloc)
 * is what has to be freed. */
const int *xmpi_reals(xmpi_handle_kind_t kind, int64_t n, const int *from, int **made);

/* How many parts a call sends or receives that has a type for each. */
int xmpi_parts(MPI_Comm comm, bool neighbors, bool sent);

/* N at the ROOT of COMM, 0 elsewhere. */
int xmpi_at_root(MPI_Comm comm, int root, int n);

/* --- requests ----------------------------------------------------------------------------------
 */

enum { XMPI_FEW_REQUESTS = 8, XMPI_ALL_DONE = -1 };

typedef struct {
    int n; /* 0: the MPI has been given the program's own array */
    MPI_Request *program, *real;
    MPI_Request few[XMPI_FEW_REQUESTS];
} xmpi_taken_t;

/* The array to be given to the MPI for N of the program. */
MPI_Request *xmpi_requests_take(xmpi_taken_t *taken, int n, MPI_Request *request);

/* Behind the call: DONE of them (by their INDICES, or XMPI_ALL_DONE) are complete. */
void xmpi_requests_back(xmpi_taken_t *taken, int done, const int *indices);

/* The same behind a call that starts them, if IT HAS. */
void xmpi_requests_began(xmpi_taken_t *taken, bool it_has);

/* A request that is there until it is complete. TYPES (malloc, taken over, or NULL) are needed as
 * long. */
void xmpi_request_given(MPI_Request *request, int *sent, int *received, const char *call,
                        const void *place);

/* A persistent one, by call AGAIN (act/handles/requests.h) with the arguments WORD. */
void xmpi_persistent_given(MPI_Request *request, int *sent, int *received, int again,
                           const int64_t *word, const void *place);

/* Whether *REQUEST is one of ours, which is free then. */
bool xmpi_request_freed(MPI_Request *request);

/* --- what keeps the program here ---------------------------------------------------------------
 */

/* ALONE: this process alone; else all members. */
void xmpi_pin_add(xmpi_pin_kind_t kind, int64_t handle, bool alone, const char *call,
                  const void *place);
bool xmpi_comm_is_alone(MPI_Comm comm);
void xmpi_pin_drop(xmpi_pin_kind_t kind, int64_t handle);

#endif
