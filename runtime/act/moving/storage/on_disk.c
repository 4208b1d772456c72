/* SPDX-License-Identifier: BSD-3-Clause */
#include "act/moving/storage/on_disk.h"

#include <malloc.h>
#include <stdlib.h>

#include "act/outofcore/outofcore.h"

bool xmpi_goes_to_disk(const xmpi_registry_t *registry, int i, int64_t bytes)
{
    double rows = 0;
    if (registry->outofcore == NULL || !registry->array[i].outofcore ||
        bytes < XMPI_OUTOFCORE_LEAST)
        return false;
    for (int k = 0; k < registry->arrays; k++)
        if (registry->array[k].outofcore)
            rows += (double)registry->array[k].row_bytes;
    double share = (double)registry->array[i].row_bytes / rows;
    return (double)bytes > share * (double)registry->outofcore->memory;
}

xmpi_status_t xmpi_put_on_disk(const xmpi_registry_t *registry, int i, void *block,
                               xmpi_error_t *error)
{
    xmpi_error_t why;
    xmpi_status_t status = xmpi_outofcore_put(registry->outofcore, block, &why);
    return status == XMPI_OK
               ? status
               : xmpi_error_set(error, status, "the array %s does not fit in memory: %s",
                                registry->array[i].name, why.text);
}

xmpi_status_t xmpi_follow_to_disk(const xmpi_registry_t *registry, int i, xmpi_error_t *error)
{
    const xmpi_array_t *array = &registry->array[i];
    void *block = array->outofcore ? xmpi_array_pointer(array) : NULL;
    if (block == NULL || xmpi_is_on_disk(registry, block) ||
        !xmpi_goes_to_disk(registry, i, (int64_t)malloc_usable_size(block)))
        return XMPI_OK;
    return xmpi_put_on_disk(registry, i, block, error);
}

bool xmpi_is_on_disk(const xmpi_registry_t *registry, void *block)
{
    return xmpi_outofcore_has(registry->outofcore, block);
}

void xmpi_free_storage(const xmpi_registry_t *registry, void *block)
{
    xmpi_outofcore_forget(registry->outofcore, block);
    free(block);
}
