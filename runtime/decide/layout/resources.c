/* SPDX-License-Identifier: BSD-3-Clause
 * The processing elements that the program may use, as the policies see them. */
#include "decide/layout/resources.h"

#include <stdlib.h>
#include <string.h>

void xmpi_resources_free(xmpi_resources_t *resources)
{
    free(resources->pe);
    memset(resources, 0, sizeof *resources);
}

bool xmpi_pe_usable(const xmpi_resources_t *resources, int pe)
{
    const xmpi_pe_t *p = &resources->pe[pe];
    return !p->withdrawn && (p->process >= 0 ? p->parked : resources->can_spawn);
}

int xmpi_resources_usable(const xmpi_resources_t *resources, int class_index)
{
    int n = 0;
    for (int i = 0; i < resources->pes; i++)
        if (class_index == XMPI_ANY_CLASS || resources->pe[i].class_index == class_index)
            n += xmpi_pe_usable(resources, i);
    return n;
}

int xmpi_resources_class(const xmpi_resources_t *resources, const char *name)
{
    if (strcmp(name, "any") == 0)
        return XMPI_ANY_CLASS;
    for (int i = 0; i < resources->classes; i++)
        if (strcmp(resources->class_name[i], name) == 0)
            return i;
    return -2;
}

int xmpi_resources_pe_of(const xmpi_resources_t *resources, int process)
{
    for (int i = 0; i < resources->pes; i++)
        if (resources->pe[i].process == process)
            return i;
    return -1;
}

int *xmpi_members_pes(const xmpi_layout_t *layout, const xmpi_resources_t *resources)
{
    int last = 0;
    for (int rank = 0; rank < layout->members; rank++)
        last = layout->member[rank].process > last ? layout->member[rank].process : last;
    int *of_process = malloc(((size_t)last + 1) * sizeof *of_process);
    int *pes = malloc(((size_t)layout->members + 1) * sizeof *pes);
    if (of_process == NULL || pes == NULL) {
        free(of_process);
        free(pes);
        return NULL;
    }
    for (int process = 0; process <= last; process++)
        of_process[process] = -1;
    for (int pe = resources->pes - 1; pe >= 0; pe--)
        if (resources->pe[pe].process >= 0 && resources->pe[pe].process <= last)
            of_process[resources->pe[pe].process] = pe;
    for (int rank = 0; rank < layout->members; rank++)
        pes[rank] = of_process[layout->member[rank].process];
    free(of_process);
    return pes;
}
