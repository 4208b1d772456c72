/* SPDX-License-Identifier: BSD-3-Clause
 * The model behind emulated speeds: how long a piece of work takes on which node. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "pace_model.h"

static int refuse(pace_why_t *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int refuse(pace_why_t *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return -1;
}

/* A number greater than 0 that ends at one of the characters ENDS or at the end of the text. */
static const char *take_positive(const char *text, const char *ends, double *number)
{
    char *end;
    *number = strtod(text, &end);
    int good = end != text && isfinite(*number) && *number > 0;
    return good && (*end == '\0' || strchr(ends, *end) != NULL) ? end : NULL;
}

/* The whole list is checked, also beyond the class that is looked for. */
int pace_speed(const char *speeds, const char *class, double *speed, pace_why_t *why)
{
    int found = 0;
    for (const char *at = speeds; at != NULL;) {
        double number;
        size_t length = strcspn(at, "=,");
        const char *end =
            length > 0 && at[length] == '=' ? take_positive(at + length + 1, ",", &number) : NULL;
        if (end == NULL)
            return refuse(why, "EMU_SPEEDS: expected CLASS=SPEED at \"%s\"", at);
        if (strlen(class) == length && memcmp(at, class, length) == 0) {
            *speed = number;
            found = 1;
        }
        at = *end == ',' ? end + 1 : NULL;
    }
    return found ? 0 : refuse(why, "EMU_SPEEDS has no speed for class %s: %s", class, speeds);
}

/* The field that ends at a colon, cut off from the line at AT: 0 when there is none. */
static int take_name(char **at, char name[PACE_NAME])
{
    size_t length = strcspn(*at, ":#\r\n");
    if (length == 0 || length >= PACE_NAME || (*at)[length] != ':')
        return 0;
    memcpy(name, *at, length);
    name[length] = '\0';
    *at += length + 1;
    return 1;
}

/* 1 when the line is about NODE and gives its speed, 0 when it is about none or another. */
static int read_line(char *line, const char *speeds, const char *node, double *speed,
                     pace_why_t *why)
{
    char name[PACE_NAME], class[PACE_NAME], *at = line + strspn(line, " \t");
    double found;
    if (!take_name(&at, name) || !take_name(&at, class))
        return 0;
    if (pace_speed(speeds, class, &found, why) != 0)
        return -1;
    if (strcmp(name, node) != 0)
        return 0;
    *speed = found;
    return 1;
}

/* --- files --------------------------------------------------------------------------------------
 *
 * Read by system calls: a library that watches the program would take what the C library reads for
 * I/O of the program's own. */

/* The text of a file, for free; NULL with errno set. */
static char *read_text(const char *path)
{
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room + 1);
    long file = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC), got = file < 0 ? -1 : 1;
    while (text != NULL && got > 0) {
        got = syscall(SYS_read, file, text + size, room - size);
        size += got > 0 ? (size_t)got : 0;
        if (size == room) {
            char *grown = realloc(text, (room *= 2) + 1);
            got = grown != NULL ? got : -1;
            text = grown != NULL ? grown : text;
        }
    }
    int error = errno;
    if (file >= 0)
        syscall(SYS_close, file);
    errno = error;
    if (text != NULL && got == 0) {
        text[size] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

/* The line at *AT, without its end, and *AT behind it; NULL at the end of the text. */
static char *next_line(char **at)
{
    char *line = *at, *end = strchr(line, '\n');
    if (*line == '\0')
        return NULL;
    *at = end != NULL ? end + 1 : strchr(line, '\0');
    if (end != NULL)
        *end = '\0';
    return line;
}

int pace_node(const char *machines, const char *speeds, const char *node, double *speed,
              pace_why_t *why)
{
    char *text = read_text(machines), *at = text, *line;
    int status = 0, found = 0;
    if (text == NULL)
        return refuse(why, "XMPI_MACHINES: %s: %s", machines, strerror(errno));
    while (status >= 0 && (line = next_line(&at)) != NULL) {
        status = read_line(line, speeds, node, speed, why);
        found += status > 0;
    }
    free(text);
    if (status < 0)
        return -1;
    return found ? 0 : refuse(why, "XMPI_NODE: node %s is not in %s", node, machines);
}

/* The value of a setting, NULL with WHY when there is none. */
static const char *setting(const char *name, pace_why_t *why)
{
    const char *value = getenv(name);
    if (value != NULL && *value != '\0')
        return value;
    refuse(why, "%s is not set", name);
    return NULL;
}

int pace_unit(double *seconds, pace_why_t *why)
{
    const char *speeds = setting("EMU_SPEEDS", why), *kappa = NULL, *machines = NULL, *node = NULL;
    double at_speed_1, speed;
    if (speeds == NULL || (kappa = setting("EMU_KAPPA", why)) == NULL ||
        (machines = setting(getenv("EMU_MACHINES") != NULL ? "EMU_MACHINES" : "XMPI_MACHINES",
                            why)) == NULL ||
        (node = setting("XMPI_NODE", why)) == NULL)
        return -1;
    if (take_positive(kappa, "", &at_speed_1) == NULL)
        return refuse(why, "EMU_KAPPA: expected seconds greater than 0, not \"%s\"", kappa);
    if (pace_node(machines, speeds, node, &speed, why) != 0)
        return -1;
    *seconds = at_speed_1 / speed;
    return 0;
}

/* --- the script ---------------------------------------------------------------------------------
 */

/* Whether a line that is due from WHEN on is due; -1 where that is no moment. */
static int is_due(const char *when, long kernels, double seconds)
{
    char *end;
    double number = strtod(when, &end);
    if (end == when || !isfinite(number) || number < 0 || end[0] == '\0' || end[1] != '\0')
        return -1;
    return *end == 'i' ? (double)kernels >= number : *end == 's' ? seconds >= number : -1;
}

/* Takes "speed=F" or "load=N" into STATE; -1 when it is neither. */
static int take_change(const char *word, pace_state_t *state)
{
    char *end = NULL;
    const char *value = strchr(word, '=');
    double number = value != NULL ? strtod(value + 1, &end) : -1;
    if (value == NULL || end == value + 1 || *end != '\0' || !isfinite(number) || number < 0)
        return -1;
    if (strncmp(word, "load=", 5) == 0)
        state->load = number;
    else if (strncmp(word, "speed=", 6) == 0 && number > 0)
        state->speed = number;
    else
        return -1;
    return 0;
}

/* Takes a line of the script into STATE if it is due and about NODE; -1 when it cannot be read. */
static int follow_line(char *line, const char *node, long kernels, double seconds,
                       pace_state_t *state)
{
    pace_state_t changed = {1, 0};
    char *rest;
    line[strcspn(line, "#\r\n")] = '\0';
    char *when = strtok_r(line, " \t", &rest), *who = strtok_r(NULL, " \t", &rest);
    int due = when != NULL ? is_due(when, kernels, seconds) : 0;
    if (when == NULL)
        return 0;
    if (who == NULL || due < 0)
        return -1;
    for (char *word = strtok_r(NULL, " \t", &rest); word != NULL;
         word = strtok_r(NULL, " \t", &rest))
        if (take_change(word, &changed) != 0)
            return -1;
    if (due && strcmp(who, node) == 0)
        *state = changed;
    return 0;
}

int pace_state(const char *script, const char *node, long kernels, double seconds,
               pace_state_t *state, pace_why_t *why)
{
    char *text = read_text(script), *at = text, *line;
    int number = 0, status = 0;
    *state = (pace_state_t){1, 0};
    if (text == NULL)
        return refuse(why, "EMU_SCRIPT: %s: %s", script, strerror(errno));
    while (status == 0 && (line = next_line(&at)) != NULL) {
        number++;
        status = follow_line(line, node, kernels, seconds, state);
    }
    free(text);
    if (status != 0)
        refuse(why,
               "EMU_SCRIPT: %s:%d: expected WHEN NODE [speed=FACTOR] [load=N], with WHEN like 120i "
               "or 3.5s",
               script, number);
    return status;
}

/* Seconds since the run began, 0 where nobody has said when. */
static double seconds_so_far(void)
{
    struct timespec now;
    const char *started = getenv("EMU_STARTED");
    timespec_get(&now, TIME_UTC);
    return started != NULL ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec - atof(started) : 0;
}

int pace_time(double units, long kernel, pace_time_t *time, pace_why_t *why)
{
    pace_state_t state = {1, 0};
    double seconds;
    const char *script = getenv("EMU_SCRIPT");
    if (pace_unit(&seconds, why) != 0 ||
        (script != NULL &&
         pace_state(script, getenv("XMPI_NODE"), kernel, seconds_so_far(), &state, why) != 0))
        return -1;
    time->cpu = units * seconds / state.speed;
    time->wall = time->cpu * (1 + state.load);
    return 0;
}
