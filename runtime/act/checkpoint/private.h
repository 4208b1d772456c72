/* SPDX-License-Identifier: BSD-3-Clause
 * Private memory: what a copy of a process (fork) has as it was at that moment. What is shared with
 * others goes on changing, and some memory is not copied at all: what a network's adapter writes
 * to, what is to be forgotten. */
#ifndef XMPI_ACT_CHECKPOINT_PRIVATE_H
#define XMPI_ACT_CHECKPOINT_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "act/checkpoint/files/file.h"

/* In the copy: whether it has all of DATA, of PART's arrays and live values, as the process had
 * them. Unknown is no. Makes system calls only. */
bool xmpi_private_has(const xmpi_part_file_t *part, const xmpi_stretch_t *const *data);

/* In the copy: bytes of the arrays in pages that it has alone, as the process has written to its
 * own since. Where that is not known, all of them. */
int64_t xmpi_private_alone(const xmpi_part_file_t *part, const xmpi_stretch_t *const *data);

#endif
