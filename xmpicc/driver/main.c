/* SPDX-License-Identifier: BSD-3-Clause
 * xmpicc: compiles and links as mpicc does, and has sources with #pragma xmpi rewritten on the way.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/rewriting/assemble.h"
#include "commands.h"
#include "compile.h"
#include "driver/command/driver.h"
#include "driver/base/file.h"
#include "driver/linking/record.h"
#include "inform.h"
#include "inputs.h"
#include "driver/base/message.h"

/* mpicc calling xmpicc calling mpicc … would not end; MPICH would only say that it is so. */
static int refuse_recursion(const driver_t *driver)
{
    const invocation_t *invocation = &driver->invocation;
    const flavor_t *flavor = driver->settings.flavor;
    const char *check = getenv("MPICH_RECURSION_CHECK");
    const char *compiler = getenv(flavor->compiler);
    const size_t length = strlen(flavor->option);
    bool recursive = (check != NULL && *check != '\0') ||
                     (compiler != NULL && strcmp(path_base(compiler), flavor->command) == 0);
    for (size_t i = 0; i < invocation->word_count && !recursive; i++)
        recursive = strncmp(invocation->words[i].text, flavor->option, length) == 0 &&
                    strcmp(path_base(invocation->words[i].text + length), flavor->command) == 0;
    if (!recursive)
        return 0;
    return complain(
        "%s is told to use %s as its %s compiler (%s or %s): call %s in %s's place, and "
        "name the %s compiler there",
        flavor->stands, flavor->command, flavor->language, flavor->compiler, flavor->option,
        flavor->command, flavor->stands, flavor->language);
}

/* gcc refuses -o with -c and several sources before it does anything. */
static bool compiler_refuses(const invocation_t *invocation)
{
    return invocation->goal == GOAL_COMPILE && invocation->output != NULL &&
           invocation->input_count > 1;
}

/* Headers of the user's may include <xmpi.h> though the source does not say so. */
static void let_headers_be_found(const driver_t *driver)
{
    static const char *const lists[] = {"C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"};
    for (size_t i = 0; i < 2 && !driver->install.standard; i++) {
        const char *before = getenv(lists[i]);
        setenv(lists[i],
               memory_format(driver->memory, "%s%s%s/include", before != NULL ? before : "",
                             before != NULL && *before != '\0' ? ":" : "", driver->install.prefix),
               1);
    }
}

/* After the command: objects get their records, and programs are looked into. */
static bool has_more_to_do(const driver_t *driver)
{
    const invocation_t *invocation = &driver->invocation;
    bool more = assemble_links_reliance(driver) || invocation->library_open;
    for (size_t i = 0; i < invocation->input_count; i++)
        more = more || (invocation->inputs[i].open && invocation->goal == GOAL_LINK) ||
               (driver->joins && invocation->goal == GOAL_COMPILE &&
                invocation->inputs[i].language == LANGUAGE_C);
    return more;
}

static int be_mpicc(driver_t *driver)
{
    words_t command = assemble_untouched(driver);
    let_headers_be_found(driver);
    if (has_more_to_do(driver) && !driver->invocation.show && !driver->settings.dry_run)
        return compile_untouched(driver, &command);
    if (driver->settings.verbose)
        fprintf(stderr, "%s\n", words_quote(&command));
    return run_instead(&driver->runner, &command);
}

static int be_mpicc_exactly(driver_t *driver)
{
    words_t command = words_new(driver->memory);
    words_add(&command, driver->install.mpicc);
    words_append(&command, &driver->invocation.given);
    return run_instead(&driver->runner, &command);
}

static int compile(driver_t *driver)
{
    size_t rewritten;
    driver->joins = record_wanted(driver);
    driver->alone = record_prevented(driver);
    int status = inputs_look_into(driver, &rewritten);
    runner_start(&driver->runner); /* not before: reading standard input may be interrupted */
    if (status == 0 && assemble_links_runtime(driver))
        status = install_check_runtime(&driver->install, driver->memory);
    if (status == 0 && driver->settings.commands != NULL &&
        driver->invocation.goal < GOAL_PREPROCESS)
        status = commands_record(driver);
    if (status != 0)
        return status;
    if (rewritten == 0 || compiler_refuses(&driver->invocation))
        return be_mpicc(driver);
    return compile_rewritten(driver);
}

static int drive(driver_t *driver)
{
    const invocation_t *invocation = &driver->invocation;
    const settings_t *settings = &driver->settings;
    int status = refuse_recursion(driver);
    if (status == 0)
        status = install_find(&driver->install, settings, driver->memory);
    if (status != 0)
        return status;
    if (settings->version)
        return inform_version(driver);
    if (settings->off || invocation->incomplete || invocation->goal == GOAL_INFORM)
        return be_mpicc_exactly(driver);
    if (invocation->information != NULL) {
        runner_start(&driver->runner);
        return inform_flags(driver);
    }
    if (invocation->input_count == 0 && (invocation->show || !parse_links(invocation)))
        return invocation->show || settings->dry_run ? inform_show(driver)
                                                     : be_mpicc_exactly(driver);
    return compile(driver);
}

static bool asks_for_help(const driver_t *driver, int argc, char *const *argv)
{
    return driver->settings.help || (argc == 2 && strcmp(argv[1], "--help") == 0);
}

int main(int argc, char **argv)
{
    memory_t memory = {0};
    driver_t driver = {.memory = &memory};
    driver.settings.flavor = flavor_of(argv[0]);
    message_name(driver.settings.flavor->command);
    int status = settings_from_environment(&driver.settings, &memory);
    if (status == 0)
        status = parse(&driver.invocation, &driver.settings, &memory, argc, argv);
    if (status != 0)
        status = 2; /* as all commands end that are used wrongly */
    if (status == 0 && asks_for_help(&driver, argc, argv)) {
        settings_help(driver.settings.flavor);
    } else if (status == 0) {
        status = drive(&driver);
        workspace_remove(&driver.workspace);
        runner_end(&driver.runner);
    }
    memory_release(&memory);
    return status;
}
