/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel and its namespaces. */
#include "act/machine/kernel.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/data/digest.h"
#include "base/process/own_files.h"

/* A number that the kernel draws when it is booted: the same as long as this process lives. */
static char boot[64];
static size_t boot_length;

static void read_boot(void)
{
    xmpi_own_files_begin();
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (file != NULL) {
        boot_length = fread(boot, 1, sizeof boot, file);
        fclose(file);
    }
    xmpi_own_files_end();
}

uint64_t xmpi_kernel_space(const char *space)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char path[64];
    struct stat at;
    pthread_once(&once, read_boot);
    snprintf(path, sizeof path, "/proc/self/ns/%s", space);
    if (boot_length == 0 || stat(path, &at) != 0)
        return 0;
    const uint64_t of[] = {(uint64_t)at.st_dev, (uint64_t)at.st_ino};
    return xmpi_digest_bytes(of, sizeof of, xmpi_digest_bytes(boot, boot_length, 0));
}
