/* SPDX-License-Identifier: BSD-3-Clause
 * The one way in which the runtime ends the user's job: a proven misuse, no memory for what all
 * others are waiting for, or a process that is missing. */
#ifndef XMPI_BASE_MISUSE_H
#define XMPI_BASE_MISUSE_H

#include <stdbool.h>

/* Who the caller is, for the line: where its rank is, and whether it is joining. Both are read when
 * they are needed, and must stay. Without it the line names nobody. */
void xmpi_misuse_by(const int *rank, bool (*joins)(void));

/* What is to be done before anything is said, so that it is heard; the last one given counts. */
void xmpi_misuse_after(void (*done_first)(void));

/* Says which process and why, in one line, and aborts the job with exit status 2. */
_Noreturn void xmpi_misuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Hydra ends a job at once when it hears of an abort, with what it has not passed on yet of the
 * processes' output: waits for half a second, so that what was said before is. */
void xmpi_let_it_be_read(void);

/* Aborts the job, after what was said on stderr has had time to be read. */
_Noreturn void xmpi_end_job(int status);

/* Ends the job with STATUS and without a word more, from any thread, whatever the others are in. */
_Noreturn void xmpi_end_job_now(int status);

#endif
