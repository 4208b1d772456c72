/* SPDX-License-Identifier: BSD-3-Clause
 * Control groups. */
#define _GNU_SOURCE
#include "act/machine/cgroup.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_ROOM = 2048 };

int64_t xmpi_cgroup_number(const char *folder, const char *name, const char *word, int64_t fallback)
{
    char path[PATH_ROOM], line[256];
    int64_t value = fallback, found;
    size_t length = strlen(word);
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return fallback;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return fallback;
    while (value == fallback && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, word, length) == 0 && sscanf(line + length, "%" SCNd64, &found) == 1)
            value = found;
    fclose(file);
    return value;
}

static bool lists(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || at[-1] == ',') && (at[length] == '\0' || at[length] == ','))
            return true;
    return false;
}

/* The group for CONTROLLER (of version 1; "": of version 2) in lines of ID:CONTROLLERS:PATH. */
static bool find_group(const char *groups, const char *controller, char path[PATH_ROOM])
{
    char names[256];
    for (const char *line = groups; *line != '\0'; line += strcspn(line, "\n") + 1) {
        const char *first = strchr(line, ':'), *second = first ? strchr(first + 1, ':') : NULL;
        if (second == NULL)
            return false;
        snprintf(names, sizeof names, "%.*s", (int)(second - first - 1), first + 1);
        if (controller[0] == '\0' ? names[0] == '\0' : lists(names, controller)) {
            snprintf(path, PATH_ROOM, "%.*s", (int)strcspn(second + 1, "\n"), second + 1);
            return true;
        }
        if (line[strcspn(line, "\n")] == '\0')
            break;
    }
    return false;
}

/* Where the hierarchy of CONTROLLER is mounted, and what of it: lines of ID PARENT DEVICE ROOT
 * POINT OPTIONS ... - TYPE SOURCE OPTIONS. */
static bool find_mount(const char *mounts, const char *controller, char top[PATH_ROOM],
                       char point[PATH_ROOM])
{
    char type[64], options[512];
    for (const char *line = mounts; *line != '\0'; line += strcspn(line, "\n") + 1) {
        const char *behind = strstr(line, " - ");
        bool read = behind != NULL && sscanf(line, "%*d %*d %*s %2047s %2047s", top, point) == 2 &&
                    sscanf(behind, " - %63s %*s %511s", type, options) == 2;
        if (read &&
            (controller[0] == '\0' ? strcmp(type, "cgroup2") == 0
                                   : strcmp(type, "cgroup") == 0 && lists(options, controller)))
            return true;
        if (line[strcspn(line, "\n")] == '\0')
            break;
    }
    return false;
}

/* Goes up from the group to what is mounted. */
static int64_t least_above(const char *root, const char *point, const char *top, const char *group,
                           xmpi_cgroup_left_t *left, char *where, int size)
{
    char folder[PATH_ROOM];
    int64_t least = INT64_MAX;
    size_t skipped =
        strcmp(top, "/") != 0 && strncmp(group, top, strlen(top)) == 0 ? strlen(top) : 0;
    size_t base = (size_t)snprintf(folder, sizeof folder, "%s%s", root, point);
    if (base + strlen(group + skipped) >= sizeof folder)
        return least;
    strcpy(folder + base, group + skipped);
    for (char *end = folder + strlen(folder);; *end = '\0') {
        int64_t here = left(folder);
        if (here < least)
            snprintf(where, (size_t)size, "%s", folder);
        least = here < least ? here : least;
        end = strrchr(folder + base, '/');
        if (end == NULL)
            return least;
    }
}

int64_t xmpi_cgroup_least_of(const char *groups, const char *mounts, const char *root,
                             const char *controller, xmpi_cgroup_left_t *left, char *where,
                             int size)
{
    char group[PATH_ROOM], top[PATH_ROOM], point[PATH_ROOM];
    const char *versions[2] = {controller, ""};
    int64_t least = INT64_MAX;
    for (int i = 0; i < 2; i++) {
        char at[PATH_ROOM] = "";
        if (!find_group(groups, versions[i], group) || !find_mount(mounts, versions[i], top, point))
            continue;
        int64_t found = least_above(root, point, top, group, left, at, sizeof at);
        if (found < least)
            snprintf(where, (size_t)size, "%s", at);
        least = found < least ? found : least;
    }
    return least;
}

/* A file of /proc; malloc, or NULL. */
static char *read_all(const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = fopen(path, "re");
    if (file == NULL || getdelim(&text, &length, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    if (file != NULL)
        fclose(file);
    return text;
}

int64_t xmpi_cgroup_least(const char *controller, xmpi_cgroup_left_t *left, char *where, int size)
{
    char *groups = read_all("/proc/self/cgroup"), *mounts = read_all("/proc/self/mountinfo");
    int64_t least = INT64_MAX;
    if (groups != NULL && mounts != NULL)
        least = xmpi_cgroup_least_of(groups, mounts, "", controller, left, where, size);
    free(groups);
    free(mounts);
    return least;
}
