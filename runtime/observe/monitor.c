/* SPDX-License-Identifier: BSD-3-Clause
 * Monitor: time and bytes of MPI calls by class, and the sample of an interval. */
#define _POSIX_C_SOURCE 200809L
#include "observe/monitor.h"

#include <string.h>
#include <time.h>

#include "context.h"

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double xmpi_clock_wall(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double xmpi_clock_cpu(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

xmpi_call_t xmpi_monitor_enter(void)
{
    xmpi_monitor_t *monitor = &xmpi_context.monitor;
    xmpi_call_t call = {.counted = false};
    if (!monitor->on || !pthread_equal(monitor->thread, pthread_self()))
        return call;
    call.counted = true;
    if (monitor->depth++ == 0)
        call.start = xmpi_clock_wall();
    return call;
}

void xmpi_monitor_leave(xmpi_call_t call, xmpi_class_t class_index, int64_t bytes)
{
    xmpi_monitor_t *monitor = &xmpi_context.monitor;
    if (--monitor->depth > 0)
        return;
    double seconds = xmpi_clock_wall() - call.start;
    monitor->mpi += seconds;
    monitor->operations[class_index].calls++;
    monitor->operations[class_index].bytes += bytes;
    monitor->operations[class_index].seconds += seconds;
}

int64_t xmpi_monitor_bytes(const void *buffer, int64_t count, MPI_Datatype datatype)
{
    int size;
    if (buffer == MPI_IN_PLACE || datatype == MPI_DATATYPE_NULL ||
        PMPI_Type_size(datatype, &size) != MPI_SUCCESS)
        return 0;
    return count * size;
}

void xmpi_monitor_start(xmpi_monitor_t *monitor)
{
    monitor->on = true;
    monitor->thread = pthread_self();
    monitor->mpi = 0;
    memset(monitor->operations, 0, sizeof monitor->operations);
    monitor->work_start = xmpi_counter_read(&monitor->counter);
    monitor->cpu_start = xmpi_clock_cpu();
    monitor->wall_start = xmpi_clock_wall();
}

void xmpi_monitor_sample(xmpi_monitor_t *monitor, int64_t iterations, xmpi_sample_t *sample)
{
    memset(sample, 0, sizeof *sample);
    sample->iterations = iterations;
    sample->wall = xmpi_clock_wall() - monitor->wall_start;
    sample->cpu = xmpi_clock_cpu() - monitor->cpu_start;
    sample->work = xmpi_counter_read(&monitor->counter) - monitor->work_start;
    sample->computation = sample->wall - monitor->mpi;
    memcpy(sample->operations, monitor->operations, sizeof sample->operations);
}
