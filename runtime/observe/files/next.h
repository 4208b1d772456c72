/* SPDX-License-Identifier: BSD-3-Clause
 * Calls that move data of files, other than MPI's: of descriptors, of streams, asynchronous ones.
 *
 * Each function xmpi_file_call_NAME here stands for NAME of the C library (or of liburing) in
 * programs that are linked with libxmpi.so, whose makefile gives it this name; the static library
 * has none of that. It makes the call of whoever comes next, and tells the monitor what it took and
 * moved. Where no adaptive loop runs, in other threads, and in what MPI does in a call, that is
 * all. */
#ifndef XMPI_OBSERVE_FILES_NEXT_H
#define XMPI_OBSERVE_FILES_NEXT_H

#include <stddef.h>
#include <stdint.h>

#include "base/export.h"
#include "observe/monitor.h"

/* The function NAME that comes after this library's. Ends the job where there is none. */
void *xmpi_file_next(const char *name);

/* In a wrapper: next, what NAME stands for. */
#define XMPI_FILE_NEXT(name)                                                                       \
    static void *_Atomic found;                                                                    \
    if (found == NULL)                                                                             \
        found = xmpi_file_next(#name);                                                             \
    __typeof__(xmpi_file_call_##name) *next = (__typeof__(xmpi_file_call_##name) *)(uintptr_t)found

/* RESULT NAME PARAMETERS that is timed, and has moved MOVED bytes, an expression of the arguments
 * and what it returns, result. */
#define XMPI_FILE_CALL(returned, name, parameters, arguments, moved)                               \
    XMPI_EXPORT returned xmpi_file_call_##name parameters;                                         \
    XMPI_EXPORT returned xmpi_file_call_##name parameters                                          \
    {                                                                                              \
        XMPI_FILE_NEXT(name);                                                                      \
        xmpi_file_call_t call = xmpi_monitor_enter_file();                                         \
        returned result = next arguments;                                                          \
        if (call.counted)                                                                          \
            xmpi_monitor_leave_file(call, (int64_t)(moved));                                       \
        return result;                                                                             \
    }

#endif
