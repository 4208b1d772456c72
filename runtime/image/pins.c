/* SPDX-License-Identifier: BSD-3-Clause
 * Calls whose effects cannot go to another process. Each is what it was, and is remembered. */
#define _GNU_SOURCE
#include "image/pins.h"

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The first such call; a variable of the program, as what it has made is the program's. */
const char *xmpi_image_pinned;

const char *xmpi_pins_call(void)
{
    return xmpi_image_pinned;
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
PIN(shmat)
PIN(dlopen)
PIN(dlsym)
PIN(fork)
PIN(vfork)
PIN(pthread_create)
PIN(timer_create)
PIN(timerfd_create)
PIN(eventfd)
PIN(epoll_create)
PIN(epoll_create1)
PIN(inotify_init)
PIN(signalfd)
PIN(memfd_create)
PIN(socket)
PIN(socketpair)
PIN(accept)
PIN(pipe)
PIN(pipe2)
PIN(popen)
PIN(opendir)
PIN(fdopen)
PIN(tmpfile)
PIN(tmpfile64)
PIN(fmemopen)
PIN(open_memstream)
PIN(open)
PIN(open64)
PIN(openat)
PIN(openat64)
PIN(creat)
PIN(creat64)
PIN(dup)
PIN(mkstemp)
PIN(mkstemp64)
PIN(regcomp)
PIN(iconv_open)
PIN(duplocale)
PIN(__duplocale)
PIN(glob)
PIN(scandir)
PIN(getaddrinfo)
PIN(hcreate)
PIN(tsearch)
PIN(sem_open)
PIN(mq_open)

/* The locale "C" is a table that the C library has from the start; others are memory of its own. */
#define PIN_LOCALE(name)                                                                           \
    locale_t __real_##name(int, const char *, locale_t) __attribute__((weak));                     \
    locale_t __wrap_##name(int mask, const char *text, locale_t base);                             \
    locale_t __wrap_##name(int mask, const char *text, locale_t base)                              \
    {                                                                                              \
        bool plain = text != NULL && (strcmp(text, "C") == 0 || strcmp(text, "POSIX") == 0);       \
        if ((!plain || base != (locale_t)0) && xmpi_image_pinned == NULL)                          \
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
