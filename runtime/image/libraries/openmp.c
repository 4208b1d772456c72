/* SPDX-License-Identifier: BSD-3-Clause
 * What the program has told OpenMP: how many threads a region has decides what comes of its sums,
 * and how long tables are that have a row for each. Where the program goes there may be more
 * processors, and nobody has told the library anything yet. */
#define _GNU_SOURCE
#include "image/libraries/openmp.h"

#include <stddef.h>
#include <unistd.h>

#include "image/libraries/libraries.h"
#include "image/memory/native.h"

typedef int (*ask_t)(void);
typedef void (*tell_t)(int);
typedef void (*ask_schedule_t)(int *kind, int *chunk);
typedef void (*tell_schedule_t)(int kind, int chunk);

enum { SETTINGS = 5 };

static const struct {
    const char *ask, *tell;
} setting[SETTINGS] = {{"omp_get_max_threads", "omp_set_num_threads"},
                       {"omp_get_dynamic", "omp_set_dynamic"},
                       {"omp_get_max_active_levels", "omp_set_max_active_levels"},
                       {"omp_get_max_teams", "omp_set_num_teams"},
                       {"omp_get_teams_thread_limit", "omp_set_teams_thread_limit"}};

static struct {
    bool known[SETTINGS], schedule;
    int value[SETTINGS], kind, chunk;
} told;

/* (A program without OpenMP has none of these functions.) */
void xmpi_openmp_pack(void)
{
    for (int i = 0; i < SETTINGS; i++) {
        ask_t ask = (ask_t)xmpi_libraries_find(setting[i].ask);
        told.known[i] = ask != NULL;
        told.value[i] = ask != NULL ? ask() : 0;
    }
    ask_schedule_t ask = (ask_schedule_t)xmpi_libraries_find("omp_get_schedule");
    told.schedule = ask != NULL;
    if (ask != NULL)
        ask(&told.kind, &told.chunk);
}

void xmpi_openmp_unpack(void)
{
    for (int i = 0; i < SETTINGS; i++) {
        ask_t ask = (ask_t)xmpi_libraries_find(setting[i].ask);
        tell_t tell = (tell_t)xmpi_libraries_find(setting[i].tell);
        if (told.known[i] && ask != NULL && tell != NULL && ask() != told.value[i])
            tell(told.value[i]);
    }
    tell_schedule_t tell = (tell_schedule_t)xmpi_libraries_find("omp_set_schedule");
    if (told.schedule && tell != NULL)
        tell(told.kind, told.chunk);
}

/* (It is asked at every point.) */
bool xmpi_openmp_in_region(void)
{
    XMPI_NATIVE static ask_t level;
    XMPI_NATIVE static bool known;
    if (!known)
        level = (ask_t)xmpi_libraries_find("omp_get_level");
    known = true;
    return level != NULL && level() > 0;
}

bool xmpi_openmp_in_other_thread(void)
{
    return xmpi_openmp_in_region() && gettid() != getpid();
}
