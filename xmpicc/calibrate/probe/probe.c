/* SPDX-License-Identifier: BSD-3-Clause
 * What xmpi-calibrate runs: measures links and speeds, or changes as it is told.
 *
 * Usage: calibration-probe links SECONDS     prints what is measured, a line each
 *        calibration-probe evolve N BYTES SECONDS    N iterations, but none after SECONDS, with an
 * array of BYTES (0: without any data); the reconfigurations are in the trace, and what it took to
 * make a communicator is printed whenever there are more members. With the policy
 * balance the members are slow and quick in turns.
 *        calibration-probe disks FOLDER SECONDS      prints the memory and the disk of each node */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "act/machine/disk.h"
#include "act/machine/memory.h"
#include "observe/links.h"
#include "files/calibration_file.h"
#include "files/machine_file.h"
#include "xmpi_gen.h"

enum { ROWS = 1024, PAUSE_US = 3000, SPEED_ROUNDS = 5, SPEED_STEPS = 4000000 };

/* --- links and speeds ------------------------------------------------------------------------- */

static double cpu_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Multiplications and additions per second of CPU time, each of which needs the one before: the
 * measure that varies least between runs. The best of a few. */
static double speed(void)
{
    double best = 0;
    for (int round = 0; round < SPEED_ROUNDS; round++) {
        volatile double factor = 0.999999;
        double x = 1, f = factor, start = cpu_clock();
        for (int i = 0; i < SPEED_STEPS; i++)
            x = x * f + 1e-9;
        factor = x;
        double rate = 2 * SPEED_STEPS / (cpu_clock() - start);
        best = rate > best ? rate : best;
    }
    return best;
}

/* What a process tells about itself. Plain data. */
typedef struct {
    char node[XMPI_NAME_MAX];
    double speed;
} self_t;

static void name_node(char name[XMPI_NAME_MAX])
{
    const char *node = getenv("XMPI_NODE");
    if (node != NULL && strlen(node) < XMPI_NAME_MAX)
        strcpy(name, node);
    else
        gethostname(name, XMPI_NAME_MAX - 1);
}

static void describe_self(self_t *self)
{
    memset(self, 0, sizeof *self);
    name_node(self->node);
    self->speed = speed();
}

static int partner(const self_t *selves, int size, int same_node)
{
    for (int i = 1; i < size; i++)
        if ((strcmp(selves[i].node, selves[0].node) == 0) == same_node)
            return i;
    return -1;
}

static void measure_link(const self_t *selves, int rank, int size, xmpi_link_class_t which,
                         double seconds)
{
    xmpi_link_t link;
    int other = partner(selves, size, which == XMPI_LINK_NODE);
    if (other < 0 || (rank != 0 && rank != other))
        return;
    if (xmpi_links_measure(MPI_COMM_WORLD, other, seconds, true, &link) && rank == 0)
        printf("link %s %.9g %.9g %.9g %.9g %.9g\n", xmpi_link_name(which), link.alpha, link.beta,
               link.long_alpha, link.long_beta, link.eager);
}

/* The class of a node, "" when there is no machine file or it is not in it. */
static const char *class_of(const xmpi_resources_t *resources, const char *node)
{
    for (int i = 0; i < resources->pes; i++)
        if (strcmp(resources->pe[i].node, node) == 0)
            return resources->class_name[resources->pe[i].class_index];
    return "";
}

static void print_speeds(const self_t *selves, int size)
{
    xmpi_resources_t resources = {0};
    xmpi_error_t error;
    const char *machines = getenv("XMPI_MACHINES");
    if (machines == NULL || xmpi_machines_read(machines, &resources, &error) != XMPI_OK)
        return;
    for (int i = 0; i < size; i++)
        if (class_of(&resources, selves[i].node)[0] != '\0')
            printf("class %s %.9g\n", class_of(&resources, selves[i].node), selves[i].speed);
    xmpi_resources_free(&resources);
}

static void print_machine(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    xmpi_machine_t machine;
    MPI_Get_library_version(version, &length);
    xmpi_machine_here(&machine, version);
    printf("processor %s\ncores %d\nmpi %s\n", machine.processor, machine.cores, machine.mpi);
}

static void measure(int rank, int size, double seconds)
{
    self_t mine, *selves = calloc((size_t)size, sizeof *selves);
    if (selves == NULL)
        MPI_Abort(MPI_COMM_WORLD, 2);
    describe_self(&mine);
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, selves, sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
    if (rank == 0)
        print_machine();
    measure_link(selves, rank, size, XMPI_LINK_NODE, seconds);
    measure_link(selves, rank, size, XMPI_LINK_NETWORK, seconds);
    if (rank == 0) {
        printf("gamma %.9g\nfresh %.9g\n", xmpi_links_gamma(), xmpi_links_fresh());
        print_speeds(selves, size);
    }
    free(selves);
}

/* --- disks --------------------------------------------------------------------------------------
 */

/* What the first process of a node tells about it. Plain data. */
typedef struct {
    char node[XMPI_NAME_MAX];
    double memory;
    xmpi_disk_t disk;
    xmpi_error_t error; /* why there is no disk; "" */
} node_t;

/* (One at a time on a node, all nodes at once.) */
static void measure_disks(int rank, int size, const char *folder, double seconds)
{
    node_t mine = {.memory = (double)xmpi_memory_available()};
    node_t *all = calloc((size_t)size, sizeof *all);
    if (all == NULL)
        MPI_Abort(MPI_COMM_WORLD, 2);
    name_node(mine.node);
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
    int first = 0;
    while (strcmp(all[first].node, mine.node) != 0)
        first++;
    if (first == rank)
        xmpi_disk_measure(folder, seconds, &mine.disk, &mine.error);
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++)
        if (all[i].error.text[0] != '\0')
            printf("failed %s\n", all[i].error.text);
        else if (all[i].disk.bandwidth > 0)
            printf("disk %s %.0f %.9g %.9g\n", all[i].node, all[i].memory, all[i].disk.bandwidth,
                   all[i].disk.latency);
    free(all);
}

/* --- changes ----------------------------------------------------------------------------------
 */

static void pause_for(double microseconds)
{
    struct timespec t = {0, (long)(1e3 * microseconds)};
    nanosleep(&t, NULL);
}

/* Slow are those of even and of odd rank in turns, so that each interval asks for other blocks. */
static void compute(int rank, int count, int size, int it)
{
    double share = (double)count * size / ROWS;
    pause_for(PAUSE_US * share * ((rank + it) % 2 == 0 ? 3 : 1));
}

/* Whether the leader says that there is time for more: a slow network has fewer changes. */
static int goes_on(int rank, double until)
{
    int mine = rank == 0 && MPI_Wtime() < until, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/* What a communicator for moves takes: of a world that has changed, as others take longer. */
static void time_communicator(int rank, int size)
{
    MPI_Comm made;
    double start = MPI_Wtime();
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    if (rank == 0)
        printf("communicator %d %.9g\n", size, MPI_Wtime() - start);
    MPI_Comm_free(&made);
}

static void evolve(int rank, int size, int iterations, long bytes, double seconds)
{
    int it = 0, more = 1, timed = size, row = (int)(bytes / ROWS) > 0 ? (int)(bytes / ROWS) : 1;
    double until = MPI_Wtime() + seconds;
    int count = ROWS / size + (rank < ROWS % size);
    int displ = rank * (ROWS / size) + (rank < ROWS % size ? rank : ROWS % size);
    char *data = calloc((size_t)count + 1, (size_t)row);
    if (data == NULL)
        MPI_Abort(MPI_COMM_WORLD, 2);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    xmpi_gen_domain(ROWS);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    if (bytes > 0)
        xmpi_gen_data("data", (void *)&data, 1, XMPI_GEN_DISTRIBUTED, ROWS, row);
    xmpi_gen_live("it", &it, sizeof it);
    xmpi_gen_live("more", &more, sizeof more);
    xmpi_gen_live("timed", &timed, sizeof timed);
    xmpi_gen_loop_begin("calibration-probe", 0);
    for (it = 0; xmpi_gen_joining() || (it < iterations && more); it++) {
        xmpi_gen_point();
        compute(rank, count, size, it);
        more = goes_on(rank, until);
        if (size > timed)
            time_communicator(rank, size);
        timed = size;
    }
    xmpi_gen_loop_end();
    free(data);
}

int main(int argc, char **argv)
{
    int rank, size;
    xmpi_gen_program(1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc == 3 && strcmp(argv[1], "links") == 0)
        measure(rank, size, strtod(argv[2], NULL));
    else if (argc == 5 && strcmp(argv[1], "evolve") == 0)
        evolve(rank, size, atoi(argv[2]), atol(argv[3]), strtod(argv[4], NULL));
    else if (argc == 4 && strcmp(argv[1], "disks") == 0)
        measure_disks(rank, size, argv[2], strtod(argv[3], NULL));
    MPI_Finalize();
    return 0;
}
