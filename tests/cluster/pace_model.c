/* SPDX-License-Identifier: BSD-3-Clause
 * The model behind emulated speeds: how long a piece of work takes on which node. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int pace_node(const char *machines, const char *speeds, const char *node, double *speed,
              pace_why_t *why)
{
    FILE *file = fopen(machines, "r");
    char *line = NULL;
    size_t capacity = 0;
    int status = 0, found = 0;
    if (file == NULL)
        return refuse(why, "XMPI_MACHINES: %s: %s", machines, strerror(errno));
    while (status >= 0 && getline(&line, &capacity, file) >= 0) {
        status = read_line(line, speeds, node, speed, why);
        found += status > 0;
    }
    free(line);
    fclose(file);
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
