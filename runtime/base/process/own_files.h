/* SPDX-License-Identifier: BSD-3-Clause
 * Files that the runtime itself has open, in threads of its own while the program iterates: they
 * are not to be taken for the program's (act/check/outside.h). */
#ifndef XMPI_BASE_PROCESS_OWN_FILES_H
#define XMPI_BASE_PROCESS_OWN_FILES_H

#include <stdbool.h>
#include <stdint.h>

/* Between these two calls the calling thread may have files open, which it has closed again at the
 * second; any number of threads at once. */
void xmpi_own_files_begin(void);
void xmpi_own_files_end(void);

/* Between these two calls: FD stays open beyond them, or was such a one. Whether FD is one. */
void xmpi_own_files_keep(int fd, bool open);
bool xmpi_own_files_has(int fd);

/* A file may have BYTES within the user's limit of the size of files: one that grows beyond it ends
 * the process (setrlimit(2), SIGXFSZ). To be asked before any of the runtime's own grows. */
bool xmpi_own_files_may_have(int64_t bytes);

/* Gives the file FD, a new one, BYTES of room; 0, or an error number: EFBIG beyond that limit. */
int xmpi_own_files_take_place(int fd, int64_t bytes);

/* A new file without a name in FOLDER, to read and to write, with FLAGS of open() beside; -1, and
 * errno. It is gone when its last descriptor is closed, however the process ends. */
int xmpi_own_files_unnamed(const char *folder, int flags);

/* Between these two nobody has: waits for those that have, and makes others wait. */
void xmpi_own_files_none(void);
void xmpi_own_files_again(void);

#endif
