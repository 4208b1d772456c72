/* SPDX-License-Identifier: BSD-3-Clause
 * Calls whose effects cannot go to another process. Each is what it was, and is remembered. */
#define _GNU_SOURCE
#include "image/calls/pins.h"

#include <locale.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <threads.h>

/* The first such call; a variable of the program, as what it has made is the program's. */
const char *xmpi_image_pinned;

static bool begun; /* main has */

const char *xmpi_pins_call(void)
{
    return xmpi_image_pinned;
}

void xmpi_pins_begin(void)
{
    begun = true;
}

/* The arguments stay where they are: only %rax, which no such call reads, and %r11 are used. */
#define PIN(name)                                                                                  \
    __asm__(".text\n.weak __real_" #name "\n.globl __wrap_" #name "\n.type __wrap_" #name          \
            ", @function\n"                                                                        \
            "__wrap_" #name ":\n"                                                                  \
            "    cmpq $0, xmpi_image_pinned(%rip)\n    jne 1f\n"                                   \
            "    lea 2f(%rip), %r11\n    mov %r11, xmpi_image_pinned(%rip)\n"                      \
            "1:  jmp __real_" #name "\n"                                                           \
            ".size __wrap_" #name ", .-__wrap_" #name "\n"                                         \
            ".section .rodata.str1.1,\"aMS\",@progbits,1\n2: .string \"" #name "\"\n.text\n");

PIN(mmap)
PIN(mmap64)
PIN(mremap)
PIN(mprotect)
PIN(brk)
PIN(sbrk)
PIN(shmat)
PIN(shm_open)
PIN(semget)
PIN(msgget)
PIN(dlopen)
PIN(dlmopen)
PIN(dlsym)
PIN(fork)
PIN(vfork)
PIN(posix_spawn)
PIN(posix_spawnp)
PIN(pthread_create)
PIN(thrd_create)
PIN(__cxa_thread_atexit_impl)
PIN(__cxa_at_quick_exit)
PIN(timer_create)
PIN(timerfd_create)
PIN(eventfd)
PIN(epoll_create)
PIN(epoll_create1)
PIN(inotify_init)
PIN(inotify_init1)
PIN(fanotify_init)
PIN(signalfd)
PIN(memfd_create)
PIN(socket)
PIN(socketpair)
PIN(accept)
PIN(accept4)
PIN(pipe)
PIN(pipe2)
PIN(popen)
PIN(opendir)
PIN(fdopen)
PIN(tmpfile)
PIN(tmpfile64)
PIN(fopencookie)
PIN(fmemopen)
PIN(open_memstream)
PIN(open_wmemstream)
PIN(dup)
PIN(dup2)
PIN(dup3)
PIN(flock)
PIN(lockf)
PIN(lockf64)
PIN(aio_read)
PIN(aio_read64)
PIN(aio_write)
PIN(aio_write64)
PIN(lio_listio)
PIN(lio_listio64)
PIN(regcomp)
PIN(re_comp)
PIN(re_compile_pattern)
PIN(iconv_open)
PIN(duplocale)
PIN(__duplocale)
PIN(bindtextdomain)
PIN(textdomain)
PIN(catopen)
PIN(openlog)
PIN(glob)
PIN(glob64)
PIN(wordexp)
PIN(fts_open)
PIN(fts64_open)
PIN(scandir)
PIN(scandir64)
PIN(scandirat)
PIN(scandirat64)
PIN(getaddrinfo)
PIN(getifaddrs)
PIN(if_nameindex)
PIN(backtrace_symbols)
PIN(argz_create)
PIN(argz_create_sep)
PIN(argz_append)
PIN(argz_add)
PIN(argz_add_sep)
PIN(argz_insert)
PIN(argz_replace)
PIN(envz_add)
PIN(envz_merge)
PIN(hcreate)
PIN(hcreate_r)
PIN(tsearch)
PIN(sem_open)
PIN(mq_open)

/* What constructors make for threads, those of Fortran's library among them, is made in every
 * process. */
static void pin_later(const char *name)
{
    if (begun && xmpi_image_pinned == NULL)
        xmpi_image_pinned = name;
}

int __real_pthread_key_create(pthread_key_t *key, void (*end)(void *)) __attribute__((weak));
int __wrap_pthread_key_create(pthread_key_t *key, void (*end)(void *))
{
    pin_later("pthread_key_create");
    return __real_pthread_key_create(key, end);
}

int __real_tss_create(tss_t *key, tss_dtor_t end) __attribute__((weak));
int __wrap_tss_create(tss_t *key, tss_dtor_t end)
{
    pin_later("tss_create");
    return __real_tss_create(key, end);
}

/* Where a format has the C library allocate what it has read. */
static const char allocating[] = "scanf with %m";

void xmpi_pins_format(const char *format)
{
    for (const char *at = strchr(format, '%'); at != NULL; at = strchr(at, '%')) {
        at++;
        at += strspn(at, "*0123456789$'I");
        if (*at == 'm' && xmpi_image_pinned == NULL)
            xmpi_image_pinned = allocating;
        at += *at != '\0'; /* also a second % */
    }
}

void xmpi_pins_wide_format(const wchar_t *format)
{
    for (const wchar_t *at = wcschr(format, L'%'); at != NULL; at = wcschr(at, L'%')) {
        at++;
        at += wcsspn(at, L"*0123456789$'I");
        if (*at == L'm' && xmpi_image_pinned == NULL)
            xmpi_image_pinned = allocating;
        at += *at != L'\0';
    }
}

/* The locale "C" is a table that the C library has from the start, and what constructors have of it
 * is mended (image/library_words.h); others are memory of its own. */
#define PIN_LOCALE(name)                                                                           \
    locale_t __real_##name(int, const char *, locale_t) __attribute__((weak));                     \
    locale_t __wrap_##name(int mask, const char *text, locale_t base);                             \
    locale_t __wrap_##name(int mask, const char *text, locale_t base)                              \
    {                                                                                              \
        bool plain = text != NULL && (strcmp(text, "C") == 0 || strcmp(text, "POSIX") == 0);       \
        if ((!plain || base != (locale_t)0 || begun) && xmpi_image_pinned == NULL)                 \
            xmpi_image_pinned = #name;                                                             \
        return __real_##name(mask, text, base);                                                    \
    }

PIN_LOCALE(newlocale)
PIN_LOCALE(__newlocale)

/* What is known to the MPI of one process (its objects are made again: act/handles). */
PIN(MPI_Type_create_f90_integer)
PIN(MPI_Type_create_f90_real)
PIN(MPI_Type_create_f90_complex)
PIN(MPI_Open_port)
PIN(MPI_Add_error_class)
PIN(MPI_Add_error_code)
