/* SPDX-License-Identifier: BSD-3-Clause
 * The way of a command with rewritten sources. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "driver/rewriting/assemble.h"
#include "compile.h"
#include "depfile.h"
#include "driver/linking/examine.h"
#include "driver/linking/join.h"
#include "driver/linking/record.h"
#include "driver/base/message.h"
#include "driver/rewriting/rewrite.h"
#include "driver/rewriting/show.h"
#include "driver/rewriting/verbose.h"

static int run_mpicc(driver_t *driver, const words_t *command)
{
    show_verbose(driver, command);
    int status = run(&driver->runner, command, (streams_t){.out = -1, .err = -1});
    if (status == RUN_NOT_STARTED)
        return complain("cannot run %s: %s", command->items[0], strerror(errno));
    if (driver->runner.caught == 0)
        driver->runner.caught = driver->runner.killed_by;
    return status;
}

/* Like gcc, goes on with the other sources when one fails, but does not link. */
static int run_all(driver_t *driver, const commands_t *commands)
{
    int status = 0;
    for (size_t i = 0; i < commands->count && driver->runner.caught == 0; i++) {
        if (status != 0 && commands->links && i + 1 == commands->count)
            break;
        int one = run_mpicc(driver, &commands->items[i]);
        status = status != 0 ? status : one;
    }
    return status;
}

/* What is linked by -r is another object, which tells of all its sources. */
static bool links_object(const invocation_t *invocation)
{
    for (size_t i = 0; i < invocation->word_count; i++)
        if (strcmp(invocation->words[i].text, "-r") == 0)
            return true;
    return false;
}

static bool links_open(const invocation_t *invocation)
{
    bool open = invocation->library_open;
    for (size_t i = 0; i < invocation->input_count; i++)
        open = open || invocation->inputs[i].open || invocation->inputs[i].pending != NULL;
    return open;
}

/* Looks into the program that has been linked, and at its files as one. */
static int look_again(driver_t *driver)
{
    const char *output = driver->invocation.output, *complaint;
    int status = examine_program(driver, output != NULL ? output : "a.out", &complaint);
    if (status == 0 && (links_open(&driver->invocation) || (driver->joins && *complaint != '\0')))
        status = join_linked(driver, &complaint);
    fputs(complaint, stderr);
    return status;
}

/* COMMAND_STATUS is that of what has compiled or linked. */
static int finish(driver_t *driver, int command_status)
{
    if (command_status != 0 || driver->runner.caught != 0)
        return command_status;
    record_objects(driver);
    const invocation_t *invocation = &driver->invocation;
    return invocation->goal == GOAL_LINK && !links_object(invocation) ? look_again(driver) : 0;
}

int compile_rewritten(driver_t *driver)
{
    const invocation_t *invocation = &driver->invocation;
    bool real = !invocation->show && !driver->settings.dry_run;
    int status = workspace_make(&driver->workspace, driver->memory, invocation->input_count, real);
    if (status != 0)
        return status;
    if (!real)
        return show_commands(driver);
    status = rewrite_all(driver);
    if (status != 0 || driver->runner.caught != 0)
        return status;
    commands_t commands = assemble_rewritten(driver);
    status = run_all(driver, &commands);
    status = finish(driver, status);
    int corrected = depfile_correct_all(driver);
    return status != 0 ? status : corrected;
}

int compile_untouched(driver_t *driver, const words_t *command)
{
    return finish(driver, run_mpicc(driver, command));
}
