/* SPDX-License-Identifier: BSD-3-Clause
 * Running commands and using scratch folders in tests. */
#ifndef XMPI_TESTS_COMMAND_H
#define XMPI_TESTS_COMMAND_H

#include <stddef.h>

typedef struct {
    int status; /* exit status; 128 + n when signal n ended it, 124 when it ran out of time */
    char *out;  /* standard output, NUL-terminated, malloc */
    char *err;  /* standard error, the same */
} command_t;

/* Runs ARGV (NULL-terminated; found through PATH) with the extra environment entries ENV
 * ("NAME=value", NULL-terminated, may be NULL) in folder DIR (NULL: here), and kills its whole
 * process group if it hangs: after SECONDS, which are enough on a usual machine, and some more.
 * Standard input is empty. Free the result with command_free. */
command_t command_run(const char *const *argv, const char *const *env, const char *dir,
                      int seconds);

/* The same for a shell line made with printf arguments. */
command_t command_shell(const char *dir, int seconds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void command_free(command_t *command);

/* Tells the commands that are run from now on what machine this is: of four cores. MPI need not
 * look for it then, which takes most of the time of its start. For tests to which any machine is as
 * good. */
void machine_invent(void);

/* A text made with printf arguments, malloc. */
char *formatted(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A new scratch folder (malloc), and its removal with all in it (frees the name too). */
char *scratch_make(void);
void scratch_remove(char *dir);

/* Whole files. read_file gives malloc'ed text, NUL-terminated, LENGTH may be NULL; NULL when there
 * is no such file. write_file fails the test when it cannot write. */
char *read_file(const char *path, size_t *length);
void write_file(const char *path, const char *text);

/* The folder of the built commands and of the sources, from XMPI_BUILD and XMPI_SOURCE. */
const char *build_dir(void);
const char *source_dir(void);

#endif
