/* SPDX-License-Identifier: BSD-3-Clause
 * The driver's own options (all begin with --xmpi-) and the environment that stands for them. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/base/message.h"
#include "driver/arguments/settings.h"

typedef enum { VALUE_NONE, VALUE_OPTIONAL, VALUE_NEEDED } value_t;

typedef struct {
    const char *name;
    value_t value;
    size_t flag;        /* the bool it sets when it has no value */
    size_t text;        /* the text it sets when it has one */
    const char *preset; /* the text it sets without a value; NULL: it sets the bool */
    const char *shown;  /* how the help writes it */
    const char *help;
} own_option_t;

#define NOWHERE ((size_t)-1)
#define FLAG(field) offsetof(settings_t, field)

static const own_option_t own_options[] = {
    {"--xmpi-apart", VALUE_NONE, FLAG(apart), NOWHERE, NULL, "--xmpi-apart",
     "look at each file alone, also where a loop calls functions of others"},
    {"--xmpi-commands", VALUE_NEEDED, NOWHERE, FLAG(commands), NULL, "--xmpi-commands=FILE",
     "add what is compiled to FILE (a compile_commands.json) with mpicc's flags spelt out"},
    {"--xmpi-divisible", VALUE_NONE, FLAG(divisible), NOWHERE, NULL, "--xmpi-divisible",
     "a loop that cannot be divided is an error, as with '#pragma xmpi loop divisible'"},
    {"--xmpi-dry-run", VALUE_NONE, FLAG(dry_run), NOWHERE, NULL, "--xmpi-dry-run",
     "print the commands and run nothing; the same as -show"},
    {"--xmpi-fallback", VALUE_NONE, FLAG(fallback), NOWHERE, NULL, "--xmpi-fallback",
     "compile what cannot be rewritten as it is, with a warning"},
    {"--xmpi-help", VALUE_NONE, FLAG(help), NOWHERE, NULL, "--xmpi-help", "this list"},
    {"--xmpi-keep", VALUE_OPTIONAL, NOWHERE, FLAG(keep), ".", "--xmpi-keep[=FOLDER]",
     "keep the rewritten source, to be read, as NAME.xmpi.c, here or in FOLDER; debug "
     "information and messages name it"},
    {"--xmpi-link-only", VALUE_NONE, FLAG(link_only), NOWHERE, NULL, "--xmpi-link-only",
     "rewrite nothing, only link the runtime"},
    {"--xmpi-link-shared", VALUE_NONE, FLAG(link_shared), NOWHERE, NULL, "--xmpi-link-shared",
     "link the runtime with -shared and -r as well"},
    {"--xmpi-mpicc", VALUE_NEEDED, NOWHERE, FLAG(mpicc), NULL, "--xmpi-mpicc=MPICC",
     "the mpicc to use, or the mpicxx, mpifort (or XMPI_MPICC, XMPI_MPICXX, XMPI_MPIFORT; else "
     "the one beside xmpicc, else the first in PATH)"},
    {"--xmpi-off", VALUE_NONE, FLAG(off), NOWHERE, NULL, "--xmpi-off",
     "be mpicc: nothing is rewritten, no runtime is linked (or XMPICC=off)"},
    {"--xmpi-replaced", VALUE_NEEDED, NOWHERE, FLAG(replaced), NULL, "--xmpi-replaced=FUNCTION,...",
     "your word that what is linked in place of these (--wrap, ifunc) keeps nothing that "
     "iterations "
     "depend on"},
    {"--xmpi-report", VALUE_OPTIONAL, FLAG(report), FLAG(report_file), NULL, "--xmpi-report[=FILE]",
     "say what was found in the source, or write it to FILE as JSON"},
    {"--xmpi-verbose", VALUE_NONE, FLAG(verbose), NOWHERE, NULL, "--xmpi-verbose",
     "print each command before it is run"},
    {"--xmpi-version", VALUE_NONE, FLAG(version), NOWHERE, NULL, "--xmpi-version",
     "print the version"},
};

static const size_t own_count = sizeof own_options / sizeof *own_options;

static const own_option_t *own_find(const char *word, size_t length)
{
    for (size_t i = 0; i < own_count; i++)
        if (strlen(own_options[i].name) == length &&
            strncmp(own_options[i].name, word, length) == 0)
            return &own_options[i];
    return NULL;
}

static void set(settings_t *settings, const own_option_t *option, const char *value)
{
    if (value == NULL)
        value = option->preset;
    if (value == NULL)
        *(bool *)((char *)settings + option->flag) = true;
    else
        *(const char **)((char *)settings + option->text) = value;
}

int settings_take(settings_t *settings, const char *word)
{
    if (strncmp(word, "--xmpi-", 7) != 0)
        return 0;
    size_t length = strcspn(word, "=");
    const own_option_t *option = own_find(word, length);
    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    if (option == NULL)
        complain("unknown option %s; %s --xmpi-help lists them", word, settings->flavor->command);
    else if (value != NULL && option->value == VALUE_NONE)
        complain("%s takes no value: write %s", word, option->shown);
    else if ((value == NULL && option->value == VALUE_NEEDED) || (value != NULL && *value == '\0'))
        complain("%s lacks its value: write %s", word, option->shown);
    else {
        set(settings, option, value);
        return 1;
    }
    return -1;
}

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0' ? value : NULL;
}

static int take_flags(settings_t *settings, memory_t *memory, const char *flags)
{
    words_t words = words_split(memory, flags);
    for (size_t i = 0; i < words.count; i++) {
        int taken = settings_take(settings, words.items[i]);
        if (taken < 0)
            return 1;
        if (taken == 0)
            return complain("XMPICC_FLAGS is for options that begin with --xmpi-, not for %s",
                            words.items[i]);
    }
    return 0;
}

int settings_from_environment(settings_t *settings, memory_t *memory)
{
    const char *state = environment("XMPICC");
    const char *flags = environment("XMPICC_FLAGS");
    settings->mpicc = environment(settings->flavor->variable);
    if (settings->mpicc == NULL)
        settings->mpicc = environment("XMPI_MPICC");
    settings->rewriter = environment("XMPI_REWRITE");
    if (state != NULL && strcmp(state, "off") != 0 && strcmp(state, "on") != 0)
        return complain("XMPICC is \"%s\": it can be \"on\" or \"off\"", state);
    settings->off = state != NULL && strcmp(state, "off") == 0;
    return flags == NULL ? 0 : take_flags(settings, memory, flags);
}

static const char *purpose(const flavor_t *flavor)
{
    if (flavor == flavor_c())
        return "A source with #pragma xmpi is rewritten\non the way, so that the program adapts "
               "itself at run time.";
    if (flavor_is_cxx(flavor))
        return "A loop with #pragma xmpi loop gets a\npoint at which the processes of the program "
               "can go elsewhere as they are.";
    return "A program that calls XMPI_Point is linked\nso that its processes can go elsewhere as "
           "they are.";
}

void settings_help(const flavor_t *flavor)
{
    printf("Usage: %s [option | argument of %s]...\n"
           "\n"
           "Compiles and links MPI programs in %s as %s does. %s\n"
           "\n"
           "Options (all others go to %s):\n",
           flavor->command, flavor->stands, flavor->language, flavor->stands, purpose(flavor),
           flavor->stands);
    for (size_t i = 0; i < own_count; i++)
        printf("  %-24s %s\n", own_options[i].shown, own_options[i].help);
    printf("  %-24s hand WORD to %s without looking at it\n", "--xmpi-skip WORD", flavor->stands);
    printf("\nEnvironment: XMPICC=off, XMPICC_FLAGS (options as above), %s,\n"
           "XMPI_REWRITE (the xmpi-rewrite to use), TMPDIR.\n",
           flavor->variable);
}
