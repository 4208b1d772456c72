/* SPDX-License-Identifier: BSD-3-Clause
 * xmpirun: mpiexec, with XMPI's settings as options, a live status and a summary; and a
 * test of the program. */
#define _GNU_SOURCE
#include <unistd.h>

#include "run/check/check.h"
#include "run/job/again.h"
#include "run/job/family.h"
#include "run/job/launch.h"
#include "run/job/line.h"
#include "run/job/live.h"
#include "run/job/options.h"
#include "tool/tool.h"

/* Where mpiexec has ended the job, or was ended itself, it may have lost sight of processes: of
 * proxies that it was starting then, and of what these had started. The next start of the job, and
 * the machine, are to be without them. */
static void end_what_is_left(int status, const course_t *course)
{
    bool well = status == 0 && !course->lost && !course->stopped;
    family_end(well ? FAMILY_PROXIES : FAMILY_ALL);
}

/* From the start of mpiexec to its end. WATCH: the job is asked how far it is. */
static int run(const options_t *options, bool watch, bool show, course_t *course)
{
    launch_t launched;
    int signals = live_open_signals();
    *course = (course_t){0};
    int status = launch(options, &launched);
    if (status != TOOL_OK) {
        close(signals);
        course->stopped = true;
        return status;
    }
    status = live_wait(&launched, signals, watch, show, course);
    end_what_is_left(status, course);
    launch_clean(&launched);
    return status;
}

int main(int argc, char **argv)
{
    options_t options;
    course_t course;
    again_t again = {0};
    int status;
    options_read(argc, argv, &options);
    if (options.check > 0)
        return check(&options);
    family_adopt();
    bool show = !options.quiet && isatty(STDERR_FILENO);
    for (;;) {
        bool can = again_prepare(&options);
        status = run(&options, can || !options.quiet, show, &course);
        if (!can || !again_wanted(&options, status, &course, &again))
            break;
        live_free(&course);
    }
    status = again_status(&options, status, &course);
    again_tell_loss(&course);
    if (!options.quiet && !(course.stopped && course.loops == NULL) &&
        (status == 0 || course.reached))
        summary_print(&course);
    live_free(&course);
    return status;
}
