/* SPDX-License-Identifier: BSD-3-Clause
 * Given: variables of the environment that mpiexec was told to give to the program (-env), and not
 * to what the program spawns. */
#ifndef XMPI_ACT_SPAWNING_GIVEN_H
#define XMPI_ACT_SPAWNING_GIVEN_H

/* "NAME=value", NULL-terminated; what it points to stays. What names the process or its node is not
 * among them. Empty where the environment of mpiexec cannot be read: it is on another node. */
char **xmpi_given_variables(void);

#endif
