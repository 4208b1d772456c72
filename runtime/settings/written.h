/* SPDX-License-Identifier: BSD-3-Clause
 * What settings name to be written: files and folders that are made while the program runs. */
#ifndef XMPI_SETTINGS_WRITTEN_H
#define XMPI_SETTINGS_WRITTEN_H

#include <stdio.h>

#include "settings/settings.h"

/* Writes a line to FILE for each setting that names something in a folder that is not here. It is
 * needed hours later perhaps, and is no error yet: the program may make the folder. */
void xmpi_written_warn(const xmpi_settings_t *settings, FILE *file);

#endif
