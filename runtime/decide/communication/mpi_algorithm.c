/* SPDX-License-Identifier: BSD-3-Clause
 * Which algorithm MPICH 4.0.2 (ch3) takes for a collective operation. */
#include "decide/communication/mpi_algorithm.h"

/* Where MPICH changes the algorithm: bytes. */
enum {
    BCAST_SHORT = 12288,
    BCAST_LONG = 524288,
    BCAST_FEW_MEMBERS = 8,
    ALLGATHER_SHORT = 81920,
    ALLGATHER_LONG = 524288,
    REDUCE_SHORT = 2048,
    ALLREDUCE_SHORT = 8, /* of 4.0.2; the thesis's version: 2 KB */
    IALLREDUCE_SHORT = 2048,
    REDUCE_SCATTER_LONG = 524288,
    ALLTOALL_SHORT = 256,
    IALLTOALL_SHORT = 2048,
    ALLTOALL_FEW_MEMBERS = 8, /* its table says < 8, which it reads as <= 8 here */
};

int xmpi_power_of_2(int members)
{
    int power = 1;
    while (power <= members / 2)
        power *= 2;
    return power;
}

static bool is_power_of_2(const xmpi_mpi_choice_t *choice)
{
    return xmpi_power_of_2(choice->members) == choice->members;
}

/* The non-blocking one changes at the limit, the blocking one behind it. */
static bool up_to(const xmpi_mpi_choice_t *choice, double limit)
{
    return choice->posted ? choice->bytes < limit : choice->bytes <= limit;
}

static xmpi_algorithm_t bcast(const xmpi_mpi_choice_t *choice)
{
    if (choice->members < BCAST_FEW_MEMBERS || up_to(choice, BCAST_SHORT))
        return XMPI_BY_TREE;
    return is_power_of_2(choice) && up_to(choice, BCAST_LONG) ? XMPI_BY_SCATTER_DOUBLING
                                                              : XMPI_BY_SCATTER_RING;
}

static xmpi_algorithm_t allgather(const xmpi_mpi_choice_t *choice)
{
    bool power = is_power_of_2(choice);
    if (choice->total < (power ? ALLGATHER_LONG : ALLGATHER_SHORT))
        return power ? XMPI_BY_DOUBLING : XMPI_BY_BRUCK;
    return XMPI_BY_RING;
}

/* Only MPI's own reductions are divided, where each gets an element of them. */
static bool divides(const xmpi_mpi_choice_t *choice)
{
    return !choice->own && choice->elements >= xmpi_power_of_2(choice->members);
}

static xmpi_algorithm_t reduce(const xmpi_mpi_choice_t *choice)
{
    return choice->bytes > REDUCE_SHORT && divides(choice) ? XMPI_BY_HALVING : XMPI_BY_TREE;
}

static xmpi_algorithm_t allreduce(const xmpi_mpi_choice_t *choice)
{
    double shorter = choice->posted ? IALLREDUCE_SHORT : ALLREDUCE_SHORT;
    return choice->bytes > shorter && divides(choice) ? XMPI_BY_HALVING : XMPI_BY_DOUBLING;
}

static xmpi_algorithm_t reduce_scatter(const xmpi_mpi_choice_t *choice)
{
    if (choice->ordered)
        return is_power_of_2(choice) ? XMPI_BY_HALVING : XMPI_BY_DOUBLING;
    return choice->total < REDUCE_SCATTER_LONG ? XMPI_BY_HALVING : XMPI_BY_PAIRS;
}

static xmpi_algorithm_t alltoall(const xmpi_mpi_choice_t *choice)
{
    double shorter = choice->posted ? IALLTOALL_SHORT : ALLTOALL_SHORT;
    double part = choice->bytes / choice->members;
    return choice->members > ALLTOALL_FEW_MEMBERS && part <= shorter ? XMPI_BY_BRUCK
                                                                      : XMPI_BY_PAIRS;
}

xmpi_algorithm_t xmpi_mpi_algorithm(const xmpi_mpi_choice_t *choice)
{
    switch (choice->kind) {
    case XMPI_KIND_BARRIER: /* dissemination */
        return XMPI_BY_BRUCK;
    case XMPI_KIND_BCAST:
        return bcast(choice);
    case XMPI_KIND_GATHER:
    case XMPI_KIND_SCATTER:
        return XMPI_BY_TREE;
    case XMPI_KIND_ALLGATHER:
    case XMPI_KIND_ALLGATHERV:
        return allgather(choice);
    case XMPI_KIND_ALLTOALL:
        return alltoall(choice);
    case XMPI_KIND_REDUCE:
        return reduce(choice);
    case XMPI_KIND_ALLREDUCE:
        return allreduce(choice);
    case XMPI_KIND_REDUCE_SCATTER:
        return reduce_scatter(choice);
    case XMPI_KIND_SCAN:
        return XMPI_BY_DOUBLING;
    default:
        return XMPI_BY_PAIRS;
    }
}
