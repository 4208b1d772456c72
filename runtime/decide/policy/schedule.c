/* SPDX-License-Identifier: BSD-3-Clause
 * Schedule: what the user has said to happen. */
#include "decide/policy/schedule.h"

#include <stdlib.h>
#include <string.h>

void xmpi_schedule_free(xmpi_schedule_t *schedule)
{
    free(schedule->action);
    free(schedule->appointment);
    free(schedule->share);
    memset(schedule, 0, sizeof *schedule);
}
