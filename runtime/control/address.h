/* SPDX-License-Identifier: BSD-3-Clause
 * Where the control sockets of a user's jobs are: PID.sock in a folder that only the user can open,
 * $XDG_RUNTIME_DIR/xmpi or /tmp/xmpi-UID. */
#ifndef XMPI_CONTROL_ADDRESS_H
#define XMPI_CONTROL_ADDRESS_H

#include <stddef.h>

#include "base/status.h"

/* What fits into sockaddr_un. */
enum { XMPI_ADDRESS_MAX = 108 };

/* The folder, made when it is missing. XMPI_ERR_INPUT when it cannot be had, is somebody else's, or
 * open to others. */
xmpi_status_t xmpi_address_folder(char *folder, size_t room, xmpi_error_t *error);

/* Makes a socket that listens at PATH, in the place of one that a killed job left behind, and not
 * in that of a file of another kind; only its owner can connect. It gets its name when it answers:
 * between bind and listen it refuses connections, as one that was left behind does, and xmpictl
 * would remove it. A descriptor, of the caller; -1: errno says why. */
int xmpi_address_listen(const char *path);

/* The socket of the job that process PID began. */
xmpi_status_t xmpi_address_of(long pid, char *path, size_t room, xmpi_error_t *error);

#endif
