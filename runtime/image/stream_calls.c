/* SPDX-License-Identifier: BSD-3-Clause
 * The calls of the C library that take a stream: each is made with what stands behind it. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "image/memory/memory.h"
#include "image/streams.h"

/* RESULT NAME(FILE *file), and with one more argument before or behind. */
#define CALL(result, name, to)                                                                     \
    result __real_##name(FILE *file);                                                              \
    result __wrap_##name(FILE *file)                                                               \
    {                                                                                              \
        return __real_##name(to(file));                                                            \
    }
#define CALL_LAST(result, name, type, to)                                                          \
    result __real_##name(type a, FILE *file);                                                      \
    result __wrap_##name(type a, FILE *file)                                                       \
    {                                                                                              \
        return __real_##name(a, to(file));                                                         \
    }
#define CALL_FIRST(result, name, type, to)                                                         \
    result __real_##name(FILE *file, type a);                                                      \
    result __wrap_##name(FILE *file, type a)                                                       \
    {                                                                                              \
        return __real_##name(to(file), a);                                                         \
    }
#define CALL_SEEK(name, type)                                                                      \
    int __real_##name(FILE *file, type at, int from);                                              \
    int __wrap_##name(FILE *file, type at, int from)                                               \
    {                                                                                              \
        return __real_##name(xmpi_stream(file), at, from);                                         \
    }
#define CALL_BLOCK(name, memory, to)                                                               \
    size_t __real_##name(memory data, size_t size, size_t n, FILE *file);                          \
    size_t __wrap_##name(memory data, size_t size, size_t n, FILE *file)                           \
    {                                                                                              \
        return __real_##name(data, size, n, to(file));                                             \
    }
#define CALL_LINE(result, name, to)                                                                \
    result __real_##name(result text, int n, FILE *file);                                          \
    result __wrap_##name(result text, int n, FILE *file)                                           \
    {                                                                                              \
        return __real_##name(text, n, to(file));                                                   \
    }

CALL(int, fflush, xmpi_stream)
CALL(int, fflush_unlocked, xmpi_stream)
CALL(int, feof, xmpi_stream)
CALL(int, feof_unlocked, xmpi_stream)
CALL(int, ferror, xmpi_stream)
CALL(int, ferror_unlocked, xmpi_stream)
CALL(void, clearerr, xmpi_stream)
CALL(void, clearerr_unlocked, xmpi_stream)
CALL(void, rewind, xmpi_stream)
CALL(long, ftell, xmpi_stream)
CALL(off_t, ftello, xmpi_stream)
CALL(off_t, ftello64, xmpi_stream)
CALL(void, flockfile, xmpi_stream)
CALL(void, funlockfile, xmpi_stream)
CALL(int, ftrylockfile, xmpi_stream)
CALL(int, fgetc, xmpi_stream_read)
CALL(int, fgetc_unlocked, xmpi_stream_read)
CALL(int, getc, xmpi_stream_read)
CALL(int, _IO_getc, xmpi_stream_read)
CALL(int, getc_unlocked, xmpi_stream_read)
CALL(int, __uflow, xmpi_stream_read)
CALL(int, getw, xmpi_stream_read)
CALL(wint_t, fgetwc, xmpi_stream_read)
CALL(wint_t, getwc, xmpi_stream_read)
CALL_LAST(int, ungetc, int, xmpi_stream)
CALL_LAST(int, fputc, int, xmpi_stream)
CALL_LAST(int, fputc_unlocked, int, xmpi_stream)
CALL_LAST(int, putc, int, xmpi_stream)
CALL_LAST(int, _IO_putc, int, xmpi_stream)
CALL_LAST(int, putc_unlocked, int, xmpi_stream)
CALL_LAST(int, putw, int, xmpi_stream)
CALL_LAST(int, fputs, const char *, xmpi_stream)
CALL_LAST(int, fputs_unlocked, const char *, xmpi_stream)
CALL_LAST(wint_t, fputwc, wchar_t, xmpi_stream)
CALL_LAST(wint_t, putwc, wchar_t, xmpi_stream)
CALL_LAST(wint_t, ungetwc, wint_t, xmpi_stream)
CALL_LAST(int, fputws, const wchar_t *, xmpi_stream)
CALL_FIRST(int, __overflow, int, xmpi_stream)
CALL_FIRST(int, fwide, int, xmpi_stream)
CALL_FIRST(int, fgetpos, fpos_t *, xmpi_stream)
CALL_FIRST(int, fgetpos64, fpos_t *, xmpi_stream)
CALL_FIRST(int, fsetpos, const fpos_t *, xmpi_stream)
CALL_FIRST(int, fsetpos64, const fpos_t *, xmpi_stream)
CALL_SEEK(fseek, long)
CALL_SEEK(fseeko, off_t)
CALL_SEEK(fseeko64, off_t)
CALL_BLOCK(fread, void *, xmpi_stream_read)
CALL_BLOCK(fread_unlocked, void *, xmpi_stream_read)
CALL_BLOCK(fwrite, const void *, xmpi_stream)
CALL_BLOCK(fwrite_unlocked, const void *, xmpi_stream)
CALL_LINE(char *, fgets, xmpi_stream_read)
CALL_LINE(char *, fgets_unlocked, xmpi_stream_read)
CALL_LINE(wchar_t *, fgetws, xmpi_stream_read)

char *__real___fgets_chk(char *text, size_t room, int n, FILE *file);
char *__wrap___fgets_chk(char *text, size_t room, int n, FILE *file)
{
    return __real___fgets_chk(text, room, n, xmpi_stream_read(file));
}

size_t __real___fread_chk(void *data, size_t room, size_t size, size_t n, FILE *file);
size_t __wrap___fread_chk(void *data, size_t room, size_t size, size_t n, FILE *file)
{
    return __real___fread_chk(data, room, size, n, xmpi_stream_read(file));
}

/* --- with a format ------------------------------------------------------------------------------
 */

int __real_vfprintf(FILE *file, const char *format, va_list list);
int __real___vfprintf_chk(FILE *file, int flag, const char *format, va_list list);
int __real_vfwprintf(FILE *file, const wchar_t *format, va_list list);
int __real_vfscanf(FILE *file, const char *format, va_list list);
int __real___isoc99_vfscanf(FILE *file, const char *format, va_list list);

#define FORMATTED(name, format_type, function, to)                                                 \
    int __wrap_v##name(FILE *file, const format_type *format, va_list list)                        \
    {                                                                                              \
        return function(to(file), format, list);                                                   \
    }                                                                                              \
    int __wrap_##name(FILE *file, const format_type *format, ...)                                  \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        int n = function(to(file), format, list);                                                  \
        va_end(list);                                                                              \
        return n;                                                                                  \
    }

FORMATTED(fprintf, char, __real_vfprintf, xmpi_stream)
FORMATTED(fwprintf, wchar_t, __real_vfwprintf, xmpi_stream)
FORMATTED(fscanf, char, __real_vfscanf, xmpi_stream_read)

int __wrap___vfprintf_chk(FILE *file, int flag, const char *format, va_list list)
{
    return __real___vfprintf_chk(xmpi_stream(file), flag, format, list);
}

int __wrap___fprintf_chk(FILE *file, int flag, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = __real___vfprintf_chk(xmpi_stream(file), flag, format, list);
    va_end(list);
    return n;
}

int __wrap___isoc99_vfscanf(FILE *file, const char *format, va_list list)
{
    return __real___isoc99_vfscanf(xmpi_stream_read(file), format, list);
}

int __wrap___isoc99_fscanf(FILE *file, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = __real___isoc99_vfscanf(xmpi_stream_read(file), format, list);
    va_end(list);
    return n;
}

int __wrap___isoc99_scanf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = __real___isoc99_vfscanf(xmpi_stream_read(stdin), format, list);
    va_end(list);
    return n;
}

int __wrap_scanf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = __real_vfscanf(xmpi_stream_read(stdin), format, list);
    va_end(list);
    return n;
}

int __wrap_getchar(void)
{
    return __real_getc(xmpi_stream_read(stdin));
}

/* --- lines, which are given in memory of the program's -------------------------------------------
 */

ssize_t __wrap_getdelim(char **line, size_t *room, int end, FILE *file)
{
    FILE *real = xmpi_stream_read(file);
    size_t n = 0;
    int c = 0;
    if (line == NULL || room == NULL) {
        errno = EINVAL;
        return -1;
    }
    while (c != end && (c = __real_getc(real)) != EOF) {
        if (*line == NULL || n + 2 > *room) {
            size_t more = n + 2 > 60 ? 2 * n + 2 : 120;
            char *grown = __wrap_realloc(*line, more);
            if (grown == NULL)
                return -1;
            *line = grown;
            *room = more;
        }
        (*line)[n++] = (char)c;
    }
    if (n == 0)
        return -1;
    (*line)[n] = '\0';
    return (ssize_t)n;
}

ssize_t __wrap___getdelim(char **line, size_t *room, int end, FILE *file)
{
    return __wrap_getdelim(line, room, end, file);
}

ssize_t __wrap_getline(char **line, size_t *room, FILE *file)
{
    return __wrap_getdelim(line, room, '\n', file);
}
