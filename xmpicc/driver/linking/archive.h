/* SPDX-License-Identifier: BSD-3-Clause
 * Archives that name their members and do not contain them (`ar rcT`). */
#ifndef XMPICC_ARCHIVE_H
#define XMPICC_ARCHIVE_H

#include "driver/base/words.h"

/* The files that the thin archive PATH stands for, as they are found from here; none where it is
 * another file. */
words_t archive_thin_members(memory_t *memory, const char *path);

#endif
