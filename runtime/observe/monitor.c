/* SPDX-License-Identifier: BSD-3-Clause
 * Monitor: time and bytes of MPI calls by class, and the sample of an interval. */
#include "observe/monitor.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "act/world/world.h"
#include "observe/clock.h"
#include "observe/faults.h"
#include "observe/peers/type_size.h"
#include "observe/threads.h"

xmpi_monitor_t xmpi_monitor;

/* --- stretches of computation ------------------------------------------------------------------
 */

/* Watching may take this share of the time, half of what may be noticed (0.1 %). */
static const double watching_share = 0.0005;

/* So many are always watched: where there are few, each counts. */
enum { ALWAYS_WATCHED = 16 };

/* xorshift64* (Vigna 2016). */
static double random_share(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * 0x2545f4914f6cdd1du) >> 11) * 0x1p-53;
}

/* It reads a file, which is not the program's. */
static xmpi_faults_t read_faults(void)
{
    xmpi_monitor.depth++;
    xmpi_faults_t faults = xmpi_faults_read();
    xmpi_monitor.depth--;
    return faults;
}

static void open_stretch(xmpi_stretches_t *stretches, double now)
{
    stretches->open = true;
    stretches->wall_mark = now;
    stretches->cpu_mark = xmpi_clock_cpu();
    if (stretches->faulting)
        stretches->faults_mark = read_faults();
    stretches->opening = xmpi_clock_wall() - now;
}

/* What it takes to watch depends on what the program has left in the caches, several times as much
 * where that is all its own: it is measured each time. A single one may have been disturbed. */
static void count_watching(xmpi_stretches_t *stretches, double cost)
{
    static const double share_of_newest = 0.125;
    double *mean = &stretches->cost;
    *mean = *mean > 0 ? *mean + share_of_newest * (fmin(cost, 4 * *mean) - *mean) : cost;
}

/* How many stretches are left out until the next one that is watched, each of them by the same
 * chance: drawn once, so that the calls between take no random number. */
static void draw_gap(xmpi_stretches_t *stretches)
{
    double share = 1 - random_share(&stretches->random); /* > 0 */
    double gap = stretches->chance < 1 ? floor(log(share) / log1p(-stretches->chance)) : 0;
    stretches->gap = gap < 1e9 ? (int64_t)gap : 1000000000;
}

/* So that watching all of them would take the share of the SECONDS in which there were so many. */
static void set_chance(xmpi_stretches_t *stretches, double seconds)
{
    double all = (double)stretches->number * stretches->cost;
    if (all > 0)
        stretches->chance = watching_share * seconds / all;
    draw_gap(stretches);
}

/* The rate of calls may be another in this interval than in the last one: the chance is set anew
 * each time that their number has doubled. */
static void begin_stretch(xmpi_stretches_t *stretches, double now)
{
    int64_t number = stretches->number++;
    if (number >= ALWAYS_WATCHED && (number & (number - 1)) == 0)
        set_chance(stretches, now - stretches->start);
    if (number >= ALWAYS_WATCHED && stretches->gap-- > 0)
        return;
    open_stretch(stretches, now);
    if (number >= ALWAYS_WATCHED)
        draw_gap(stretches);
}

static void close_stretch(xmpi_stretches_t *stretches, double now)
{
    stretches->open = false;
    stretches->wall += now - stretches->wall_mark;
    stretches->cpu += xmpi_clock_cpu() - stretches->cpu_mark;
    if (stretches->faulting) {
        xmpi_faults_t end = read_faults();
        stretches->faults +=
            xmpi_faults_seconds(now - stretches->wall_mark, &stretches->faults_mark, &end);
    }
    count_watching(stretches, stretches->opening + xmpi_clock_wall() - now);
}

/* From this interval on, or no more. */
static void look_at_faults(xmpi_stretches_t *stretches, bool faulting)
{
    if (stretches->faulting != faulting)
        stretches->cost = 0; /* it is another one then */
    stretches->faulting = faulting;
}

static void start_stretches(xmpi_stretches_t *stretches)
{
    if (stretches->random == 0)
        stretches->random = 88172645463325252u;
    stretches->number = 0;
    stretches->wall = stretches->cpu = stretches->faults = 0;
    stretches->start = xmpi_clock_wall();
    open_stretch(stretches, stretches->start);
    stretches->cpu_start = stretches->cpu_mark;
}

/* --- iterations --------------------------------------------------------------------------------
 */

void xmpi_monitor_iteration(xmpi_monitor_t *monitor)
{
    xmpi_iterations_t *iterations = &monitor->iterations;
    double now = xmpi_clock_wall();
    double seconds = now - iterations->mark - (monitor->mpi - iterations->mpi_mark);
    double step = seconds - iterations->last;
    iterations->mark = now;
    iterations->mpi_mark = monitor->mpi;
    iterations->last = seconds;
    if (iterations->number++ > 0)
        iterations->squares += step * step;
}

/* --- calls -------------------------------------------------------------------------------------
 */

xmpi_call_t xmpi_monitor_enter(void)
{
    xmpi_monitor_t *monitor = &xmpi_monitor;
    xmpi_call_t call = {.counted = false};
    if (xmpi_threads_several)
        xmpi_threads_note();
    if (!monitor->on || !pthread_equal(monitor->thread, pthread_self()))
        return call;
    call.counted = true;
    if (monitor->depth++ == 0) {
        call.start = xmpi_clock_wall();
        xmpi_tiles_enter(&monitor->tiling, call.start - monitor->wall_start - monitor->mpi);
        if (monitor->stretches.open)
            close_stretch(&monitor->stretches, call.start);
    }
    return call;
}

static void add_call(xmpi_monitor_t *monitor, double seconds, xmpi_class_t class_index,
                     xmpi_kind_t kind, int members, int64_t bytes)
{
    monitor->mpi += seconds;
    monitor->operations[class_index].calls++;
    monitor->operations[class_index].bytes += bytes;
    monitor->operations[class_index].seconds += seconds;
    xmpi_observations_add(&monitor->observations, kind, class_index == XMPI_CLASS_POST, members,
                          bytes, seconds);
}

void xmpi_monitor_leave(xmpi_call_t call, xmpi_class_t class_index, xmpi_kind_t kind, int members,
                        int64_t bytes)
{
    xmpi_monitor_t *monitor = &xmpi_monitor;
    if (--monitor->depth > 0)
        return;
    double now = xmpi_clock_wall();
    begin_stretch(&monitor->stretches, now);
    add_call(monitor, now - call.start, class_index, kind, members, bytes);
}

void xmpi_monitor_received(int source, MPI_Comm comm)
{
    if (xmpi_monitor.depth == 0)
        xmpi_tiles_received(&xmpi_monitor.tiling, source, comm);
}

void xmpi_monitor_sent(int dest, MPI_Comm comm)
{
    if (xmpi_monitor.depth == 0)
        xmpi_tiles_sent(&xmpi_monitor.tiling, dest, comm);
}

xmpi_file_call_t xmpi_monitor_enter_file(void)
{
    xmpi_monitor_t *monitor = &xmpi_monitor;
    xmpi_file_call_t call = {.counted = false};
    if (!monitor->on || monitor->depth > 0 || !pthread_equal(monitor->thread, pthread_self()))
        return call;
    int error = errno;
    call = (xmpi_file_call_t){.counted = true, .start = xmpi_clock_wall(), .mpi = monitor->mpi};
    if (monitor->stretches.open)
        close_stretch(&monitor->stretches, call.start);
    errno = error;
    return call;
}

/* What a handler has done with files meanwhile is counted already. */
void xmpi_monitor_leave_file(xmpi_file_call_t call, int64_t bytes)
{
    xmpi_monitor_t *monitor = &xmpi_monitor;
    int error = errno;
    double now = xmpi_clock_wall(), seconds = now - call.start - (monitor->mpi - call.mpi);
    monitor->stretches.open = false;
    begin_stretch(&monitor->stretches, now);
    add_call(monitor, seconds, XMPI_CLASS_IO, XMPI_KIND_FILE, 0, bytes > 0 ? bytes : 0);
    errno = error;
}

bool xmpi_monitor_watches(void)
{
    return !xmpi_threads_several && (xmpi_monitor.on || xmpi_world.state == XMPI_STATE_RUNNING);
}

int64_t xmpi_monitor_bytes(const void *buffer, int64_t count, MPI_Datatype datatype)
{
    return buffer == MPI_IN_PLACE ? 0 : count * xmpi_type_size(datatype);
}

int xmpi_monitor_members(MPI_Comm comm)
{
    int members = 0;
    if (comm == xmpi_world.comm)
        return xmpi_world.size;
    PMPI_Comm_size(comm, &members);
    return members;
}

/* There, the counts may be for the members of the other group. */
static bool is_inter(MPI_Comm comm)
{
    int inter = 0;
    if (comm != xmpi_world.comm)
        PMPI_Comm_test_inter(comm, &inter);
    return inter != 0;
}

static int64_t count_at(const void *counts, size_t size, int i)
{
    return size == sizeof(int) ? ((const int *)counts)[i] : ((const int64_t *)counts)[i];
}

int64_t xmpi_monitor_bytes_of_parts(const void *buffer, const void *counts, size_t size,
                                    MPI_Datatype datatype, MPI_Comm comm)
{
    int members = is_inter(comm) ? 0 : xmpi_monitor_members(comm);
    int64_t sum = 0;
    for (int i = 0; i < members; i++)
        sum += count_at(counts, size, i);
    return xmpi_monitor_bytes(buffer, sum, datatype);
}

int64_t xmpi_monitor_bytes_of_equal_parts(const void *buffer, int64_t count, MPI_Datatype datatype,
                                          MPI_Comm comm)
{
    return xmpi_monitor_bytes(buffer, count * xmpi_monitor_members(comm), datatype);
}

int64_t xmpi_monitor_bytes_of_own(const void *counts, size_t size, MPI_Datatype datatype,
                                  MPI_Comm comm)
{
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return xmpi_monitor_bytes(NULL, count_at(counts, size, rank), datatype);
}

void xmpi_monitor_start(xmpi_monitor_t *monitor)
{
    xmpi_clock_tune();
    monitor->on = true;
    monitor->paused = false;
    monitor->thread = pthread_self();
    monitor->mpi = 0;
    memset(monitor->operations, 0, sizeof monitor->operations);
    monitor->observations.n = monitor->observations.last = 0;
    xmpi_tiles_start(&monitor->tiling);
    monitor->work_start = xmpi_counter_read(&monitor->counter);
    monitor->wall_start = xmpi_clock_wall();
    monitor->iterations = (xmpi_iterations_t){.mark = monitor->wall_start};
    monitor->faults_start = xmpi_faults_number();
    start_stretches(&monitor->stretches);
}

void xmpi_monitor_pause(xmpi_monitor_t *monitor)
{
    monitor->on = false;
    monitor->paused = true;
    monitor->stretches.open = false;
    monitor->wall_paused = xmpi_clock_wall();
    monitor->work_paused = xmpi_counter_read(&monitor->counter);
    monitor->cpu_paused = xmpi_clock_cpu();
}

void xmpi_monitor_resume(xmpi_monitor_t *monitor)
{
    if (!monitor->paused)
        return;
    double seconds = xmpi_clock_wall() - monitor->wall_paused;
    monitor->wall_start += seconds;
    monitor->iterations.mark += seconds;
    monitor->stretches.start += seconds;
    monitor->stretches.cpu_start += xmpi_clock_cpu() - monitor->cpu_paused;
    monitor->work_start += xmpi_counter_read(&monitor->counter) - monitor->work_paused;
    monitor->paused = false;
    monitor->on = true;
}

/* CPU time of SECONDS of computation, as of those that were watched. Where these are few of many, a
 * long stretch that was not watched may be what others took the CPU in: no more than what was used
 * in the interval, MPI included. */
static double cpu_seconds(const xmpi_stretches_t *stretches, double seconds)
{
    double most = xmpi_clock_cpu() - stretches->cpu_start;
    return stretches->wall > 0 ? fmin(seconds * stretches->cpu / stretches->wall, most) : seconds;
}

/* Of what seems to be computation, what the member waited for in major page faults is I/O; as in
 * the stretches that were watched. In the first interval with faults nobody has looked. */
static void take_out_faults(xmpi_monitor_t *monitor, xmpi_sample_t *sample)
{
    xmpi_stretches_t *stretches = &monitor->stretches;
    int64_t faults = xmpi_faults_number() - monitor->faults_start;
    double seconds = 0;
    if (stretches->wall > 0)
        seconds = fmin(1, stretches->faults / stretches->wall) * sample->computation;
    sample->computation -= seconds;
    sample->operations[XMPI_CLASS_IO].seconds += seconds;
    sample->operations[XMPI_CLASS_IO].calls += faults;
    look_at_faults(stretches, faults > 0 || xmpi_faults_are_read_by_others());
}

void xmpi_monitor_sample(xmpi_monitor_t *monitor, int64_t iterations, xmpi_sample_t *sample)
{
    double now = xmpi_clock_wall();
    int64_t number = monitor->iterations.number;
    if (monitor->stretches.open)
        close_stretch(&monitor->stretches, now);
    memset(sample, 0, sizeof *sample);
    sample->iterations = iterations;
    sample->wall = now - monitor->wall_start;
    sample->work = xmpi_counter_read(&monitor->counter) - monitor->work_start;
    sample->computation = sample->wall - monitor->mpi;
    sample->deviation =
        number > 1 ? sqrt(monitor->iterations.squares / (2 * (double)(number - 1))) : 0;
    sample->cpu = cpu_seconds(&monitor->stretches, sample->computation);
    memcpy(sample->operations, monitor->operations, sizeof sample->operations);
    take_out_faults(monitor, sample);
    memcpy(sample->tiles, monitor->tiling.tiles, sizeof sample->tiles);
    sample->threads = xmpi_threads_others();
    sample->observed_kinds = monitor->observations.n;
    memcpy(sample->observed, monitor->observations.entry, sizeof sample->observed);
}
