/* SPDX-License-Identifier: BSD-3-Clause
 * Image: the program of a process as it is, its variables, heap and stack, which can go on in
 * another process. What lies in runtime/image/ is linked into the program (lib/xmpi/image.o), since
 * all of it has to be at the same address in every process; libxmpi, which is not, reaches it by
 * this table. */
#ifndef XMPI_ACT_IMAGE_IMAGE_H
#define XMPI_ACT_IMAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { XMPI_IMAGE_VERSION = 9, XMPI_IMAGE_WHY_MAX = 160 };

/* Bytes from FROM to before TO. */
typedef struct {
    uintptr_t from, to;
} xmpi_span_t;

typedef struct {
    int version;
    /* Lets the program stand still where it is, does WORK on the stack that the process was started
     * with, and then goes on with the program that there is: the same, or one that has come. */
    void (*outside)(void (*work)(void *), void *argument);
    /* Why the program cannot go elsewhere now, for people: empty when it can. It stands still. */
    void (*held)(char *why);
    /* Puts what belongs to the program and is kept elsewhere (thread-local variables, streams,
     * signals, random numbers, ...) into its variables, to be sent with them. */
    void (*pack)(void);
    /* The program that is here is not needed any more: what is kept elsewhere does not write to its
     * variables or memory again, and the process has the signals, folder, environment, ... that it
     * had before the program. Before anything of another one comes. */
    void (*let_go)(void);
    /* The places that make the image: at most MOST spans into SPAN; how many there are. Of the heap
     * what is in use; pages among it may never have been touched. */
    size_t (*spans)(xmpi_span_t *span, size_t most);
    /* The arena: what is not part of an image is zeros there. */
    xmpi_span_t arena;
    /* Makes it so, before an image comes or when one has gone. */
    void (*clear)(void);
    /* Whether that was done and no image has come since: the process has no program, and what one
     * has asked to be done at its end is not for this process to do. */
    bool (*is_gone)(void);
    /* The program goes on elsewhere: the same, and what it had open here is closed. */
    void (*left)(void);
    /* The opposite of pack, in the process that has received the image; what could not be had again
     * is in WHY. */
    bool (*unpack)(char *why);
    /* Behind unpack: what the program has written to its files since pack is not there any more. */
    void (*cut)(void);
    /* The opposite of pack where the program stays after all. */
    void (*stay)(void);
    /* MPI has been initialised: what handlers it has put is noted, before the program can put its
     * own in their place. */
    void (*note)(void);
    /* What the program was started with, behind its name: one after another, each ended by a zero
     * byte, BYTES in all. Of a program that has come, where it was started. */
    const char *(*arguments)(size_t *bytes);
    /* MPI_Wtime, as the program has had it in all processes that it has been in. */
    double (*wtime)(void);
} xmpi_image_t;

#endif
