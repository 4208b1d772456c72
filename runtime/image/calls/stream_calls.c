/* SPDX-License-Identifier: BSD-3-Clause
 * The calls of the C library that take a stream: each is made with what stands behind it. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "image/memory/memory.h"
#include "image/libraries/lenders.h"
#include "image/calls/pins.h"
#include "image/calls/streams.h"

/* (Each may be called by libraries of the program's own, too.)
 * RESULT NAME(FILE *file), and with one more argument before or behind. */
#define CALL(result, name, to)                                                                     \
    result __real_##name(FILE *file);                                                              \
    result __wrap_##name(FILE *file)                                                               \
    {                                                                                              \
        return __real_##name(to(file));                                                            \
    }                                                                                              \
    XMPI_DIVERT(name)
#define CALL_LAST(result, name, type, to)                                                          \
    result __real_##name(type a, FILE *file);                                                      \
    result __wrap_##name(type a, FILE *file)                                                       \
    {                                                                                              \
        return __real_##name(a, to(file));                                                         \
    }                                                                                              \
    XMPI_DIVERT(name)
#define CALL_FIRST(result, name, type, to)                                                         \
    result __real_##name(FILE *file, type a);                                                      \
    result __wrap_##name(FILE *file, type a)                                                       \
    {                                                                                              \
        return __real_##name(to(file), a);                                                         \
    }                                                                                              \
    XMPI_DIVERT(name)
#define CALL_SEEK(name, type)                                                                      \
    int __real_##name(FILE *file, type at, int from);                                              \
    int __wrap_##name(FILE *file, type at, int from)                                               \
    {                                                                                              \
        return __real_##name(xmpi_stream(file), at, from);                                         \
    }                                                                                              \
    XMPI_DIVERT(name)
#define CALL_BLOCK(name, memory, to)                                                               \
    size_t __real_##name(memory data, size_t size, size_t n, FILE *file);                          \
    size_t __wrap_##name(memory data, size_t size, size_t n, FILE *file)                           \
    {                                                                                              \
        return __real_##name(data, size, n, to(file));                                             \
    }                                                                                              \
    XMPI_DIVERT(name)
#define CALL_LINE(result, name, to)                                                                \
    result __real_##name(result text, int n, FILE *file);                                          \
    result __wrap_##name(result text, int n, FILE *file)                                           \
    {                                                                                              \
        return __real_##name(text, n, to(file));                                                   \
    }                                                                                              \
    XMPI_DIVERT(name)

CALL(int, fflush, xmpi_stream)
CALL(int, fflush_unlocked, xmpi_stream)
CALL(int, feof, xmpi_stream)
CALL(int, feof_unlocked, xmpi_stream)
CALL(int, ferror, xmpi_stream)
CALL(int, ferror_unlocked, xmpi_stream)
CALL(void, clearerr, xmpi_stream)
CALL(void, clearerr_unlocked, xmpi_stream)
CALL(void, rewind, xmpi_stream)
CALL(long, ftell, xmpi_stream_asked)
CALL(off_t, ftello, xmpi_stream_asked)
CALL(off_t, ftello64, xmpi_stream_asked)
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
CALL(wint_t, fgetwc_unlocked, xmpi_stream_read)
CALL(wint_t, getwc_unlocked, xmpi_stream_read)
CALL(size_t, __fpending, xmpi_stream)
CALL(size_t, __fbufsize, xmpi_stream)
CALL(int, __freadable, xmpi_stream)
CALL(int, __fwritable, xmpi_stream)
CALL(int, __freading, xmpi_stream)
CALL(int, __fwriting, xmpi_stream)
CALL(int, __flbf, xmpi_stream)
CALL(void, __fpurge, xmpi_stream)
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
CALL_LAST(int, fputws, const wchar_t *, xmpi_stream)
CALL_LAST(wint_t, fputwc_unlocked, wchar_t, xmpi_stream)
CALL_LAST(wint_t, putwc_unlocked, wchar_t, xmpi_stream)
CALL_LAST(int, fputws_unlocked, const wchar_t *, xmpi_stream)
CALL_FIRST(int, __overflow, int, xmpi_stream)
CALL_FIRST(int, fwide, int, xmpi_stream)
CALL_FIRST(int, __fsetlocking, int, xmpi_stream)
CALL_FIRST(int, fgetpos, fpos_t *, xmpi_stream_asked)
CALL_FIRST(int, fgetpos64, fpos_t *, xmpi_stream_asked)
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
CALL_LINE(wchar_t *, fgetws_unlocked, xmpi_stream_read)

char *__real___fgets_chk(char *text, size_t room, int n, FILE *file);
char *__wrap___fgets_chk(char *text, size_t room, int n, FILE *file)
{
    return __real___fgets_chk(text, room, n, xmpi_stream_read(file));
}
XMPI_DIVERT(__fgets_chk)

size_t __real___fread_chk(void *data, size_t room, size_t size, size_t n, FILE *file);
size_t __wrap___fread_chk(void *data, size_t room, size_t size, size_t n, FILE *file)
{
    return __real___fread_chk(data, room, size, n, xmpi_stream_read(file));
}
XMPI_DIVERT(__fread_chk)

/* --- with a format ------------------------------------------------------------------------------
 */

int __real_vfprintf(FILE *file, const char *format, va_list list);
int __real___vfprintf_chk(FILE *file, int flag, const char *format, va_list list);
int __real_vfwprintf(FILE *file, const wchar_t *format, va_list list);
int __real___vfwprintf_chk(FILE *file, int flag, const wchar_t *format, va_list list);

#define PRINTS(name, type)                                                                         \
    int __wrap_v##name(FILE *file, const type *format, va_list list)                               \
    {                                                                                              \
        return __real_v##name(xmpi_stream(file), format, list);                                    \
    }                                                                                              \
    int __wrap_##name(FILE *file, const type *format, ...)                                         \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        int n = __real_v##name(xmpi_stream(file), format, list);                                   \
        va_end(list);                                                                              \
        return n;                                                                                  \
    }                                                                                              \
    int __wrap___v##name##_chk(FILE *file, int flag, const type *format, va_list list)             \
    {                                                                                              \
        return __real___v##name##_chk(xmpi_stream(file), flag, format, list);                      \
    }                                                                                              \
    int __wrap___##name##_chk(FILE *file, int flag, const type *format, ...)                       \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        int n = __real___v##name##_chk(xmpi_stream(file), flag, format, list);                     \
        va_end(list);                                                                              \
        return n;                                                                                  \
    }                                                                                              \
    XMPI_DIVERT(v##name)                                                                           \
    XMPI_DIVERT(name)                                                                              \
    XMPI_DIVERT(__v##name##_chk)                                                                   \
    XMPI_DIVERT(__##name##_chk)

PRINTS(fprintf, char)
PRINTS(fwprintf, wchar_t)

/* NAME(FROM, format, ...) and vNAME; FROM is GIVEN to the real function. Each C standard has had
 * its own (some not in this C library): PREFIX. */
#define SCANS(prefix, name, source, given, type, note)                                             \
    int __real_##prefix##v##name(source, const type *format, va_list list) __attribute__((weak));  \
    int __wrap_##prefix##v##name(source, const type *format, va_list list)                         \
    {                                                                                              \
        note(format);                                                                              \
        return __real_##prefix##v##name(given, format, list);                                      \
    }                                                                                              \
    int __wrap_##prefix##name(source, const type *format, ...)                                     \
    {                                                                                              \
        va_list list;                                                                              \
        note(format);                                                                              \
        va_start(list, format);                                                                    \
        int n = __real_##prefix##v##name(given, format, list);                                     \
        va_end(list);                                                                              \
        return n;                                                                                  \
    }                                                                                              \
    XMPI_DIVERT(prefix##v##name)                                                                   \
    XMPI_DIVERT(prefix##name)

/* The same of standard input. */
#define SCANS_INPUT(prefix, name, type, note)                                                      \
    int __wrap_##prefix##v##name(const type *format, va_list list)                                 \
    {                                                                                              \
        note(format);                                                                              \
        return __real_##prefix##vf##name(xmpi_stream_read(stdin), format, list);                   \
    }                                                                                              \
    int __wrap_##prefix##name(const type *format, ...)                                             \
    {                                                                                              \
        va_list list;                                                                              \
        note(format);                                                                              \
        va_start(list, format);                                                                    \
        int n = __real_##prefix##vf##name(xmpi_stream_read(stdin), format, list);                  \
        va_end(list);                                                                              \
        return n;                                                                                  \
    }

#define SCANS_ALL(prefix)                                                                          \
    SCANS(prefix, fscanf, FILE *file, xmpi_stream_read(file), char, xmpi_pins_format)              \
    SCANS(prefix, fwscanf, FILE *file, xmpi_stream_read(file), wchar_t, xmpi_pins_wide_format)     \
    SCANS(prefix, sscanf, const char *text, text, char, xmpi_pins_format)                          \
    SCANS(prefix, swscanf, const wchar_t *text, text, wchar_t, xmpi_pins_wide_format)              \
    SCANS_INPUT(prefix, scanf, char, xmpi_pins_format)                                             \
    SCANS_INPUT(prefix, wscanf, wchar_t, xmpi_pins_wide_format)

SCANS_ALL()
SCANS_ALL(__isoc99_)
SCANS_ALL(__isoc23_)

ssize_t __real_read(int file, void *data, size_t size);

ssize_t __wrap_read(int file, void *data, size_t size)
{
    if (file == STDIN_FILENO)
        xmpi_stream_read(stdin);
    return __real_read(file, data, size);
}

int __wrap_getchar(void)
{
    return __real_getc(xmpi_stream_read(stdin));
}

int __wrap_getchar_unlocked(void)
{
    return __real_getc_unlocked(xmpi_stream_read(stdin));
}

wint_t __wrap_getwchar(void)
{
    return __real_getwc(xmpi_stream_read(stdin));
}

wint_t __wrap_getwchar_unlocked(void)
{
    return __real_getwc(xmpi_stream_read(stdin));
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
XMPI_DIVERT(getdelim)

ssize_t __wrap___getdelim(char **line, size_t *room, int end, FILE *file)
{
    return __wrap_getdelim(line, room, end, file);
}
XMPI_DIVERT(__getdelim)

ssize_t __wrap_getline(char **line, size_t *room, FILE *file)
{
    return __wrap_getdelim(line, room, '\n', file);
}
XMPI_DIVERT(getline)
