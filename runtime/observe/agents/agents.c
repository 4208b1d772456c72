/* SPDX-License-Identifier: BSD-3-Clause
 * Agents on nodes without a process of the program. */
#define _GNU_SOURCE
#include "observe/agents/agents.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process/library.h"

/* A start takes a millisecond of the leader's: a few at a time. More agents than that are not had.
 */
enum { STARTS = 4, AGENTS_MOST = 256, DOUBLINGS = 6 };

/* Seconds until a node that could not be reached is tried again; twice as long each time. */
static const double retry = 60;

/* --- life ----------------------------------------------------------------------------------------
 */

static void end_one(xmpi_agent_t *agent)
{
    if (agent->line >= 0)
        close(agent->line);
    agent->line = -1;
    agent->asked = agent->fresh = false;
    agent->used = 0;
    agent->last = (xmpi_agent_word_t){0};
}

static void fail(xmpi_agents_t *agents, xmpi_agent_t *agent, double now)
{
    end_one(agent);
    int doublings = agent->failures < DOUBLINGS ? agent->failures : DOUBLINGS;
    agent->retry_from = now + retry * (1 << doublings);
    agent->failures++;
    if (!agents->failed)
        fprintf(stderr,
                "xmpi: warning: what node %s is used for is not known: no agent could be started "
                "there by $XMPI_RSH, or it has ended\n",
                agent->node);
    agents->failed = true;
}

/* It goes into the background, so that the program has no child that it does not know of: what ends
 * here is the shell that did that. (Input in the background would be none, unless it is named.) */
static bool start_shell(const char *shell, const char *node, char *command, int end)
{
    static char script[] = "exec 3<&0; $0 \"$1\" \"$2\" <&3 3<&- &";
    char *words[] = {(char *)"sh", (char *)"-c", script, (char *)shell,
                     (char *)node, command,      NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status = 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, end, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    int error = posix_spawn(&pid, "/bin/sh", &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (error == 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return error == 0;
}

/* A word of the shell there; names of nodes have no quotes. */
static bool is_plain(const char *text)
{
    return strchr(text, '\'') == NULL;
}

static bool start_one(xmpi_agent_t *agent, const char *shell, const char *proc)
{
    char program[PATH_MAX], command[3 * PATH_MAX];
    int ends[2];
    if (!xmpi_library_beside("xmpi/xmpi-agent", program, sizeof program) || !is_plain(program) ||
        !is_plain(proc) || !is_plain(agent->node) || agent->node[0] == '-' ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    snprintf(command, sizeof command, "'%s' '%s' '%s'", program, proc, agent->node);
    bool started = start_shell(shell, agent->node, command, ends[0]);
    close(ends[0]);
    if (!started)
        close(ends[1]);
    else
        agent->line = ends[1];
    return started;
}

/* --- asking --------------------------------------------------------------------------------------
 */

static xmpi_agent_t *find(xmpi_agents_t *agents, const char *node)
{
    for (int i = 0; i < agents->n; i++)
        if (strcmp(agents->agent[i].node, node) == 0)
            return &agents->agent[i];
    return NULL;
}

static xmpi_agent_t *find_or_add(xmpi_agents_t *agents, const char *node)
{
    xmpi_agent_t *agent = find(agents, node), *more;
    if (agent != NULL || agents->n == AGENTS_MOST)
        return agent;
    more = realloc(agents->agent, (size_t)(agents->n + 1) * sizeof *more);
    if (more == NULL)
        return NULL;
    agents->agent = more;
    agent = &more[agents->n++];
    *agent = (xmpi_agent_t){.line = -1};
    snprintf(agent->node, sizeof agent->node, "%s", node);
    return agent;
}

static void ask_one(xmpi_agents_t *agents, xmpi_agent_t *agent, double now)
{
    static const char word[] = "look\n";
    if (agent->asked || now < agent->ask_from)
        return;
    agent->asked = send(agent->line, word, sizeof word - 1, MSG_NOSIGNAL | MSG_DONTWAIT) ==
                   (ssize_t)sizeof word - 1;
    if (!agent->asked)
        fail(agents, agent, now);
}

int xmpi_agents_ask(xmpi_agents_t *agents, const char *shell, const char *proc,
                    const char *const *node, int nodes, double now)
{
    int starts = 0;
    for (int i = 0; i < agents->n; i++)
        agents->agent[i].wanted = false;
    for (int i = 0; i < nodes; i++) {
        xmpi_agent_t *agent = find_or_add(agents, node[i]);
        if (agent == NULL)
            continue;
        agent->wanted = true;
        if (agent->line < 0 && now >= agent->retry_from && starts++ < STARTS &&
            !start_one(agent, shell, proc))
            fail(agents, agent, now);
        if (agent->line >= 0)
            ask_one(agents, agent, now);
    }
    for (int i = 0; i < agents->n; i++)
        if (!agents->agent[i].wanted)
            end_one(&agents->agent[i]);
    return starts < STARTS ? starts : STARTS;
}

/* --- hearing -------------------------------------------------------------------------------------
 */

static bool is_sound(const xmpi_agent_word_t *word)
{
    return word->at > 0 && word->cpu >= 0 && word->cores >= 0 && word->busy >= 0 &&
           word->rate >= 0 &&
           isfinite(word->at + word->cpu + word->cores + word->busy + word->rate);
}

/* False where it says what no agent does. */
static bool take_line(xmpi_agent_t *agent, const char *text, double now, double share)
{
    xmpi_agent_word_t word;
    const xmpi_agent_word_t *last = &agent->last;
    if (sscanf(text, "%lf %lf %lf %lf %lf", &word.at, &word.cpu, &word.cores, &word.busy,
               &word.rate) != 5 ||
        !is_sound(&word))
        return false;
    agent->load = (xmpi_load_t){.rate = word.rate,
                                .cores = word.cores,
                                .busy = word.busy - last->busy,
                                .seconds = last->at > 0 ? word.at - last->at : 0};
    agent->ask_from = last->at > 0 ? now + (word.cpu - last->cpu) / share : 0;
    agent->last = word;
    agent->fresh = true;
    agent->asked = false;
    agent->failures = 0;
    return true;
}

/* False where it has ended. */
static bool hear_one(xmpi_agent_t *agent, double now, double share)
{
    size_t room = sizeof agent->come - 1 - agent->used;
    ssize_t n = recv(agent->line, agent->come + agent->used, room, MSG_DONTWAIT);
    if (n <= 0)
        return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
    agent->used += (size_t)n;
    agent->come[agent->used] = '\0';
    char *end = strchr(agent->come, '\n');
    if (end == NULL)
        return agent->used < sizeof agent->come - 1;
    agent->used = 0; /* one answer to one question */
    return take_line(agent, agent->come, now, share);
}

bool xmpi_agents_hear(xmpi_agents_t *agents, double now, double share)
{
    bool fresh = false;
    for (int i = 0; i < agents->n; i++) {
        xmpi_agent_t *agent = &agents->agent[i];
        if (agent->line >= 0 && agent->asked && !hear_one(agent, now, share))
            fail(agents, agent, now);
        fresh = fresh || agent->fresh;
    }
    return fresh;
}

const xmpi_load_t *xmpi_agents_take(xmpi_agents_t *agents, const char *node)
{
    xmpi_agent_t *agent = find(agents, node);
    if (agent == NULL || !agent->fresh)
        return NULL;
    agent->fresh = false;
    return &agent->load;
}

void xmpi_agents_end(xmpi_agents_t *agents)
{
    for (int i = 0; i < agents->n; i++)
        end_one(&agents->agent[i]);
    free(agents->agent);
    *agents = (xmpi_agents_t){.failed = agents->failed};
}
