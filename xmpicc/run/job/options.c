/* SPDX-License-Identifier: BSD-3-Clause
 * The command line of xmpirun. */
#define _GNU_SOURCE
#include "options.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool/tool.h"
#include "settings/settings.h"

/* Keys of argp; those of settings follow one another from KEY_SETTING on. */
enum {
    KEY_SPARES = 300,
    KEY_MPIEXEC,
    KEY_CHECK,
    KEY_CHECK_FILES,
    KEY_CHECK_LIMIT,
    KEY_RESTART,
    KEY_RETRIES,
    KEY_SETTING = 1000,
    OPTIONS_MAX = 100,
    NAME_MAX_LENGTH = 40,
    SEEDS = 4,
    RETRIES = 1000
};

static const struct argp_option own_options[] = {
    {NULL, 'n', "N", 0, "Start the program with N processes", 1},
    {"spares", KEY_SPARES, "M", 0,
     "Have M more processes ready as spares, which sleep until they are wanted (the pool backend)",
     1},
    {"quiet", 'q', NULL, 0, "No live status, and no summary at the end", 1},
    {"mpiexec", KEY_MPIEXEC, "PATH", 0, "Use this mpiexec", 1},
    {"check", KEY_CHECK, "SEEDS", OPTION_ARG_OPTIONAL,
     "Test the program: run it as it is, then with changes at random (on both backends, with as "
     "many seeds, 4), compare output, exit status, files and data, and find the changes that make "
     "a difference. --check=WORD sets XMPI_CHECK",
     1},
    {"check-files", KEY_CHECK_FILES, "A,B", 0,
     "With --check: the files that the program writes, where they are not in the working folder or "
     "were there before",
     1},
    {"check-limit", KEY_CHECK_LIMIT, "SECONDS", 0,
     "With --check: a run hangs that takes longer (ten times as long as the program as it is, five "
     "seconds, and one for each change)",
     1},
    {"restart", KEY_RESTART, NULL, 0,
     "Go on from the newest checkpoint in the folder --checkpoint, if there is one", 1},
    {"retries", KEY_RETRIES, "N", 0,
     "With --checkpoint: start the program again, from its newest checkpoint, when it has lost a "
     "process, at most N times (1000), as long as it gets further; 0: never",
     1},
};
enum { OWN = sizeof own_options / sizeof *own_options };

static char dash_n[] = "-n"; /* what -np means */
static struct argp_option all[OPTIONS_MAX];
static char names[OPTIONS_MAX][NAME_MAX_LENGTH];

/* Settings that are no business of who runs a program. */
static bool is_internal(const char *name)
{
    return strcmp(name, "XMPI_ACTIVE") == 0 || strcmp(name, "XMPI_NODE") == 0 ||
           strcmp(name, "XMPI_SPENT") == 0;
}

/* "XMPI_MEMORY_LIMIT" is --memory-limit. */
static void name_option(const char *setting, char *name)
{
    size_t i = 0;
    for (const char *c = setting + strlen("XMPI_"); *c != '\0' && i + 1 < NAME_MAX_LENGTH; c++)
        name[i++] = *c == '_' ? '-' : (char)tolower((unsigned char)*c);
    name[i] = '\0';
}

static void make_options(void)
{
    size_t length;
    int used = OWN;
    const xmpi_setting_t *table = xmpi_settings_table(&length);
    memcpy(all, own_options, sizeof own_options);
    for (size_t i = 0; i < length && used < OPTIONS_MAX - 1; i++) {
        if (is_internal(table[i].name) || strcmp(table[i].name, "XMPI_CHECK") == 0 ||
            strcmp(table[i].name, "XMPI_RESTART") == 0)
            continue; /* --check and --restart are options of our own */
        name_option(table[i].name, names[i]);
        all[used++] =
            (struct argp_option){names[i], KEY_SETTING + (int)i, "VALUE", 0, table[i].help, 2};
    }
}

/* --- where xmpirun's options end ----------------------------------------------------------------
 */

/* "-n2" */
static bool has_number(const char *word)
{
    return word[0] == '-' && word[1] == 'n' && isdigit((unsigned char)word[2]);
}

/* The option WORD is, or NULL; it may have its value behind "=". */
static const struct argp_option *option_of(const char *word)
{
    size_t length = strcspn(word, "=");
    for (const struct argp_option *o = all; o->name != NULL || o->key != 0; o++) {
        if (o->name != NULL && strncmp(word, "--", 2) == 0 && length - 2 == strlen(o->name) &&
            strncmp(word + 2, o->name, length - 2) == 0)
            return o;
        bool letter = isalpha(o->key) && word[0] == '-' && word[1] == o->key;
        if (letter && (word[2] == '\0' || has_number(word)))
            return o;
    }
    return NULL;
}

static bool is_argps(const char *word)
{
    static const char *const names_of_argp[] = {"--help", "-?", "--usage", "--version", "-V"};
    for (size_t i = 0; i < sizeof names_of_argp / sizeof *names_of_argp; i++)
        if (strcmp(word, names_of_argp[i]) == 0)
            return true;
    return false;
}

/* How many words at the begin are xmpirun's: the first that is not begins mpiexec's command line.
 */
static int own_words(int argc, char **argv)
{
    int i = 1;
    while (i < argc) {
        if (strcmp(argv[i], "-np") == 0)
            argv[i] = dash_n;
        const struct argp_option *option = option_of(argv[i]);
        if (option == NULL && !is_argps(argv[i]))
            break;
        bool value_behind = option != NULL && option->arg != NULL &&
                            (option->flags & OPTION_ARG_OPTIONAL) == 0 &&
                            strchr(argv[i], '=') == NULL && !has_number(argv[i]);
        i += value_behind ? 2 : 1;
    }
    return i < argc ? i : argc;
}

/* --- reading ------------------------------------------------------------------------------------
 */

static int number(const char *option, const char *text, int least)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || errno != 0 || value < least || value > 1000000)
        tool_misuse("%s %s: expected a number from %d to 1000000", option, text, least);
    return (int)value;
}

static error_t take_setting(struct argp_state *state, int key, char *value)
{
    size_t length;
    const xmpi_setting_t *table = xmpi_settings_table(&length);
    options_t *options = state->input;
    if (key < KEY_SETTING || (size_t)(key - KEY_SETTING) >= length)
        return ARGP_ERR_UNKNOWN;
    const char *name = table[key - KEY_SETTING].name;
    setenv(name, value, 1);
    if (strcmp(name, "XMPI_MACHINES") == 0)
        options->machines = value;
    return 0;
}

/* A number of seeds, or the value of the setting with this name. */
static void take_check(const char *value, options_t *options)
{
    if (value == NULL || strchr("+-.0123456789", value[0]) != NULL)
        options->check = value != NULL ? number("--check", value, 1) : SEEDS;
    else
        setenv("XMPI_CHECK", value, 1);
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    options_t *options = state->input;
    switch (key) {
    case 'n':
        options->processes = number("-n", value, 1);
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case KEY_SPARES:
        options->spares = number("--spares", value, 0);
        return 0;
    case KEY_MPIEXEC:
        options->mpiexec = value;
        return 0;
    case KEY_CHECK:
        take_check(value, options);
        return 0;
    case KEY_CHECK_FILES:
        options->check_files = value;
        return 0;
    case KEY_CHECK_LIMIT:
        options->check_limit = number("--check-limit", value, 1);
        return 0;
    case KEY_RESTART:
        setenv("XMPI_RESTART", "1", 1);
        return 0;
    case KEY_RETRIES:
        options->retries = number("--retries", value, 0);
        return 0;
    default:
        return take_setting(state, key, value);
    }
}

static bool is_setting(const char *name)
{
    size_t length;
    const xmpi_setting_t *table = xmpi_settings_table(&length);
    for (size_t i = 0; i < length; i++)
        if (strcmp(table[i].name, name) == 0)
            return true;
    return false;
}

/* TEXT with settings as the options that they are here, in SAID, of SIZE. */
static void name_options(const char *text, char *said, size_t size)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    for (size_t length = 1; *text != '\0'; text += length) {
        char setting[NAME_MAX_LENGTH], name[NAME_MAX_LENGTH];
        size_t at = strlen(said);
        length = strncmp(text, "XMPI_", 5) == 0 ? strspn(text, letters) : 1;
        snprintf(setting, sizeof setting, "%.*s", (int)length, text);
        bool option = length < sizeof setting && is_setting(setting);
        if (option) {
            name_option(setting, name);
            snprintf(said + at, size - at, "--%s", name);
        } else {
            snprintf(said + at, size - at, "%.*s", (int)length, text);
        }
    }
}

/* What the library would refuse is refused before anything has started. */
static void check_settings(void)
{
    xmpi_settings_t settings;
    xmpi_error_t error;
    if (xmpi_settings_read(environ, &settings, &error) == XMPI_OK)
        return;
    char said[2 * sizeof error.text] = "";
    name_options(error.text, said, sizeof said);
    exit(tool_complain("%s", said));
}

static bool is_program(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) && access(path, X_OK) == 0;
}

/* Whether NAME is in a folder of PATH. */
static bool is_in_path(const char *name)
{
    char file[TOOL_PATH_MAX];
    const char *folders = getenv("PATH");
    for (const char *at = folders; at != NULL && *at != '\0'; at += *at == ':') {
        size_t length = strcspn(at, ":");
        snprintf(file, sizeof file, "%.*s/%s", (int)length, at, name);
        if (is_program(file))
            return true;
        at += length;
    }
    return false;
}

/* mpiexec says it once for each process, in its own words. Not where options of its stand before
 * the program, nor where the program may be on other machines only. */
static void check_program(const options_t *options)
{
    const char *program = options->rest[0];
    if (program[0] == '-' || options->machines != NULL)
        return;
    if (strchr(program, '/') != NULL ? !is_program(program) : !is_in_path(program))
        exit(tool_complain("%s: there is no such program", program));
}

void options_read(int argc, char **argv, options_t *options)
{
    static const struct argp argp = {
        all,
        parse_option,
        "[MPIEXEC-OPTIONS] PROGRAM [ARGUMENTS]",
        "Runs an adaptive MPI program: mpiexec, with XMPI's settings as options. They come first; "
        "the rest is passed to mpiexec as it is. Where standard error is a terminal, one line "
        "there shows how the program is doing."
        "\v"
        "Every option but those above them can be set by the environment too: --max 8 is "
        "XMPI_MAX=8. Exit status: that of mpiexec, or 1 where that is 0 though it has "
        "lost a process and killed the others; 128 and the number of the signal for a job that "
        "one has ended, which is 130 for Ctrl-C and 143 for SIGTERM; 2 for wrong usage.",
        NULL,
        NULL,
        NULL};
    make_options();
    *options = (options_t){.retries = RETRIES};
    int own = own_words(argc, argv);
    tool_parse(&argp, own, argv, ARGP_IN_ORDER, options);
    options->rest = argv + own;
    if (options->rest[0] == NULL)
        exit(tool_complain("no program to run; xmpirun --help says more"));
    check_program(options);
    if (options->rest[0][0] == '-' && options->rest[0][1] == '-')
        exit(tool_complain("there is no option %s; xmpirun --help lists them", options->rest[0]));
    if (options->spares > 0 && options->processes == 0)
        exit(tool_complain("--spares needs -n: how many processes begin"));
    if (options->check > 0 && options->processes == 0)
        exit(tool_complain("--check needs -n: how many processes begin"));
    if (options->check_files != NULL && options->check == 0)
        exit(tool_complain("--check-files needs --check"));
    if (options->check_limit > 0 && options->check == 0)
        exit(tool_complain("--check-limit needs --check"));
    const char *restart = getenv("XMPI_RESTART"), *folder = getenv("XMPI_CHECKPOINT");
    if (restart != NULL && restart[0] != '\0' && strcmp(restart, "0") != 0 &&
        (folder == NULL || folder[0] == '\0'))
        exit(tool_complain("--restart needs --checkpoint: the folder to go on from"));
    if (options->check > 0 && restart != NULL && restart[0] != '\0' && strcmp(restart, "0") != 0)
        exit(tool_complain("--check begins the program anew in each run, without --restart"));
    check_settings();
}
