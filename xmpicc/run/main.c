/* SPDX-License-Identifier: BSD-3-Clause
 * xmpirun: mpiexec, with XMPI's settings as options, a live status and a summary; and a
 * test of the program. */
#define _GNU_SOURCE
#include <unistd.h>

#include "run/check/check.h"
#include "run/job/launch.h"
#include "run/job/line.h"
#include "run/job/live.h"
#include "run/job/options.h"
#include "tool/tool.h"

int main(int argc, char **argv)
{
    options_t options;
    launch_t launched;
    course_t course;
    options_read(argc, argv, &options);
    if (options.check > 0)
        return check(&options);
    bool show = !options.quiet && isatty(STDERR_FILENO);
    int signals = live_open_signals();
    int status = launch(&options, show, &launched);
    if (status != TOOL_OK)
        return status;
    status = live_wait(&launched, signals, !options.quiet, show, &course);
    if (!options.quiet && (status == 0 || course.reached))
        summary_print(&course);
    live_free(&course);
    launch_clean(&launched);
    return status;
}
