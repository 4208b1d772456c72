/* SPDX-License-Identifier: BSD-3-Clause
 * MHETA: parts of what a member does, for the files of this room. */
#ifndef XMPI_DECIDE_MHETA_MEMBER_H
#define XMPI_DECIDE_MHETA_MEMBER_H

#include "decide/mheta/mheta.h"

/* Whether ARRAY is out of core where the first IN_CORE of those in ORDER are not. */
bool xmpi_mheta_is_out(const xmpi_mheta_t *model, int array, int in_core);

/* What the rows weigh. */
double xmpi_mheta_weight(const xmpi_mheta_t *model, int64_t begin, int64_t end);

/* Seconds in which member I sends a message of the section (O_->). */
double xmpi_mheta_send(const xmpi_mheta_t *model, int i, const xmpi_mheta_section_t *section,
                       int in_core);

/* Members before and behind member I: 0 to 2. */
int xmpi_mheta_neighbours(const xmpi_mheta_t *model, int i);

#endif
