/* SPDX-License-Identifier: BSD-3-Clause
 * Cores: what is between those of a node. */
#include "decide/layout/cores.h"

#include <string.h>

bool xmpi_cores_are_sound(const xmpi_cores_t *cores)
{
    return cores->cores >= 0 && cores->cores <= XMPI_CORES_MAX;
}

void xmpi_cores_set(xmpi_resources_t *resources, int pe, const xmpi_cores_t *cores)
{
    if (cores->cores == 0 || resources->pe[pe].node[0] == '\0')
        return;
    const char *node = resources->pe[pe].node;
    for (int i = 0, index = 0; i < resources->pes; i++)
        if (strcmp(resources->pe[i].node, node) == 0)
            memcpy(resources->pe[i].inside, cores->inside[index++ % cores->cores],
                   sizeof resources->pe[i].inside);
}
