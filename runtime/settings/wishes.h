/* SPDX-License-Identifier: BSD-3-Clause
 * What the settings say that the leader is to go by. */
#ifndef XMPI_SETTINGS_WISHES_H
#define XMPI_SETTINGS_WISHES_H

#include "decide/leader/leader.h"
#include "settings/settings.h"

/* INTERVAL: iterations of a sampling interval, 0: as the leader finds good. SCHEDULE is only
 * pointed to. BACKGROUND: whether the way in which data move lets the program go on meanwhile. */
xmpi_wishes_t xmpi_wishes(const xmpi_settings_t *settings, const xmpi_schedule_t *schedule,
                          int64_t interval, bool background, bool leaves_nodes);

#endif
