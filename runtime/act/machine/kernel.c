/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel and its namespaces. */
#include "act/machine/kernel.h"

#include <stdio.h>
#include <sys/stat.h>

#include "base/digest.h"
#include "base/own_files.h"

/* A number that the kernel draws when it is booted. */
static size_t read_boot(char *boot, size_t size)
{
    size_t n = 0;
    xmpi_own_files_begin();
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (file != NULL) {
        n = fread(boot, 1, size, file);
        fclose(file);
    }
    xmpi_own_files_end();
    return n;
}

uint64_t xmpi_kernel_space(const char *space)
{
    char boot[64], path[64];
    struct stat at;
    size_t n = read_boot(boot, sizeof boot);
    snprintf(path, sizeof path, "/proc/self/ns/%s", space);
    if (n == 0 || stat(path, &at) != 0)
        return 0;
    const uint64_t of[] = {(uint64_t)at.st_dev, (uint64_t)at.st_ino};
    return xmpi_digest_bytes(of, sizeof of, xmpi_digest_bytes(boot, n, 0));
}
