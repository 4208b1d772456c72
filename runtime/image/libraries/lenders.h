/* SPDX-License-Identifier: BSD-3-Clause
 * Lenders: shared libraries of the program's own. What they allocate is theirs, and of this
 * process: where the program goes it is not. (MPI, libxmpi and what these need are in every
 * process, and what they allocate is theirs alone.) */
#ifndef XMPI_IMAGE_LENDERS_H
#define XMPI_IMAGE_LENDERS_H

/* What such libraries call instead of the C library's NAME, which the program's __wrap_NAME stands
 * for: they may be given what only that knows. */
typedef struct {
    const char *name;
    void (*instead)(void);
} xmpi_diverted_t;

#define XMPI_DIVERT(name)                                                                          \
    static const xmpi_diverted_t divert_##name                                                     \
        __attribute__((used, section("xmpi_diverted"))) = {#name, (void (*)(void))__wrap_##name};

/* Before main: from here on it is noted what such libraries allocate and free. */
void xmpi_lenders_begin(void);

/* Writes to WHY (XMPI_IMAGE_WHY_MAX) which library has allocated something that is still there;
 * nothing where none has. */
void xmpi_lenders_held(char *why);

#endif
