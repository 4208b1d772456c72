/* SPDX-License-Identifier: BSD-3-Clause
 * Whom the ranks of the program's communicators mean in the world. */
#include "observe/peers/comms.h"

#include <stdint.h>
#include <stdlib.h>

#include "act/world/world.h"

static xmpi_peers_comm_t known[XMPI_PEERS_COMMS];
static int last;
static long generations;

/* --- when a communicator is freed --------------------------------------------------------------
 */

/* Its handle may be that of another one then. Any thread may free it; only the thread that is
 * watched looks it up. VALUE: the generation and the number of the place. */
static int freed(MPI_Comm comm, int key, void *value, void *unused)
{
    (void)comm, (void)key, (void)unused;
    xmpi_peers_comm_t *place = &known[(intptr_t)value % XMPI_PEERS_COMMS];
    if (place->generation == (intptr_t)value / XMPI_PEERS_COMMS)
        __atomic_store_n(&place->comm, MPI_COMM_NULL, __ATOMIC_RELAXED);
    return MPI_SUCCESS;
}

/* An attribute, which duplicates do not inherit, is how the MPI tells. */
static void watch(int number)
{
    static int key = MPI_KEYVAL_INVALID;
    intptr_t value = known[number].generation * XMPI_PEERS_COMMS + number;
    if (key == MPI_KEYVAL_INVALID)
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, freed, &key, NULL);
    PMPI_Comm_set_attr(known[number].comm, key, (void *)value);
}

/* --- who is who --------------------------------------------------------------------------------
 */

/* The world of ranks: of a program that is only watched, the MPI's own. */
static MPI_Comm world(void)
{
    return xmpi_world.state == XMPI_STATE_PLAIN ? MPI_COMM_WORLD : xmpi_world.comm;
}

/* The ranks of the GROUP in the world, where they are others. False: no memory. */
static bool translate(MPI_Group group, xmpi_peers_comm_t *place)
{
    MPI_Group all;
    int n = place->peers;
    int *mine = malloc((size_t)n * sizeof *mine + 1);
    place->world = malloc((size_t)n * sizeof *place->world + 1);
    if (mine == NULL || place->world == NULL) {
        free(mine);
        return false;
    }
    for (int i = 0; i < n; i++)
        mine[i] = i;
    PMPI_Comm_group(world(), &all);
    PMPI_Group_translate_ranks(group, n, mine, all, place->world);
    PMPI_Group_free(&all);
    bool same = true;
    for (int i = 0; i < n; i++) {
        place->world[i] = place->world[i] == MPI_UNDEFINED ? -1 : place->world[i];
        same = same && place->world[i] == i;
    }
    free(mine);
    if (same) {
        free(place->world);
        place->world = NULL;
    }
    return true;
}

static bool look_at(MPI_Comm comm, xmpi_peers_comm_t *place)
{
    MPI_Group group;
    int inter = 0;
    PMPI_Comm_test_inter(comm, &inter);
    PMPI_Comm_size(comm, &place->size);
    PMPI_Comm_rank(comm, &place->rank);
    place->inter = inter != 0;
    place->peers = place->size;
    if (inter)
        PMPI_Comm_remote_size(comm, &place->peers);
    if (comm == world())
        return true;
    if (inter)
        PMPI_Comm_remote_group(comm, &group);
    else
        PMPI_Comm_group(comm, &group);
    bool done = translate(group, place);
    PMPI_Group_free(&group);
    return done;
}

static void drop(xmpi_peers_comm_t *place)
{
    free(place->world);
    free(place->neighbour);
    *place = (xmpi_peers_comm_t){.comm = MPI_COMM_NULL};
}

/* A place that nobody has, else all are given up. */
static int find_place(void (*before)(void))
{
    for (int i = 0; i < XMPI_PEERS_COMMS; i++)
        if (!known[i].used)
            return i;
    before();
    xmpi_peers_forget_comms();
    return 0;
}

static int add(MPI_Comm comm, void (*before)(void))
{
    int number = find_place(before);
    xmpi_peers_comm_t *place = &known[number];
    *place = (xmpi_peers_comm_t){.comm = MPI_COMM_NULL, .neighbours = -1};
    if (!look_at(comm, place)) {
        drop(place);
        return -1;
    }
    place->used = true;
    place->generation = ++generations;
    place->comm = comm;
    if (comm != world())
        watch(number);
    return number;
}

int xmpi_peers_find(MPI_Comm comm, void (*before)(void))
{
    if (known[last].used && known[last].comm == comm)
        return last;
    for (int i = 0; i < XMPI_PEERS_COMMS; i++)
        if (known[i].used && known[i].comm == comm)
            return last = i;
    int number = add(comm, before);
    last = number >= 0 ? number : last;
    return number;
}

const xmpi_peers_comm_t *xmpi_peers_comm(int number)
{
    return &known[number];
}

int xmpi_peers_world_rank(int number, int peer)
{
    const xmpi_peers_comm_t *place = &known[number];
    if (peer < 0 || peer >= place->peers)
        return -1;
    return place->world != NULL ? place->world[peer] : peer;
}

/* --- topologies --------------------------------------------------------------------------------
 */

static int *list_of(int n)
{
    return malloc((size_t)(n > 0 ? n : 1) * sizeof(int));
}

static void ask_distributed(xmpi_peers_comm_t *place)
{
    int in = 0, out = 0, weighted;
    PMPI_Dist_graph_neighbors_count(place->comm, &in, &out, &weighted);
    int *sources = list_of(in), *weights = list_of(in > out ? in : out);
    place->neighbour = list_of(out);
    if (sources != NULL && weights != NULL && place->neighbour != NULL) {
        PMPI_Dist_graph_neighbors(place->comm, in, sources, weights, out, place->neighbour,
                                  weights);
        place->neighbours = out;
    }
    free(sources);
    free(weights);
}

static void ask_graph(xmpi_peers_comm_t *place)
{
    int n = 0;
    PMPI_Graph_neighbors_count(place->comm, place->rank, &n);
    place->neighbour = list_of(n);
    if (place->neighbour != NULL) {
        PMPI_Graph_neighbors(place->comm, place->rank, n, place->neighbour);
        place->neighbours = n;
    }
}

/* In the order of the standard: of each dimension the one before, then the one behind. */
static void ask_cartesian(xmpi_peers_comm_t *place)
{
    int dimensions = 0;
    PMPI_Cartdim_get(place->comm, &dimensions);
    place->neighbour = list_of(2 * dimensions);
    if (place->neighbour == NULL)
        return;
    for (int i = 0; i < dimensions; i++)
        PMPI_Cart_shift(place->comm, i, 1, &place->neighbour[2 * i], &place->neighbour[2 * i + 1]);
    place->neighbours = 2 * dimensions;
}

bool xmpi_peers_ask_neighbours(int number)
{
    xmpi_peers_comm_t *place = &known[number];
    int kind = MPI_UNDEFINED;
    if (place->neighbours >= 0)
        return place->neighbours > 0;
    place->neighbours = 0;
    PMPI_Topo_test(place->comm, &kind);
    if (kind == MPI_DIST_GRAPH)
        ask_distributed(place);
    else if (kind == MPI_GRAPH)
        ask_graph(place);
    else if (kind == MPI_CART)
        ask_cartesian(place);
    return place->neighbours > 0;
}

void xmpi_peers_forget_comms(void)
{
    for (int i = 0; i < XMPI_PEERS_COMMS; i++)
        drop(&known[i]);
    last = 0;
}
