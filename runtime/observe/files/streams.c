/* SPDX-License-Identifier: BSD-3-Clause
 * Calls that move data of streams. What a stream has in its buffer, or has room for there, is
 * memory: such a call is computation, and goes on at once. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "observe/files/next.h"

/* Bytes that are read or formatted at once, where the call does not say how many: a stream that has
 * so many, or room for them, is taken not to need its file. */
enum { LINE = 512 };

/* The C library (glibc) shows what its macros getc_unlocked and putc_unlocked look at. */
static bool has(const FILE *file, size_t bytes)
{
    return file->_IO_read_end > file->_IO_read_ptr &&
           (size_t)(file->_IO_read_end - file->_IO_read_ptr) >= bytes;
}

/* (A stream that writes line by line, or at once, has no end of what it may keep.) */
static bool has_room(const FILE *file, size_t bytes)
{
    return file->_IO_write_end > file->_IO_write_ptr &&
           (size_t)(file->_IO_write_end - file->_IO_write_ptr) >= bytes;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Bytes that the stream has read ahead, less those that it has still to write. */
static int64_t ahead(const FILE *file)
{
    if (file == NULL) /* all of them */
        return 0;
    return (file->_IO_read_end - file->_IO_read_ptr) - (file->_IO_write_ptr - file->_IO_write_base);
}

/* RESULT NAME PARAMETERS that is made at once where the STREAM can do WITHOUT its file. Of BYTES
 * that the program gets or gives, and what is AHEAD afterwards, follows what has come from the file
 * or gone there. */
#define STREAM_CALL(returned, name, parameters, arguments, stream, without, bytes, after)          \
    XMPI_EXPORT returned xmpi_file_call_##name parameters;                                         \
    XMPI_EXPORT returned xmpi_file_call_##name parameters                                          \
    {                                                                                              \
        XMPI_FILE_NEXT(name);                                                                      \
        if (without)                                                                               \
            return next arguments;                                                                 \
        xmpi_file_call_t call = xmpi_monitor_enter_file();                                         \
        int64_t before = call.counted ? ahead(stream) : 0;                                         \
        returned result = next arguments;                                                          \
        if (call.counted)                                                                          \
            xmpi_monitor_leave_file(call, (int64_t)(bytes) + (after)-before);                      \
        return result;                                                                             \
    }
#define FILE_CALL(returned, name, parameters, arguments, without, bytes)                           \
    STREAM_CALL(returned, name, parameters, arguments, file, without, bytes, ahead(file))

#define BLOCKS(name)                                                                               \
    FILE_CALL(size_t, fread##name, (void *data, size_t size, size_t n, FILE *file),                \
              (data, size, n, file), has(file, size *n), result *size)                             \
    FILE_CALL(size_t, fwrite##name, (const void *data, size_t size, size_t n, FILE *file),         \
              (data, size, n, file), has_room(file, size *n), result *size)                        \
    FILE_CALL(char *, fgets##name, (char *line, int size, FILE *file), (line, size, file),         \
              has(file, least((size_t)size, LINE)), result == NULL ? 0 : strlen(line))             \
    FILE_CALL(int, fputs##name, (const char *text, FILE *file), (text, file),                      \
              has_room(file, strlen(text)), result < 0 ? 0 : strlen(text))                         \
    FILE_CALL(int, fgetc##name, (FILE * file), (file), has(file, 1), result != EOF)                \
    FILE_CALL(int, fputc##name, (int byte, FILE *file), (byte, file), has_room(file, 1),           \
              result != EOF)                                                                       \
    FILE_CALL(int, fflush##name, (FILE * file), (file), false, 0)

BLOCKS()
BLOCKS(_unlocked)

FILE_CALL(size_t, __fread_chk, (void *data, size_t room, size_t size, size_t n, FILE *file),
          (data, room, size, n, file), has(file, size *n), result *size)
FILE_CALL(char *, __fgets_chk, (char *line, size_t room, int size, FILE *file),
          (line, room, size, file), has(file, least((size_t)size, LINE)),
          result == NULL ? 0 : strlen(line))
FILE_CALL(int, getc, (FILE * file), (file), has(file, 1), result != EOF)
FILE_CALL(int, putc, (int byte, FILE *file), (byte, file), has_room(file, 1), result != EOF)
FILE_CALL(int, __uflow, (FILE * file), (file), false, result != EOF)
FILE_CALL(int, __overflow, (FILE * file, int byte), (file, byte), false, result != EOF)
FILE_CALL(ssize_t, getline, (char **line, size_t *room, FILE *file), (line, room, file),
          has(file, LINE), result < 0 ? 0 : result)
FILE_CALL(ssize_t, getdelim, (char **text, size_t *room, int end, FILE *file),
          (text, room, end, file), has(file, LINE), result < 0 ? 0 : result)
FILE_CALL(ssize_t, __getdelim, (char **text, size_t *room, int end, FILE *file),
          (text, room, end, file), has(file, LINE), result < 0 ? 0 : result)
STREAM_CALL(int, puts, (const char *text), (text), stdout, has_room(stdout, strlen(text) + 1),
            result < 0 ? 0 : strlen(text) + 1, ahead(stdout))

#define WHOLE(returned, name, parameters, arguments)                                               \
    FILE_CALL(returned, name, parameters, arguments, false, 0)
STREAM_CALL(int, fclose, (FILE * file), (file), file, false, 0, 0)
XMPI_EXPORT void xmpi_file_call_rewind(FILE *file);
XMPI_EXPORT void xmpi_file_call_rewind(FILE *file)
{
    XMPI_FILE_NEXT(rewind);
    xmpi_file_call_t call = xmpi_monitor_enter_file();
    int64_t before = call.counted ? ahead(file) : 0;
    next(file);
    if (call.counted)
        xmpi_monitor_leave_file(call, ahead(file) - before);
}

WHOLE(int, fseek, (FILE * file, long at, int from), (file, at, from))
WHOLE(int, fseeko, (FILE * file, off64_t at, int from), (file, at, from))
WHOLE(int, fseeko64, (FILE * file, off64_t at, int from), (file, at, from))
WHOLE(int, fsetpos, (FILE * file, const fpos_t *at), (file, at))
WHOLE(int, fsetpos64, (FILE * file, const fpos64_t *at), (file, at))

/* What is formatted, as NAME, and with a list of arguments as LISTED. (How many bytes a scan takes
 * it does not tell; what it leaves in the buffer is known.) */
#define FORMATTED(name, listed, without, bytes)                                                    \
    FILE_CALL(int, listed, (FILE * file, const char *format, va_list list), (file, format, list),  \
              without, bytes)                                                                      \
    XMPI_EXPORT int xmpi_file_call_##name(FILE *file, const char *format, ...);                    \
    XMPI_EXPORT int xmpi_file_call_##name(FILE *file, const char *format, ...)                     \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        int result = xmpi_file_call_##listed(file, format, list);                                  \
        va_end(list);                                                                              \
        return result;                                                                             \
    }

FORMATTED(fprintf, vfprintf, has_room(file, LINE), result < 0 ? 0 : result)
FORMATTED(fscanf, vfscanf, has(file, LINE), 0)
FORMATTED(__isoc99_fscanf, __isoc99_vfscanf, has(file, LINE), 0)
FORMATTED(__isoc23_fscanf, __isoc23_vfscanf, has(file, LINE), 0)

XMPI_EXPORT int xmpi_file_call_printf(const char *format, ...);
XMPI_EXPORT int xmpi_file_call_printf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int result = xmpi_file_call_vfprintf(stdout, format, list);
    va_end(list);
    return result;
}

/* What programs call that are compiled with _FORTIFY_SOURCE. */
FILE_CALL(int, __vfprintf_chk, (FILE * file, int flag, const char *format, va_list list),
          (file, flag, format, list), has_room(file, LINE), result < 0 ? 0 : result)

XMPI_EXPORT int xmpi_file_call___fprintf_chk(FILE *file, int flag, const char *format, ...);
XMPI_EXPORT int xmpi_file_call___fprintf_chk(FILE *file, int flag, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int result = xmpi_file_call___vfprintf_chk(file, flag, format, list);
    va_end(list);
    return result;
}

XMPI_EXPORT int xmpi_file_call___printf_chk(int flag, const char *format, ...);
XMPI_EXPORT int xmpi_file_call___printf_chk(int flag, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int result = xmpi_file_call___vfprintf_chk(stdout, flag, format, list);
    va_end(list);
    return result;
}
