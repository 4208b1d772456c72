/* SPDX-License-Identifier: BSD-3-Clause
 * Registered arrays that are out of core: which of them are on disk. An array that fits in its
 * share of the memory is in memory, like any other; else its storage is on a file, all of it, and
 * as much as the share is stays in memory (act/outofcore). */
#ifndef XMPI_ACT_MOVING_ON_DISK_H
#define XMPI_ACT_MOVING_ON_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "act/data/registry.h"
#include "base/status.h"

/* Whether BYTES of array I are more than its share of memory: the shares of arrays that are out of
 * core are as their rows. */
bool xmpi_goes_to_disk(const xmpi_registry_t *registry, int i, int64_t bytes);

/* Puts the storage BLOCK of array I there. XMPI_ERR_INPUT, XMPI_ERR_MEMORY: it is as it was. */
xmpi_status_t xmpi_put_on_disk(const xmpi_registry_t *registry, int i, void *block,
                               xmpi_error_t *error);

/* The same for what array I has now, where it goes there and is not there yet. */
xmpi_status_t xmpi_follow_to_disk(const xmpi_registry_t *registry, int i, xmpi_error_t *error);

/* Whether the storage BLOCK is on disk; and freeing storage that may be. */
bool xmpi_is_on_disk(const xmpi_registry_t *registry, void *block);
void xmpi_free_storage(const xmpi_registry_t *registry, void *block);

#endif
