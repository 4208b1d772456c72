/* SPDX-License-Identifier: BSD-3-Clause
 * Load: for how long the cores of this node have been used, by whomever. */
#ifndef XMPI_ACT_MACHINE_LOAD_H
#define XMPI_ACT_MACHINE_LOAD_H

#include <stdbool.h>

typedef struct {
    double cores; /* that this process may run on */
    double busy;  /* CPU seconds that they were used for since the machine was started; what a
                     hypervisor gave to others counts as used */
} xmpi_cpu_use_t;

/* Reads FOLDER/NODE/stat where there is one, else FOLDER/stat: Linux's /proc/stat. False where
 * there is none. */
bool xmpi_cpu_use(const char *folder, const char *node, xmpi_cpu_use_t *use);

#endif
