/* SPDX-License-Identifier: BSD-3-Clause
 * Clocks. Those of another process have other beginnings, and so has the time of another machine.
 * So each tells what it tells in the process that the program is in, and what it has to be ahead of
 * that for the program: when the program comes, a clock goes on from where it stood when the
 * program stood still; clocks of time by the time that has gone by since, those of the processor at
 * once. The date is everybody's, and stays what it is. */
#define _GNU_SOURCE
#include "image/calls/clocks.h"

#include <fcntl.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "image/memory/native.h"

enum { WTIME, MONOTONIC, RAW, COARSE, BOOT, CPU, THREAD, USER, SYSTEM, CLOCKS };
enum { SECOND = 1000000000, MACHINE = 128 };

int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __real_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                           struct timespec *left);
int __real_getrusage(int who, struct rusage *usage);
int __real_open(const char *path, int flags, ...);
ssize_t __real_read(int fd, void *data, size_t size);
int __real_close(int fd);

static const clockid_t id_of[USER] = {
    [MONOTONIC] = CLOCK_MONOTONIC,     [RAW] = CLOCK_MONOTONIC_RAW,
    [COARSE] = CLOCK_MONOTONIC_COARSE, [BOOT] = CLOCK_BOOTTIME,
    [CPU] = CLOCK_PROCESS_CPUTIME_ID,  [THREAD] = CLOCK_THREAD_CPUTIME_ID};

/* While the program stands still; nanoseconds. */
static struct {
    bool begun; /* MPI had been initialised: what a program starts over with has no clocks */
    int64_t told[CLOCKS], ahead[CLOCKS];
    int64_t apart, date; /* MPI_Wtime from CLOCK_MONOTONIC, for the program; the date */
    char machine[MACHINE];
} kept;

/* What a clock is ahead of that of the process. (A program that starts over in it has it, too.) */
XMPI_NATIVE static int64_t ahead[CLOCKS];

/* --- reading ------------------------------------------------------------------------------------
 */

static int64_t of_timespec(const struct timespec *t)
{
    return (int64_t)t->tv_sec * SECOND + t->tv_nsec;
}

static struct timespec to_timespec(int64_t time)
{
    return (struct timespec){.tv_sec = time / SECOND, .tv_nsec = time % SECOND};
}

static int64_t read_system(clockid_t clock)
{
    struct timespec t = {0};
    __real_clock_gettime(clock, &t);
    return of_timespec(&t);
}

static int64_t of_timeval(const struct timeval *t)
{
    return (int64_t)t->tv_sec * SECOND + (int64_t)t->tv_usec * 1000;
}

/* As it is. */
static int64_t read_clock(int clock)
{
    struct rusage usage = {0};
    if (clock == WTIME)
        return (int64_t)(PMPI_Wtime() * SECOND);
    if (clock < USER)
        return read_system(id_of[clock]);
    __real_getrusage(RUSAGE_SELF, &usage);
    return of_timeval(clock == USER ? &usage.ru_utime : &usage.ru_stime);
}

/* Which clocks of time are the same: of one machine since it has started, as processes of one
 * namespace see them. */
static void name_machine(char *name)
{
    char space[64] = "";
    ssize_t n = readlink("/proc/self/ns/time", space, sizeof space - 1);
    int fd = __real_open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    memset(name, 0, MACHINE);
    if (fd < 0 || __real_read(fd, name, 36) != 36)
        snprintf(name, MACHINE, "%d", getpid()); /* none that is known */
    if (fd >= 0)
        __real_close(fd);
    if (n > 0)
        strcat(name, space);
}

/* Whether the MPI's is the same everywhere: it is left alone. */
static bool is_global(void)
{
    int *global = NULL, known = 0;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &global, &known);
    return known && global != NULL && *global != 0;
}

/* How far the process's MPI_Wtime is from its CLOCK_MONOTONIC: of some tries the one in which the
 * least came between. */
static int64_t find_apart(void)
{
    enum { TRIES = 10, SHORT = 10000 };
    int64_t apart = 0, least = INT64_MAX;
    for (int i = 0; i < TRIES && least > SHORT; i++) {
        int64_t before = read_clock(MONOTONIC), wtime = read_clock(WTIME);
        int64_t between = read_clock(MONOTONIC) - before;
        if (between < least) {
            least = between;
            apart = wtime - before - between / 2;
        }
    }
    return apart;
}

/* --- going on -----------------------------------------------------------------------------------
 */

static bool has_begun(void)
{
    int begun = 0, over = 0;
    PMPI_Initialized(&begun);
    PMPI_Finalized(&over);
    return begun && !over;
}

void xmpi_clocks_pack(void)
{
    kept.begun = has_begun();
    if (!kept.begun)
        return;
    for (int i = 0; i < CLOCKS; i++) {
        kept.ahead[i] = ahead[i];
        kept.told[i] = read_clock(i) + ahead[i];
    }
    kept.apart = find_apart() + ahead[WTIME] - ahead[MONOTONIC];
    kept.date = read_system(CLOCK_REALTIME);
    name_machine(kept.machine);
}

/* Between machines the date tells how much time has gone by; it may be set back. */
static void go_on_by_date(void)
{
    int64_t since = read_system(CLOCK_REALTIME) - kept.date;
    for (int i = MONOTONIC; i <= BOOT; i++)
        ahead[i] = kept.told[i] + (since > 0 ? since : 0) - read_clock(i);
}

static void go_on_with_wtime(void)
{
    ahead[WTIME] = 0;
    if (is_global())
        return;
    ahead[WTIME] = kept.apart + ahead[MONOTONIC] - find_apart();
    int64_t back = kept.told[WTIME] - (read_clock(WTIME) + ahead[WTIME]);
    ahead[WTIME] += back > 0 ? back : 0;
}

void xmpi_clocks_unpack(void)
{
    char here[MACHINE];
    if (!kept.begun)
        return;
    name_machine(here);
    memcpy(ahead, kept.ahead, sizeof ahead);
    if (strcmp(here, kept.machine) != 0)
        go_on_by_date();
    for (int i = CPU; i < CLOCKS; i++)
        ahead[i] = kept.told[i] - read_clock(i);
    go_on_with_wtime();
}

void xmpi_clocks_left(void)
{
    memset(ahead, 0, sizeof ahead);
}

/* --- what the program calls ---------------------------------------------------------------------
 */

double xmpi_clocks_wtime(void)
{
    return PMPI_Wtime() + (double)ahead[WTIME] / SECOND;
}

/* CLOCKS: none of these. */
static int clock_of(clockid_t id)
{
    int clock = MONOTONIC;
    while (clock < USER && id_of[clock] != id)
        clock++;
    return clock < USER ? clock : CLOCKS;
}

int __wrap_clock_gettime(clockid_t id, struct timespec *time)
{
    int result = __real_clock_gettime(id, time), clock = clock_of(id);
    if (result == 0 && clock < CLOCKS && ahead[clock] != 0)
        *time = to_timespec(of_timespec(time) + ahead[clock]);
    return result;
}

clock_t __wrap_clock(void)
{
    return (clock_t)((read_clock(CPU) + ahead[CPU]) / (SECOND / CLOCKS_PER_SEC));
}

static void put_ahead(struct timeval *time, int clock)
{
    int64_t all = of_timeval(time) + ahead[clock];
    *time = (struct timeval){.tv_sec = all / SECOND, .tv_usec = all % SECOND / 1000};
}

int __wrap_getrusage(int who, struct rusage *usage)
{
    int result = __real_getrusage(who, usage);
    if (result == 0 && who == RUSAGE_SELF) {
        put_ahead(&usage->ru_utime, USER);
        put_ahead(&usage->ru_stime, SYSTEM);
    }
    return result;
}

/* Until a moment that one of these clocks tells. */
int __wrap_clock_nanosleep(clockid_t id, int flags, const struct timespec *time,
                           struct timespec *left)
{
    int clock = clock_of(id);
    if ((flags & TIMER_ABSTIME) == 0 || clock == CLOCKS || ahead[clock] == 0)
        return __real_clock_nanosleep(id, flags, time, left);
    int64_t until = of_timespec(time) - ahead[clock];
    struct timespec moment = to_timespec(until > 0 ? until : 0);
    return __real_clock_nanosleep(id, flags, &moment, left);
}

/* (OpenMP's own is asked for by nobody: its library may not even be there then.) */
double __wrap_omp_get_wtime(void)
{
    return (double)(read_clock(MONOTONIC) + ahead[MONOTONIC]) / SECOND;
}
