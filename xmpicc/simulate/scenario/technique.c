/* SPDX-License-Identifier: BSD-3-Clause
 * A technique. */
#define _GNU_SOURCE
#include "simulate/scenario/technique.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/policies/catalogue.h"

/* What only a machine has, or another file says. */
static const char *const not_simulated[] = {
    "schedule", "machines", "trace", "control", "jobs",   "calibration", "profile",
    "record",   "backend",  "proc",  "node",    "active", "checkpoint",  "restart"};

enum { SETTINGS_MOST = 32, OWN_MOST = 8 }; /* words of a technique */

static int word_of(const char *const *words, int n, const char *word)
{
    for (int i = 0; i < n; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

/* Words that one of a list may be. */
static bool set_word(sim_technique_t *technique, const char *name, const char *value, int *word)
{
    static const char *const changes[] = {"all", "pair", "checkpoint", "free"};
    static const char *const launched[] = {"active", "all"}, *const rows[] = {"one", "many"};
    static const char *const sees[] = {"interval", "moment"};
    static const char *const doubts[] = {"some", "none"};
    static const char *const gang[] = {"none", "c", "p", "a", "cP"};
    if (strcmp(name, "changes") == 0) {
        *word = word_of(changes, 4, value);
        technique->changes = (sim_changes_t)*word;
    } else if (strcmp(name, "launched") == 0) {
        *word = word_of(launched, 2, value);
        technique->spares_start = *word == 1;
    } else if (strcmp(name, "sees") == 0) {
        *word = word_of(sees, 2, value);
        technique->moment = *word == 1;
    } else if (strcmp(name, "doubts") == 0) {
        *word = word_of(doubts, 2, value);
        technique->certain = *word == 1;
    } else if (strcmp(name, "aim") == 0) {
        *word = word_of(xmpi_share_aim_name, XMPI_SHARE_AIMS, value);
        technique->aim = (xmpi_share_aim_t)*word;
        technique->shares = true;
    } else if (strcmp(name, "gang") == 0) {
        *word = word_of(gang, 5, value);
        technique->gang = (sim_gang_size_t)*word;
    } else if (strcmp(name, "rows") == 0) {
        *word = word_of(rows, 2, value);
        technique->many_rows = *word == 1;
    } else {
        return false;
    }
    return true;
}

static xmpi_status_t set_own(sim_technique_t *technique, const char *name, const char *value,
                             bool *own, xmpi_error_t *error)
{
    int word = 0;
    char *end = NULL;
    *own = set_word(technique, name, value, &word);
    if (!*own && strcmp(name, "pause") == 0) {
        *own = true;
        technique->pause = strtod(value, &end);
        word = end == value || *end != '\0' || !(technique->pause >= 0) ? -1 : 0;
    }
    return word >= 0
               ? XMPI_OK
               : xmpi_error_set(error, XMPI_ERR_INPUT, "%s=%.64s cannot be used", name, value);
}

/* "name=value" becomes "XMPI_NAME=value". NULL: no memory. */
static char *variable_of(const char *word)
{
    char *variable;
    if (asprintf(&variable, "XMPI_%s", word) < 0)
        return NULL;
    for (char *c = variable; *c != '\0' && *c != '='; c++)
        *c = (char)toupper((unsigned char)*c);
    return variable;
}

static bool is_setting(const char *variable)
{
    size_t length, name = strcspn(variable, "=");
    const xmpi_setting_t *table = xmpi_settings_table(&length);
    for (size_t i = 0; i < length; i++)
        if (strlen(table[i].name) == name && strncmp(table[i].name, variable, name) == 0)
            return true;
    return false;
}

static xmpi_status_t add_setting(char *word, const char *name, char **env, xmpi_error_t *error)
{
    if (word_of(not_simulated, sizeof not_simulated / sizeof *not_simulated, name) >= 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s is not simulated", name);
    *env = variable_of(word);
    if (*env == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory");
    return is_setting(*env) ? XMPI_OK
                            : xmpi_error_set(error, XMPI_ERR_INPUT, "there is no %.64s", name);
}

/* Whether the word that begins with NAME= is not the first such one. */
static bool is_second(char (*seen)[SIM_NAME_MAX], int words, const char *name)
{
    for (int i = 0; i < words; i++)
        if (strcmp(seen[i], name) == 0)
            return true;
    return false;
}

static xmpi_status_t read_words(char *rest, sim_technique_t *technique, char **env, int most,
                                xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    char seen[SETTINGS_MOST + OWN_MOST][SIM_NAME_MAX];
    int variables = 0, words = 0;
    for (char *word; status == XMPI_OK && (word = strtok_r(NULL, " \t", &rest)) != NULL;) {
        char name[SIM_NAME_MAX] = "";
        size_t length = strcspn(word, "=");
        bool own = false;
        if (word[length] == '\0' || length >= sizeof name)
            return xmpi_error_set(error, XMPI_ERR_INPUT, "%.64s: expected NAME=VALUE", word);
        memcpy(name, word, length);
        if (is_second(seen, words, name))
            return xmpi_error_set(error, XMPI_ERR_INPUT, "%s= twice", name);
        strcpy(seen[words++], name);
        status = set_own(technique, name, word + length + 1, &own, error);
        if (status == XMPI_OK && !own && variables + 1 >= most)
            return xmpi_error_set(error, XMPI_ERR_INPUT, "more than %d settings", most - 1);
        if (status == XMPI_OK && !own)
            status = add_setting(word, name, &env[variables++], error);
    }
    return status;
}

/* A policy that goes by what there is none of here would do nothing, and seem to be bad. */
static xmpi_status_t check_policy(const sim_technique_t *technique, xmpi_error_t *error)
{
    const xmpi_policy_t *policy = xmpi_policy_find(technique->settings.policy);
    return policy == NULL || (policy->needs & (XMPI_OF_TRAFFIC | XMPI_OF_SCHEDULE)) == 0
               ? XMPI_OK
               : xmpi_error_set(error, XMPI_ERR_INPUT,
                                "policy=%s is not simulated: it goes by who talks to whom, or by "
                                "a schedule",
                                policy->name);
}

xmpi_status_t sim_technique_read(char *words, sim_technique_t *technique, xmpi_error_t *error)
{
    char *env[SETTINGS_MOST] = {NULL}, *rest = NULL, *name = strtok_r(words, " \t", &rest);
    memset(technique, 0, sizeof *technique);
    if (name == NULL || strlen(name) >= SIM_NAME_MAX || strpbrk(name, "=,\"") != NULL)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "a technique needs a name first");
    strcpy(technique->name, name);
    xmpi_status_t status = read_words(rest, technique, env, SETTINGS_MOST, error);
    if (status == XMPI_OK)
        status = xmpi_settings_read(env, &technique->settings, error);
    if (status == XMPI_OK)
        status = check_policy(technique, error);
    for (int i = 0; i < SETTINGS_MOST; i++)
        free(env[i]);
    return status;
}
