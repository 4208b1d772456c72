/* SPDX-License-Identifier: BSD-3-Clause
 * Sources of processing elements: which one a run has. */
#include "sources/sources.h"

#include <stddef.h>

static const xmpi_source_t *const sources[] = {&xmpi_source_machine_file, &xmpi_source_slurm,
                                               &xmpi_source_local_machine};

const xmpi_source_t *xmpi_source_of(const xmpi_settings_t *settings)
{
    size_t last = sizeof sources / sizeof *sources - 1;
    for (size_t i = 0; i < last; i++)
        if (sources[i]->applies(settings))
            return sources[i];
    return sources[last]; /* the machine that we are on always is one */
}

void xmpi_source_leave(const xmpi_settings_t *settings, bool ended)
{
    const xmpi_source_t *source = xmpi_source_of(settings);
    if (source->leave != NULL)
        source->leave(ended);
}
