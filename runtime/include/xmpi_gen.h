/* SPDX-License-Identifier: BSD-3-Clause
 * The calls that the rewriter inserts into a program. Not for people: xmpi.h is the public header.
 *
 * It includes no system header, so that a #define of the user's (_GNU_SOURCE, say) still comes
 * first, and every call is a single function without a macro.
 *
 * Variables are known to the runtime by address ("slots"): whatever a reconfiguration changes is
 * written through its slot, in every frame that is alive between main and the loop.
 */
#ifndef XMPI_GEN_H
#define XMPI_GEN_H

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of variables that every reconfiguration refreshes. */
enum { XMPI_GEN_RANK = 0, XMPI_GEN_SIZE = 1, XMPI_GEN_COUNT = 2, XMPI_GEN_DISPL = 3 };

/* How an array is stored over the members: each has its own rows; each has all, the same everywhere;
 * each has all, but only its own ones are up to date. */
enum { XMPI_GEN_DISTRIBUTED = 0, XMPI_GEN_REPLICATED = 1, XMPI_GEN_OWNED = 2 };

/* Types of the weights of rows. */
enum { XMPI_GEN_DOUBLE = 0, XMPI_GEN_FLOAT = 1, XMPI_GEN_INT32 = 2, XMPI_GEN_INT64 = 3 };

/* A name for people: it is among those that are undefined when mpicc links what xmpicc has compiled. */
extern void xmpi_gen_link_this_with_xmpicc(void);
#ifndef XMPI_IMPLEMENTATION
__attribute__((used)) static void (*const xmpi_gen_hint)(void) = xmpi_gen_link_this_with_xmpicc;
#endif

/* Called before main by every file with an adaptive loop: a program without one is left alone. */
extern void xmpi_gen_program(int version);

/* Beside it in programs that include xmpi.h: XMPI_VERSION_NUM of that header. */
extern void xmpi_gen_header(int version);

/* Beside it: JSON that lists the parallel sections of the loop, their stages and the arrays of each
 * (MHETA). It stands in the section xmpi_structure of the object. */
extern void xmpi_gen_structure(const char *json);

/* What the program's own part of a movable loop is (act/image/image.h); before main. */
extern void xmpi_gen_image(const void *image);

/* First in every iteration of a movable loop, at WHERE ("file.c:57"): the program may go on in another
 * process when it returns. It is a function of the program's own; what it lets libxmpi do, on another
 * stack, is xmpi_gen_moves. */
extern void xmpi_gen_movable(const char *where);
extern void xmpi_gen_moves(void *where);

/* Loops that are resizable by starting over (act/startover). Before main, that the program has one;
 * its own part (act/image/restart.h), right before it is called. */
extern void xmpi_gen_starts_over(void);
extern void xmpi_gen_restart(const void *restart);

/* First in every iteration of such a loop: 1 when its state is to be told, by the next three, before
 * xmpi_gen_resized. That is a function of the program's own, as xmpi_gen_movable; the program may start
 * over in it. 1: this is not the loop that goes on, and is left. */
extern int xmpi_gen_due(const char *where);
extern int xmpi_gen_resized(const char *where);
extern void xmpi_gen_resizes(void *where);
extern int xmpi_gen_leaves(void);

/* How rows lie: BASE points to them, each of LENGTH elements of STEP bytes (one after another); it
 * points to arrays of STEP bytes, each a row; to pointers, each to a row of LENGTH elements of BYTES. */
enum { XMPI_GEN_FLAT = 0, XMPI_GEN_ARRAYS = 1, XMPI_GEN_POINTERS = 2 };

/* Rows FIRST to FIRST + COUNT - 1, of ROWS, which begin at index AT of BASE here; HALO more in front
 * of them, and BEHIND more behind them, also around the domain. BEHIND < 0: HALO more on both sides
 * as far as there are any. NAME (kept, not copied) is unique in the loop. */
extern void xmpi_gen_state_rows(const char *name, const void *base, int shape, unsigned long step,
                                unsigned long bytes, long long rows, long long length, long long first,
                                long long count, long long at, long long halo, long long behind);

/* The array that was told last by xmpi_gen_state_rows has BYTES where BASE leads to; 0: that is not known. */
extern void xmpi_gen_state_room(unsigned long bytes);

/* SIZE bytes at ADDRESS, the same on all members. */
extern void xmpi_gen_state_same(const char *name, void *address, unsigned long size);

/* What is told next as the same is what rank 0 has, and nobody else goes by. */
extern void xmpi_gen_state_root(void);

/* Of what the elements are that were told last by xmpi_gen_state_rows or xmpi_gen_state_same: 'f' floating, 'c' complex, 's'
 * structs, 'b' others; of BYTES each. */
extern void xmpi_gen_state_form(int of_rows, int kind, unsigned long bytes);

/* N numbers at ADDRESS, each of BYTES: 'f' floating, 'i' signed, 'u' unsigned. What those have who leave
 * goes to others by OPERATION: "+" "*" "min" "max" "&" "|" "^" "&&" "||". */
extern void xmpi_gen_state_own(const char *name, void *address, unsigned long n, unsigned long bytes,
                               int type, const char *operation);

/* The program is about to end with STATUS: it does not return where it starts over. */
extern void xmpi_gen_ends(int status);

/* 1 on a process that runs the prologue as the plain program would; 0 on a joiner that skips the
 * statements marked initial or setup. */
extern int xmpi_gen_initial(void);

/* A scalar, struct or fixed array whose value joiners take from a running member. NAME is unique
 * in the program ("file.c:12:n"). A joiner gets the value at once and again when it joins. */
extern void xmpi_gen_live(const char *name, void *address, unsigned long size);

/* An integer variable of SIZE bytes (4 or 8) that holds the rank, size, count or displ. */
extern void xmpi_gen_refresh(int kind, void *address, unsigned long size);

/* Around a statement before the loop that calls functions of other files ("file.c:12: name"). Where it has asked
 * for the rank or size, or communicated, its effects may be wrong after a change: the loop keeps its
 * members and blocks, and says so. */
extern void xmpi_gen_watch(void);
extern void xmpi_gen_watched(const char *where);

/* Before a loop that calls a function of another file: RECORD is of 512 bytes, in the section
 * xmpi_relies of the program. First a mark: '?', nobody has looked into the function, '+', it goes by what it is
 * given, or '-'; then where it is called ("file.c:12"), its name, and why it is not '+' (each with
 * a 0 behind it); while the mark is '?', the functions, with blanks between, that setup and initial
 * statements call, and whose variables it may use; or "(state)" and the variables that the clause of a
 * resizable loop names, which it may change. xmpicc writes mark and reason when it links. The loop keeps its members and blocks
 * unless the mark is '+'. */
extern void xmpi_gen_relies(const char *record);

/* Before a loop that calls the function NAME of a library at WHERE ("file.c:12"), which makes numbers. WRAP is
 * what a linker that is told to --wrap it calls in its place: NULL, it is not there. Where it is, or the program
 * has a function NAME itself, the loop keeps its members and blocks, but where REPLACED is there, by which the user
 * says that this function keeps nothing. */
extern void xmpi_gen_library(const char *where, const char *name, const void *wrap, const void *replaced);

/* The extent of the one-dimensional domain that count and displ divide. */
extern void xmpi_gen_domain(long long extent);

/* An array of ROWS x ROW_LENGTH elements; POINTER is the address of the variable that points to the
 * member's part of it (all of it unless distributed), which malloc made. A second call with the same
 * NAME replaces the first. ALIAS names a further variable that holds the same pointer. */
extern void xmpi_gen_data(const char *name, void *pointer, unsigned long element_size, int scheme,
                          long long rows, long long row_length);
/* Around the rows of its block each member stores ROWS more on both sides, at the ends of the domain,
 * too, where they keep what the program has there. After xmpi_gen_data of NAME. */
extern void xmpi_gen_halo(const char *name, long long rows);
/* The array NAME is one of fixed size, of BYTES: what xmpi_gen_data was given is where it is, and it stays
 * there. After xmpi_gen_data. */
extern void xmpi_gen_fixed(const char *name, unsigned long bytes);
extern void xmpi_gen_alias(const char *name, void *pointer);

/* These three arrays, each registered as one element for each row, are the row pointers, column
 * indices and values of a sparse matrix (CSR). A member's row pointers begin with 0 and are one more
 * than its rows; the others have as many elements as the last pointer says. */
extern void xmpi_gen_csr(const char *ia, const char *ja, const char *a);

/* Neither the loop nor what it calls changes the elements of the array NAME: it may move while the
 * program goes on iterating. After xmpi_gen_data. */
extern void xmpi_gen_constant(const char *name);

/* The array NAME, of rows that are distributed, lives on a disk of the node where it does not fit in
 * memory; from here on, if it has been allocated. */
extern void xmpi_gen_outofcore(const char *name);

/* The rows of the array NAME are in a file of the program's: what xmpi_gen_data was given is the address of
 * its descriptor or stream. From byte 0 on the file has the rows that the member stores, and nothing else.
 * Where the file is open, or on joiners, which get one when they join. */
enum { XMPI_GEN_DESCRIPTOR = 1, XMPI_GEN_STREAM = 2 };
extern void xmpi_gen_file(const char *name, int holds);

/* Of what an element of the array, or the live value, NAME is made, in order: "f8" a double, "f4", "f16"
 * (long double), "i1" "i2" "i4" "i8" integers, "x3" 3 bytes that mean nothing to others (padding,
 * pointers, handles); a count in front: "3f8 i4 x4"; separated by blanks. A first word "?": not all of it
 * need have been set; "~": it may differ from member to member or run to run (clocks), so that it is never
 * compared. After the registration of NAME; without it elements are bytes that must be the same. ELEMENTS
 * is kept, not copied. */
extern void xmpi_gen_elements(const char *name, const char *elements);

/* Whether an iteration can be run a second time from the registered state: it cannot; nothing is known
 * against it; it was shown; it was, but for the functions of other files that the loop relies on (xmpi_gen_relies). WHY, unless it was shown, for people ("it writes to a file: fprintf at
 * heat.c:57"); kept, not copied. Before xmpi_gen_loop_begin; without it XMPI_GEN_MAY_REPEAT. */
enum { XMPI_GEN_NEVER_REPEATS = 0, XMPI_GEN_MAY_REPEAT = 1, XMPI_GEN_REPEATS = 2, XMPI_GEN_REPEATS_AS_RELIED = 3 };
extern void xmpi_gen_repeats(int how, const char *why);

/* Before xmpi_gen_loop_begin: iterations, or what follows them, name rows by their places from an edge of
 * the block, so that each block has ROWS of them at least. */
extern void xmpi_gen_least(long long rows);

/* Before the loop, not on joiners: it makes at most ITERATIONS in all. A loop whose end is not known is not told.
 */
extern void xmpi_gen_bound(long long iterations);

/* Right before xmpi_gen_loop_begin: the policy of this loop and its settings, "NAME SETTING=VALUE ...", where
 * the user has not set them. CLAUSE is kept, not copied. */
extern void xmpi_gen_policy(const char *clause);

/* Before xmpi_gen_resized: the number of iterations of a sampling interval, at least 1, where the user has
 * not set it. The end of the job otherwise. */
extern void xmpi_gen_every(long long interval);

/* What each row weighs, where rows differ in work: POINTER is the address of the variable that points
 * to the member's weights, which are of TYPE and not negative. SCHEME: distributed, and element 0 is
 * the first own row; or replicated, and element r is row r of the domain, of which the own rows
 * must be up to date. Read at the ends of intervals; a second call replaces the first. */
extern void xmpi_gen_weight(void *pointer, int type, int scheme);

/* Before the loop. WHERE is its position ("file.c:57"); INTERVAL is the number of iterations of a
 * sampling interval, 0 for the setting XMPI_INTERVAL. */
extern void xmpi_gen_loop_begin(const char *where, long long interval);

/* INTERVAL, which the program has computed, when it is at least 1; the end of the job otherwise. */
extern long long xmpi_gen_interval(long long interval);

/* Where a program has several adaptive loops. 1 unless this is a joiner that is called to another
 * loop than WHERE: it skips this one, or leaves it where it had parked in it. */
extern int xmpi_gen_enter(const char *where);
extern int xmpi_gen_elsewhere(const char *where);

/* Around what leads to a loop that is entered again or not the only one: variables that were
 * registered in functions deeper than DEPTH (main is 0) are gone. What is registered after a call
 * belongs to the frame below, after the return to that of DEPTH. */
extern void xmpi_gen_call(int depth);
extern void xmpi_gen_return(int depth);

/* The array, or value, is none of the next loop's: it does not move any more, and may be freed. */
extern void xmpi_gen_drop(const char *name);

/* 1 while a joiner has not joined yet: it enters the loop whatever the loop's condition says. */
extern int xmpi_gen_joining(void);

/* 1 in a process that has left a loop and is on its way to another one, which it has not joined yet:
 * what its tables of row pointers lead to is freed. */
extern int xmpi_gen_gone(void);

/* First in every iteration. 1 when a reconfiguration has taken place: setup is to be run again. */
extern int xmpi_gen_point(void);

/* TABLE, which malloc made, becomes the pointers to ROWS rows of BYTES each that lie in BLOCK one
 * after another; where the table is now. After a reconfiguration has moved the block. */
extern void *xmpi_gen_rows(void *table, void *block, long long rows, unsigned long bytes);

/* Before the loop: rank 0 has something that nobody else has, as an open file or the numbers that it
 * prints. It is not among those that leave. */
extern void xmpi_gen_root(void);

/* After the loop, however it was left. */
extern void xmpi_gen_loop_end(void);

/* After a loop, with count and displ as the program's own formula has them: the members that there are
 * get these blocks. 1 when that has changed anything: setup is to be run again. */
extern int xmpi_gen_restore(const char *where);

/* Frees what a setup statement allocated before it is run again. */
extern void xmpi_gen_free(void *pointer);

/* Closes what a setup statement opened before it is run again: a descriptor, where it is one of the
 * program's (0 to 2 are the standard ones, or what a joiner has that has opened nothing yet), or a
 * stream (a FILE *), where it is not NULL. */
extern void xmpi_gen_close(int descriptor);
extern void xmpi_gen_close_stream(void *stream);

/* When a loop has begun: a setup statement opens the file of MPI (an MPI_File) that this variable
 * has. All who have opened it close it at a change, before anybody leaves. */
extern void xmpi_gen_reopens(void *file);

#ifdef __cplusplus
}
#endif
#endif
