/* SPDX-License-Identifier: BSD-3-Clause
 * Family: all processes of this machine that descend from us, also those whose own parent has
 * ended, as they come to us then. */
#ifndef XMPIRUN_FAMILY_H
#define XMPIRUN_FAMILY_H

#include <stdbool.h>

/* Whom of them it is about: all; proxies of Hydra's and all that descend from these, but not what a
 * program has left behind of its own accord; the first or the last that has started no others, as
 * ranks are. */
typedef enum { FAMILY_ALL, FAMILY_PROXIES, FAMILY_FIRST, FAMILY_LAST } family_part_t;

/* From now on orphans come to us, and not to the system's first process. */
void family_adopt(void);

/* Sends SIGNAL; how many it was sent to. */
int family_signal(family_part_t part, int signal);

/* Kills them, and waits until there are none, for some seconds at most: who waits for a disk that
 * does not answer cannot be ended. Nobody else may be waiting for a child of ours. */
void family_end(family_part_t part);

#endif
