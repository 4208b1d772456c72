/* SPDX-License-Identifier: BSD-3-Clause
 * Processes that are bound to cores. */
#define _GNU_SOURCE
#include "program/life/bind.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/machine/cpus.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "base/misuse.h"
#include "decide/layout/nodes.h"
#include "sources/node_cores.h"

void xmpi_bind(const xmpi_shared_t *shared, int process)
{
    xmpi_error_t error;
    if (shared->settings.bind == XMPI_BIND_OFF)
        return;
    int index = xmpi_pe_on_node(&shared->resources, shared->process[process].pe);
    if (xmpi_cpus_bind(index, &error) != XMPI_OK)
        fprintf(stderr, "xmpi: process %d: %s\n", process, error.text);
}

/* --- what the cores are behind -------------------------------------------------------------------
 */

void xmpi_bind_look(const xmpi_shared_t *shared, int process, xmpi_cores_t *cores)
{
    cpu_set_t given;
    bool known = shared->resources.pe[shared->process[process].pe].inside[0] != 0;
    memset(cores, 0, sizeof *cores);
    if (shared->settings.bind != XMPI_BIND_OFF && !known && xmpi_cpus_given(&given))
        xmpi_node_cores(&given, cores);
}

/* Whether no process of a lower rank is on the node of the process RANK. */
static bool is_first(const xmpi_shared_t *shared, const xmpi_nodes_t *nodes, int rank)
{
    int node = nodes->of_pe[shared->process[rank].pe];
    for (int i = 0; i < rank; i++)
        if (nodes->of_pe[shared->process[i].pe] == node)
            return false;
    return true;
}

/* One process of each node looks, all hear it. */
static void learn_cores(xmpi_shared_t *shared, const xmpi_nodes_t *nodes, int rank)
{
    xmpi_resources_t *resources = &shared->resources;
    enum { EACH = sizeof resources->pe->inside };
    xmpi_cores_t cores;
    unsigned char *inside = calloc((size_t)resources->pes + 1, EACH);
    if (inside == NULL)
        xmpi_misuse("no memory for the cores of %d processing elements", resources->pes);
    if (is_first(shared, nodes, rank)) {
        xmpi_bind_look(shared, rank, &cores);
        xmpi_cores_set(resources, shared->process[rank].pe, &cores);
    }
    for (int i = 0; i < resources->pes; i++)
        memcpy(inside + EACH * i, resources->pe[i].inside, EACH);
    PMPI_Allreduce(MPI_IN_PLACE, inside, EACH * resources->pes, MPI_UNSIGNED_CHAR, MPI_MAX,
                   xmpi_world.initial);
    for (int i = 0; i < resources->pes; i++)
        memcpy(resources->pe[i].inside, inside + EACH * i, EACH);
    free(inside);
}

/* --- who else binds ------------------------------------------------------------------------------
 */

static uint64_t mark_of(const cpu_set_t *given)
{
    uint64_t mark = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        mark = (mark ^ (uint64_t)(CPU_ISSET(cpu, given) != 0)) * 0x100000001b3u;
    return mark;
}

/* A node whose processes were not all given the same CPUs has been divided by somebody else, -1:
 * there is none. */
static int divided_node(const xmpi_shared_t *shared, const xmpi_nodes_t *nodes, int rank)
{
    cpu_set_t given;
    int node = nodes->of_pe[shared->process[rank].pe], divided = -1;
    uint64_t *most = calloc(2 * (size_t)nodes->nodes + 1, sizeof *most);
    if (most == NULL)
        xmpi_misuse("no memory for the CPUs of %d nodes", nodes->nodes);
    uint64_t mark = xmpi_cpus_given(&given) ? mark_of(&given) : 0;
    most[2 * node] = mark; /* the most of all marks, and of their complements */
    most[2 * node + 1] = ~mark;
    PMPI_Allreduce(MPI_IN_PLACE, most, 2 * nodes->nodes, MPI_UINT64_T, MPI_MAX, xmpi_world.initial);
    for (int i = 0; i < nodes->nodes && divided < 0; i++) {
        bool nobody = most[2 * i] == 0 && most[2 * i + 1] == 0;
        divided = !nobody && most[2 * i] != ~most[2 * i + 1] ? i : -1;
    }
    free(most);
    return divided;
}

void xmpi_bind_prepare(xmpi_shared_t *shared, int rank)
{
    const xmpi_resources_t *resources = &shared->resources;
    xmpi_nodes_t nodes;
    if (shared->settings.bind == XMPI_BIND_OFF)
        return;
    if (xmpi_nodes_make(&nodes, resources->pes, resources->pe, XMPI_UNNAMED_TOGETHER) != XMPI_OK)
        xmpi_misuse("no memory for the list of nodes");
    int divided = divided_node(shared, &nodes, rank);
    if (divided >= 0 && rank == 0)
        fprintf(stderr,
                "xmpi: XMPI_BIND=core: processes of node %s have been bound already, to different "
                "CPUs: all stay as they are\n",
                resources->pe[nodes.first[divided]].node);
    if (divided >= 0)
        shared->settings.bind = XMPI_BIND_OFF;
    else
        learn_cores(shared, &nodes, rank);
    xmpi_nodes_free(&nodes);
}
