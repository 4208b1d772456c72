/* SPDX-License-Identifier: BSD-3-Clause
 * What the measuring programs share: running commands, medians, figures and traces. A header, as
 * each of them is a program of one file. */
#ifndef XMPI_BENCH_MEASURE_H
#define XMPI_BENCH_MEASURE_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "support/command.h"

/* Ends the program with one line. */
static inline void measure_fail(const char *format, ...)
    __attribute__((format(printf, 1, 2), noreturn));

static inline void measure_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("bench: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

/* A text made with printf arguments, malloc. */
static inline char *measure_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline char *measure_text(const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        measure_fail("there is not enough memory");
    va_end(arguments);
    return text;
}

/* --- a folder for the files of a measurement, and commands in it --------------------------------
 */

/* Settings of the user's would make it another measurement. */
static inline void measure_forget_settings(void)
{
    for (char **entry = environ; *entry != NULL;) {
        char *name = measure_text("%.*s", (int)strcspn(*entry, "="), *entry);
        int ours = strncmp(name, "XMPI_", 5) == 0 && strcmp(name, "XMPI_BUILD") != 0 &&
                   strcmp(name, "XMPI_SOURCE") != 0;
        if (ours)
            unsetenv(name);
        entry = ours ? environ : entry + 1;
        free(name);
    }
}

/* An empty folder in the build folder, malloc; what was measured there can be looked at later. */
static inline char *measure_begin(const char *name)
{
    char *dir = measure_text("%s/bench/%s", build_dir(), name);
    measure_forget_settings();
    command_t made = command_shell(NULL, 60, "rm -rf '%s' && mkdir -p '%s'", dir, dir);
    if (made.status != 0)
        measure_fail("%s cannot be made: %s", dir, made.err);
    command_free(&made);
    return dir;
}

/* GIB of memory, as far as there are as many free, of which each page was used; LARGE: in large
 * pages, which the host may take back within seconds when they are free again. BYTES: how much. */
static inline char *measure_get_pages(long gib, int large, size_t *bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), gibibyte = (size_t)1 << 30;
    size_t free_bytes = (size_t)sysconf(_SC_AVPHYS_PAGES) * page;
    *bytes = (size_t)gib * gibibyte;
    *bytes = *bytes < free_bytes - free_bytes / 4 ? *bytes : free_bytes - free_bytes / 4;
    char *memory = mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        measure_fail("there is not enough memory");
    if (large)
        madvise(memory, *bytes, MADV_HUGEPAGE);
    for (size_t at = 0; at < *bytes; at += page)
        memory[at] = 1;
    return memory;
}

/* Uses GIB of memory once, for what is measured not to be what a virtual machine takes to give its
 * memory for the first time: seven times as long as to take it again. */
static inline void measure_use_pages(long gib, int large)
{
    size_t bytes;
    char *memory = measure_get_pages(gib, large, &bytes);
    munmap(memory, bytes);
}

static inline void measure_use_memory(long gib)
{
    measure_use_pages(gib, 0);
}

/* What LINE (freed) prints in folder DIR, malloc. */
static inline char *measure_run(const char *dir, int seconds, char *line)
{
    command_t command = command_shell(dir, seconds, "%s", line);
    if (command.status == 124)
        measure_fail("not done in %d seconds: %s\n%s%s", seconds, line, command.out, command.err);
    if (command.status != 0)
        measure_fail("exit status %d: %s\n%s%s", command.status, line, command.out, command.err);
    free(command.err);
    free(line);
    return command.out;
}

/* What is put before the commands of an emulated cluster: its nodes have processors of their own,
 * which other work of this machine takes nothing of. As far as one may: real-time, else nothing. */
static inline const char *measure_priority(void)
{
    static const char *found;
    if (found == NULL) {
        command_t tried = command_shell(NULL, 10, "chrt -r 1 true");
        found = tried.status == 0 ? "chrt -r 1" : geteuid() == 0 ? "nice -n -15" : "";
        command_free(&tried);
    }
    return found;
}

static inline void measure_write(const char *dir, const char *name, const char *text)
{
    char *path = measure_text("%s/%s", dir, name);
    write_file(path, text);
    free(path);
}

static inline double measure_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- figures -------------------------------------------------------------------------------------
 */

/* Repeated measurements of one quantity. */
typedef struct {
    int n;
    double *value; /* malloc */
} series_t;

static inline void series_add(series_t *series, double value)
{
    double *grown = realloc(series->value, (size_t)(series->n + 1) * sizeof *grown);
    if (grown == NULL)
        measure_fail("there is not enough memory");
    series->value = grown;
    series->value[series->n++] = value;
}

static inline int series_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double series_median(const series_t *series)
{
    int n = series->n;
    if (n == 0)
        measure_fail("nothing has been measured");
    qsort(series->value, (size_t)n, sizeof *series->value, series_compare);
    return n % 2 == 1 ? series->value[n / 2]
                      : (series->value[n / 2 - 1] + series->value[n / 2]) / 2;
}

static inline void series_free(series_t *series)
{
    free(series->value);
    *series = (series_t){0, NULL};
}

/* The standard error of the median, from the median distance to it: outliers count little. */
static inline double series_error(const series_t *series)
{
    series_t distance = {0};
    double median = series_median(series);
    for (int i = 0; i < series->n; i++)
        series_add(&distance, fabs(series->value[i] - median));
    double error = 1.2533 * 1.4826 * series_median(&distance) / sqrt(series->n);
    series_free(&distance);
    return error;
}

/* Adds the number behind NAME in every line of OUTPUT that begins with it; how many there are. */
static inline int series_add_lines(series_t *series, const char *output, const char *name)
{
    int found = 0;
    size_t length = strlen(name);
    while (*output != '\0') {
        double value;
        size_t end = strcspn(output, "\n");
        if (strncmp(output, name, length) == 0 && sscanf(output + length, " %lf", &value) == 1) {
            series_add(series, value);
            found++;
        }
        output += end + (output[end] == '\n');
    }
    return found;
}

static inline void measure_figure(const char *name, double value, const char *unit)
{
    if (!isfinite(value))
        measure_fail("%s: this is no number", name);
    printf("figure\t%s\t%.4g\t%s\n", name, value, unit);
    fflush(stdout);
}

/* --- traces --------------------------------------------------------------------------------------
 */

/* The events of a trace in their order: a JSON array. Free with cJSON_Delete. */
static inline cJSON *trace_events(const char *dir, const char *name)
{
    char *path = measure_text("%s/%s", dir, name), *text = read_file(path, NULL), *rest = NULL;
    cJSON *events = cJSON_CreateArray();
    if (text == NULL)
        measure_fail("%s: the run has not written its trace", path);
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        cJSON *event = cJSON_Parse(line);
        if (event == NULL)
            measure_fail("%s: this is no event: %s", path, line);
        cJSON_AddItemToArray(events, event);
    }
    free(text);
    free(path);
    return events;
}

static inline double trace_number(const cJSON *event, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(event, name);
    if (!cJSON_IsNumber(item))
        measure_fail("an event of the trace has no number \"%s\"", name);
    return item->valuedouble;
}

static inline int trace_is(const cJSON *event, const char *name, const char *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(event, name);
    return cJSON_IsString(item) && strcmp(item->valuestring, value) == 0;
}

/* A reconfiguration that was carried out. */
static inline int trace_is_done(const cJSON *event)
{
    return trace_is(event, "event", "reconfiguration") && trace_is(event, "outcome", "done");
}

#endif
