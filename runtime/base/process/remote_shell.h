/* SPDX-License-Identifier: BSD-3-Clause
 * The remote shell: a command that is followed by a node and what to run there. */
#ifndef XMPI_BASE_PROCESS_REMOTE_SHELL_H
#define XMPI_BASE_PROCESS_REMOTE_SHELL_H

/* The variable of the environment that names another, and the one without it, which never asks for
 * a password. */
#define XMPI_REMOTE_SHELL_NAME "XMPI_RSH"
#define XMPI_REMOTE_SHELL "ssh -o BatchMode=yes -o ConnectTimeout=5"

#endif
