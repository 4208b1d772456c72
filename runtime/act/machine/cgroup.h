/* SPDX-License-Identifier: BSD-3-Clause
 * Control groups: the limits that this process shares with others, version 1 and 2. A limit of a
 * group holds for all groups inside of it. */
#ifndef XMPI_ACT_MACHINE_CGROUP_H
#define XMPI_ACT_MACHINE_CGROUP_H

#include <stdint.h>

/* What is left in the group whose files are in FOLDER; INT64_MAX without a limit. */
typedef int64_t xmpi_cgroup_left_t(const char *folder);

/* The least that LEFT finds in this process's group of CONTROLLER ("memory", "pids") and those that
 * it is in; its folder is put into WHERE (SIZE characters). INT64_MAX when there is no limit. */
int64_t xmpi_cgroup_least(const char *controller, xmpi_cgroup_left_t *left, char *where, int size);

/* The same by the text of /proc/self/cgroup and /proc/self/mountinfo, with ROOT before all paths.
 */
int64_t xmpi_cgroup_least_of(const char *groups, const char *mounts, const char *root,
                             const char *controller, xmpi_cgroup_left_t *left, char *where,
                             int size);

/* The number behind the first WORD at the begin of a line of a file in FOLDER ("": its first
 * number); FALLBACK when there is none. */
int64_t xmpi_cgroup_number(const char *folder, const char *name, const char *word,
                           int64_t fallback);

#endif
