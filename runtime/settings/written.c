/* SPDX-License-Identifier: BSD-3-Clause
 * What settings name to be written. */
#include "settings/written.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

/* Leaves the folder in which the last part of PATH is; ends in a slash where it is the root. */
static void cut_to_folder(char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    while (length > 0 && path[length - 1] != '/')
        length--;
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (length == 0)
        strcpy(path, ".");
    else
        path[length] = '\0';
}

static void look(const xmpi_settings_t *settings, const char *setting, const char *name, FILE *file)
{
    char folder[XMPI_PATH_MAX];
    struct stat there;
    if (name[0] == '\0')
        return;
    xmpi_settings_path(settings, name, folder);
    cut_to_folder(folder);
    if (stat(folder, &there) != 0 || !S_ISDIR(there.st_mode))
        fprintf(file, "xmpi: warning: %s=%s: there is no folder %s at the start\n", setting, name,
                folder);
}

/* The trace is opened at once. */
void xmpi_written_warn(const xmpi_settings_t *settings, FILE *file)
{
    bool names_socket =
        strcmp(settings->control, "on") != 0 && strcmp(settings->control, "off") != 0;
    look(settings, "XMPI_CONTROL", names_socket ? settings->control : "", file);
    look(settings, "XMPI_JOBS", settings->jobs, file);
    look(settings, "XMPI_CHECKPOINT", settings->checkpoint, file);
    look(settings, "XMPI_RECORD", settings->record, file);
    look(settings, "XMPI_OOC_DIR", settings->ooc_dir, file);
}
