/* SPDX-License-Identifier: BSD-3-Clause
 * Questions that mpicc answers on itself, answered for xmpicc. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "inform.h"
#include "driver/base/message.h"

/* Build systems look for -I, not for -isystem. */
static words_t our_flags(const driver_t *driver, bool compile, bool link)
{
    words_t flags = words_new(driver->memory);
    if (compile)
        install_add_include(&driver->install, "-I", &flags);
    if (link)
        install_add_runtime(&driver->install, RUNTIME_SHARED, &flags);
    return flags;
}

static words_t ask(const driver_t *driver, const words_t *flags)
{
    words_t command = words_new(driver->memory);
    words_add(&command, driver->install.mpicc);
    words_append(&command, &driver->invocation.given);
    words_append(&command, flags);
    return command;
}

/* Some releases print their command with the arguments, others only flags of their own. */
int inform_flags(driver_t *driver)
{
    bool compile = driver->invocation.information->role == ROLE_COMPILE_INFORMATION;
    words_t flags = our_flags(driver, compile, !compile);
    words_t command = ask(driver, &flags);
    const char *line = run_capture(&driver->runner, &command);
    if (line == NULL)
        return complain("%s does not know %s", driver->install.mpicc,
                        driver->invocation.information->name);
    const char *ours = words_quote(&flags);
    if (strstr(line, ours) != NULL)
        fputs(line, stdout);
    else
        printf("%s %s", ours, line);
    return 0;
}

int inform_show(driver_t *driver)
{
    words_t flags = our_flags(driver, true, driver->invocation.goal == GOAL_LINK);
    words_t command = ask(driver, &flags);
    if (!driver->invocation.show)
        words_add(&command, "-show");
    return run_instead(&driver->runner, &command);
}

int inform_version(const driver_t *driver)
{
    const flavor_t *flavor = driver->settings.flavor;
    printf("%s " XMPI_VERSION "\n%s: %s\n", flavor->command, flavor->stands, driver->install.mpicc);
    return 0;
}
