/* SPDX-License-Identifier: BSD-3-Clause
 * Clocks: the time stamp counter, CLOCK_MONOTONIC and the CPU time. */
#include "observe/clock.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/process/seconds.h"

xmpi_clock_t xmpi_clock;

double xmpi_clock_cpu(void)
{
    return xmpi_seconds_cpu();
}

#if defined(__x86_64__)
/* The kernel keeps time by the counter only where it runs at one rate, never stops, and agrees
 * between the cores. */
static bool kernel_uses_counter(void)
{
    char name[16] = "";
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
    if (file == NULL)
        return false;
    bool uses = fgets(name, sizeof name, file) != NULL && strcmp(name, "tsc\n") == 0;
    fclose(file);
    return uses;
}

static uint64_t read_counter(void)
{
    return __builtin_ia32_rdtsc();
}
#else
static bool kernel_uses_counter(void)
{
    return false;
}

static uint64_t read_counter(void)
{
    return 0;
}
#endif

/* The rate is known to 1e-5 then, as the two readings at either end are less than 50 ns apart. */
static const double shortest_tuning = 0.01;

double xmpi_clock_wall(void)
{
    const xmpi_clock_t *clock = &xmpi_clock;
    if (clock->seconds_per_tick <= 0)
        return xmpi_seconds_now();
    return clock->base +
           (double)(int64_t)(read_counter() - clock->base_ticks) * clock->seconds_per_tick;
}

static void begin(xmpi_clock_t *clock)
{
    clock->begun = true;
    clock->has_counter = kernel_uses_counter();
    clock->first = xmpi_seconds_now();
    clock->first_ticks = read_counter();
}

void xmpi_clock_tune(void)
{
    xmpi_clock_t *clock = &xmpi_clock;
    if (!clock->begun)
        begin(clock);
    double now = xmpi_seconds_now(), before = xmpi_clock_wall();
    uint64_t ticks = read_counter();
    if (!clock->has_counter || now - clock->first < shortest_tuning || ticks <= clock->first_ticks)
        return;
    clock->seconds_per_tick = (now - clock->first) / (double)(ticks - clock->first_ticks);
    clock->base = before;
    clock->base_ticks = ticks;
}
