/* SPDX-License-Identifier: BSD-3-Clause
 * Where the control sockets are. */
#define _GNU_SOURCE
#include "control/address.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Others must not be able to put a socket of theirs there, nor to open ours. */
static xmpi_status_t check(const char *folder, xmpi_error_t *error)
{
    struct stat file;
    if (lstat(folder, &file) != 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s: %s", folder, strerror(errno));
    if (!S_ISDIR(file.st_mode) || file.st_uid != geteuid() || (file.st_mode & 077) != 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s: not a folder that only its owner can open: remove it, or set "
                              "XDG_RUNTIME_DIR",
                              folder);
    return XMPI_OK;
}

/* The longest name of a socket in it, with what stands behind that while it is made. */
enum { SOCKET_ROOM = sizeof "/4194304.sock~" };

xmpi_status_t xmpi_address_folder(char *folder, size_t room, xmpi_error_t *error)
{
    const char *base = getenv("XDG_RUNTIME_DIR");
    int length = base != NULL && base[0] == '/'
                     ? snprintf(folder, room, "%s/xmpi", base)
                     : snprintf(folder, room, "/tmp/xmpi-%ld", (long)geteuid());
    if (length < 0 || (size_t)length + SOCKET_ROOM > room)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "XDG_RUNTIME_DIR: longer than the name of a socket in it can be");
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s: %s", folder, strerror(errno));
    return check(folder, error);
}

xmpi_status_t xmpi_address_of(long pid, char *path, size_t room, xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_address_folder(path, room, error);
    if (status != XMPI_OK)
        return status;
    size_t used = strlen(path);
    int length = snprintf(path + used, room - used, "/%ld.sock", pid);
    if (length < 0 || (size_t)length >= room - used)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s: too long for the name of a socket", path);
    return XMPI_OK;
}

/* --- listening ----------------------------------------------------------------------------------
 */

enum { BACKLOG = 8 };

/* What a killed job left behind. Only a socket: a path that a user mistyped may be a file. */
static void remove_stale(const char *path)
{
    struct stat file;
    if (lstat(path, &file) == 0 && S_ISSOCK(file.st_mode))
        unlink(path);
}

static int listen_at(int fd, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    remove_stale(path);
    /* fchmod before bind gives the file its mode without a moment in which others can connect. */
    return fchmod(fd, 0600) == 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
                   chmod(path, 0600) == 0 && listen(fd, BACKLOG) == 0
               ? 0
               : -1;
}

int xmpi_address_listen(const char *path)
{
    char unnamed[sizeof((struct sockaddr_un *)0)->sun_path];
    if (snprintf(unnamed, sizeof unnamed, "%s~", path) >= (int)sizeof unnamed) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    remove_stale(path);
    bool named = listen_at(fd, unnamed) == 0 && link(unnamed, path) == 0; /* spares a user's file */
    int failure = errno;
    unlink(unnamed);
    if (named)
        return fd;
    close(fd);
    errno = failure;
    return -1;
}
