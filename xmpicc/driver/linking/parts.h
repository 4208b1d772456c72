/* SPDX-License-Identifier: BSD-3-Clause
 * The objects of a command that links, alone and in archives. */
#ifndef XMPICC_PARTS_H
#define XMPICC_PARTS_H

#include "driver/linking/record.h"

/* Looks for the object of each record of the program that is of one: sets when that was made, and
 * WHY[i], for people, where it is not what was compiled, or that is not known; else NULL. */
void parts_compare(const driver_t *driver, records_t *records, const char **why);

#endif
