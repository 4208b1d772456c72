/* SPDX-License-Identifier: BSD-3-Clause
 * On which nodes processes are. */
#include "program/members/nodes.h"

#include <string.h>

/* The name that all processes of this home have whose processing elements have one. */
static const char *name_of_home(const xmpi_shared_t *shared, uint64_t home)
{
    const xmpi_resources_t *resources = &shared->resources;
    const char *name = "";
    for (int i = 0; i < resources->pes; i++) {
        const xmpi_pe_t *pe = &resources->pe[i];
        if (pe->process < 0 || pe->node[0] == '\0' ||
            shared->process[pe->process].door.home != home)
            continue;
        if (name[0] != '\0' && strcmp(name, pe->node) != 0)
            return "";
        name = pe->node;
    }
    return name;
}

const char *xmpi_node_of_process(const xmpi_shared_t *shared, int process)
{
    const xmpi_pe_t *pe = &shared->resources.pe[shared->process[process].pe];
    uint64_t home = shared->process[process].door.home;
    return pe->node[0] != '\0' || home == 0 ? pe->node : name_of_home(shared, home);
}

void xmpi_nodes_name(xmpi_shared_t *shared)
{
    xmpi_resources_t *resources = &shared->resources;
    for (int i = 0; i < resources->pes; i++) {
        xmpi_pe_t *pe = &resources->pe[i];
        if (pe->process >= 0 && pe->node[0] == '\0')
            strcpy(pe->node, xmpi_node_of_process(shared, pe->process));
    }
}

bool xmpi_node_has_members(const xmpi_shared_t *shared, const char *node)
{
    for (int i = 0; i < shared->layout.members; i++) {
        const xmpi_process_t *process = &shared->process[shared->layout.member[i].process];
        if (strcmp(shared->resources.pe[process->pe].node, node) == 0)
            return true;
    }
    return false;
}
