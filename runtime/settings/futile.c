/* SPDX-License-Identifier: BSD-3-Clause
 * Settings that cannot have an effect. */
#include "settings/futile.h"

#include <ctype.h>
#include <string.h>

#include "decide/policies/catalogue.h"

/* --- what others switch off ---------------------------------------------------------------------
 */

typedef enum { CHECKPOINTS, TRACE, CHECKS, SOCKET, SPARES, SPAWNING, SLURM } need_t;

static const struct {
    const char *name;
    need_t need;
} needy[] = {{"XMPI_CHECKPOINT_INTERVAL", CHECKPOINTS},
             {"XMPI_CHECKPOINT_KEEP", CHECKPOINTS},
             {"XMPI_MTBF", CHECKPOINTS},
             {"XMPI_TRACE_LIMIT", TRACE},
             {"XMPI_FINGERPRINT", TRACE},
             {"XMPI_MATRIX", TRACE},
             {"XMPI_CHECK_TOLERANCE", CHECKS},
             {"XMPI_JOBS", SOCKET},
             {"XMPI_START", SPARES},
             {"XMPI_STRATEGY", SPAWNING},
             {"XMPI_NODES", SLURM},
             {"XMPI_SLURM_PERIOD", SLURM}};

/* Why NEED is not met; NULL: it is. */
static const char *missing(need_t need, const xmpi_settings_t *settings,
                           const xmpi_beginning_t *beginning)
{
    switch (need) {
    case CHECKPOINTS:
        return settings->checkpoint[0] != '\0'
                   ? NULL
                   : "there are no checkpoints: XMPI_CHECKPOINT names their folder";
    case TRACE:
        return settings->trace[0] != '\0'
                   ? NULL
                   : "there is no trace: XMPI_TRACE names its file, or xmpictl trace on later";
    case CHECKS:
        return settings->check != XMPI_CHECK_OFF ? NULL : "no change is checked, by XMPI_CHECK=off";
    case SOCKET:
        return strcmp(settings->control, "off") != 0
                   ? NULL
                   : "xmpictl cannot reach the job, by XMPI_CONTROL=off";
    case SPARES:
        return beginning->spares > 0
                   ? NULL
                   : "there are no spares to choose among: xmpirun --spares starts some";
    case SPAWNING:
        return beginning->spawns ? NULL : "no process is spawned: those that come are spares";
    default:
        return beginning->slurm ? NULL : "Slurm does not say which nodes there are here";
    }
}

/* Settings of 0 ask for nothing. */
static bool is_set(const xmpi_settings_t *settings, const char *name)
{
    bool off = (strcmp(name, "XMPI_FINGERPRINT") == 0 && settings->fingerprint == 0) ||
               (strcmp(name, "XMPI_MATRIX") == 0 && settings->matrix == 0) ||
               (strcmp(name, "XMPI_JOBS") == 0 && settings->jobs[0] == '\0') ||
               (strcmp(name, "XMPI_NODES") == 0 && settings->nodes == 0);
    return xmpi_settings_given(settings, name) && !off;
}

void xmpi_futile_warn(const xmpi_settings_t *settings, const xmpi_beginning_t *beginning,
                      FILE *file)
{
    if (strcmp(settings->policy, "off") == 0)
        return;
    for (size_t i = 0; i < sizeof needy / sizeof *needy; i++) {
        const char *why = missing(needy[i].need, settings, beginning);
        if (why != NULL && is_set(settings, needy[i].name))
            fprintf(file, "xmpi: %s has no effect: %s\n", needy[i].name, why);
    }
    if (!beginning->spawns && settings->max > beginning->processes)
        fprintf(file,
                "xmpi: XMPI_MAX=%lld has no effect: there are %d processes, and no other can be "
                "started\n",
                (long long)settings->max, beginning->processes);
}

/* --- parameters of policies ---------------------------------------------------------------------
 */

/* What the catalogue does not list, as no pragma can set it. */
static const struct {
    const char *name, *policies;
} others[] = {{"XMPI_SCHEDULE", "smp schedule"}, {"XMPI_SEED", "random"}};

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* XMPI_PROCESS_GAIN is process_gain in the catalogue. */
static void name_parameter(const char *setting, char *name, size_t room)
{
    size_t i = 0;
    for (const char *c = setting + strlen("XMPI_"); *c != '\0' && i + 1 < room; c++)
        name[i++] = (char)tolower((unsigned char)*c);
    name[i] = '\0';
}

static bool goes_by(const xmpi_policy_t *policy, const char *setting)
{
    char name[64];
    name_parameter(setting, name, sizeof name);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i].name, setting) == 0)
            return has_word(others[i].policies, policy->name);
    return has_word(policy->settings, name);
}

/* "smp, hpmp": the policies that go by SETTING. How many. */
static int owners(const char *setting, char *text, size_t room)
{
    int n = 0;
    const xmpi_policy_t *policy;
    text[0] = '\0';
    for (int i = 0; (policy = xmpi_policy_at(i)) != NULL; i++) {
        size_t used = strlen(text);
        if (goes_by(policy, setting))
            snprintf(text + used, room - used, "%s%s", n++ > 0 ? ", " : "", policy->name);
    }
    return n;
}

void xmpi_futile_warn_of_policy(const xmpi_settings_t *settings, const xmpi_policy_t *policy,
                                FILE *file)
{
    size_t length;
    const xmpi_setting_t *table = xmpi_settings_table(&length);
    char names[256];
    for (size_t i = 0; i < length && policy != NULL; i++)
        if (xmpi_settings_given(settings, table[i].name) && !goes_by(policy, table[i].name) &&
            owners(table[i].name, names, sizeof names) > 0)
            fprintf(file, "xmpi: %s: the policy %s does not go by it; those that do: %s%s\n",
                    table[i].name, policy->name, names,
                    strcmp(table[i].name, "XMPI_GOAL") == 0 ? " (and xmpi-share)" : "");
}
