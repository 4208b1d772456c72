/* SPDX-License-Identifier: BSD-3-Clause
 * The helper that talks to Slurm for the leader. */
#define _GNU_SOURCE
#include "sources/slurm_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/process/library.h"
#include "files/topology_file.h"

enum { GIVEN_MAX = 256, PIECE = 4096, REQUEST_MAX = XMPI_NAME_MAX + 32 };

/* A node that was given back by a request, and is not to be used although an answer that was under
 * way lists it. */
typedef struct {
    char node[XMPI_NAME_MAX];
    long long request;
} given_t;

static struct {
    bool failed;       /* it cannot be started */
    int requests;      /* a line to it; 0: there is no helper */
    char *answer;      /* the last whole one; malloc; NULL: there is none yet */
    long long answers; /* how many there have been */
    char *coming;      /* what has come of the next one; malloc */
    size_t come;
    char said[128];           /* the last thing that Slurm has refused */
    bool unclear;             /* it has been said that switches cannot be understood */
    int idle;                 /* what was said of idle nodes last */
    long long last, heard;    /* requests: made, and known to the helper */
    given_t given[GIVEN_MAX]; /* by request, modulo GIVEN_MAX */
} helper;

/* --- starting ----------------------------------------------------------------------------------
 */

/* It puts itself into the background, so that the program has no child that it does not know of:
 * what ends here is the shell that did that. */
static int run(char *program, const xmpi_settings_t *settings, int input)
{
    char nodes[24], grace[32], period[32], watch[] = "watch";
    char *arguments[] = {program, watch, nodes, grace, period, NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status = 0;
    snprintf(nodes, sizeof nodes, "%lld", (long long)settings->nodes);
    snprintf(grace, sizeof grace, "%.0f", settings->grace);
    snprintf(period, sizeof period, "%.3f", settings->slurm_period);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, input, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    int error = posix_spawn(&pid, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (error == 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return error;
}

static xmpi_status_t cannot(const char *why, xmpi_error_t *error)
{
    helper.failed = true;
    return xmpi_error_set(error, XMPI_ERR_INPUT, "Slurm cannot be asked: %.200s", why);
}

xmpi_status_t xmpi_slurm_helper_start(const xmpi_settings_t *settings, xmpi_error_t *error)
{
    char program[PATH_MAX];
    int ends[2];
    if (helper.requests > 0)
        return XMPI_OK;
    if (helper.failed)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "Slurm cannot be asked");
    if (!xmpi_library_beside("xmpi/xmpi-slurm", program, sizeof program))
        return cannot("there is no xmpi/xmpi-slurm beside the library", error);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return cannot(strerror(errno), error);
    helper.last = helper.heard = helper.idle = 0;
    int code = run(program, settings, ends[0]);
    close(ends[0]);
    if (code != 0) {
        close(ends[1]);
        return cannot(strerror(code), error);
    }
    helper.requests = ends[1];
    return XMPI_OK;
}

/* --- hearing -----------------------------------------------------------------------------------
 */

/* What has come up to the last line "end" is the answer, from the "end" before. */
static void take_answer(void)
{
    char *end = NULL, *begin = helper.coming;
    for (char *at = begin; (at = strstr(at, "\nend\n")) != NULL; at++) {
        begin = end == NULL ? begin : end + strlen("\nend\n");
        end = at;
    }
    if (end == NULL)
        return;
    free(helper.answer);
    helper.answer = strndup(begin, (size_t)(end - begin));
    helper.answers += helper.answer != NULL;
    size_t used = (size_t)(end - helper.coming) + strlen("\nend\n");
    helper.come -= used;
    memmove(helper.coming, helper.coming + used, helper.come + 1);
}

/* Whether the helper is there. */
static bool hear(void)
{
    for (;;) {
        char *grown = realloc(helper.coming, helper.come + PIECE + 1);
        if (grown == NULL || helper.requests <= 0)
            return grown != NULL;
        helper.coming = grown;
        ssize_t n = recv(helper.requests, grown + helper.come, PIECE, MSG_DONTWAIT);
        helper.come += n > 0 ? (size_t)n : 0;
        helper.coming[helper.come] = '\0';
        take_answer();
        if (n <= 0)
            return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
    }
}

xmpi_status_t xmpi_slurm_helper_wait(const xmpi_settings_t *settings, xmpi_error_t *error)
{
    struct pollfd line = {.fd = helper.requests, .events = POLLIN};
    time_t until = time(NULL) + (time_t)settings->timeout;
    while (hear() && helper.answer == NULL && time(NULL) <= until)
        poll(&line, 1, 100);
    if (helper.answer != NULL)
        return XMPI_OK;
    xmpi_slurm_helper_leave(false);
    return cannot("squeue and sinfo tell nothing of this job", error);
}

long long xmpi_slurm_helper_answers(void)
{
    hear();
    return helper.answers;
}

/* --- what there is -----------------------------------------------------------------------------
 */

typedef struct {
    xmpi_resources_t *resources;
    FILE *switches; /* where their lines are put */
    char say[sizeof helper.said];
} reader_t;

static bool is_given(const char *node)
{
    for (long long request = helper.heard + 1; request <= helper.last; request++)
        if (request + GIVEN_MAX > helper.last &&
            helper.given[request % GIVEN_MAX].request == request &&
            strcmp(helper.given[request % GIVEN_MAX].node, node) == 0)
            return true;
    return false;
}

/* Lines of "heard REQUEST", "say TEXT", "switch LINE" (of topology.conf), "ends WHEN", "node NAME
 * PEs CLASS COST DEADLINE": a deadline of 0 is none, others are seconds of the real-time clock. */
static xmpi_status_t parse_line(reader_t *reader, const char *text, xmpi_error_t *error)
{
    char name[XMPI_NAME_MAX], class_name[XMPI_NAME_MAX];
    int pes;
    xmpi_pe_t pe = {.process = -1};
    if (sscanf(text, "heard %lld", &helper.heard) == 1)
        return XMPI_OK;
    if (sscanf(text, "ends %lf", &reader->resources->ends) == 1)
        return XMPI_OK;
    if (strncmp(text, "say ", 4) == 0) {
        snprintf(reader->say, sizeof reader->say, "%s", text + 4);
        return XMPI_OK;
    }
    if (strncmp(text, "switch ", 7) == 0) {
        fprintf(reader->switches, "%s\n", text + 7);
        return XMPI_OK;
    }
    if (sscanf(text, "node %63s %d %63s %lf %lf", name, &pes, class_name, &pe.cost, &pe.deadline) !=
            5 ||
        pes < 0 || pes > 100000)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "\"%.80s\" of Slurm is not known", text);
    if (is_given(name))
        return XMPI_OK;
    strcpy(pe.node, name);
    pe.withdrawn = pe.gone = pe.deadline > 0;
    pe.class_index = xmpi_resources_enter(reader->resources, class_name);
    if (pe.class_index < 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "more than %d classes of nodes",
                              XMPI_CLASSES_MAX);
    return xmpi_resources_add(reader->resources, &pe, pes) == XMPI_OK
               ? XMPI_OK
               : xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for the list of nodes");
}

/* The lines of the answer, and what it says of switches in SWITCHES (malloc). */
static xmpi_status_t parse(reader_t *reader, char **switches, xmpi_error_t *error)
{
    size_t length;
    char *text = strdup(helper.answer != NULL ? helper.answer : ""), *rest = NULL;
    reader->switches = open_memstream(switches, &length);
    xmpi_status_t status = text != NULL && reader->switches != NULL ? XMPI_OK : XMPI_ERR_MEMORY;
    for (char *line = status == XMPI_OK ? strtok_r(text, "\n", &rest) : NULL;
         line != NULL && status == XMPI_OK; line = strtok_r(NULL, "\n", &rest))
        status = parse_line(reader, line, error);
    free(text);
    if (reader->switches != NULL && fclose(reader->switches) != 0 && status == XMPI_OK)
        status = XMPI_ERR_MEMORY;
    return status;
}

/* Nobody has asked for switches: what cannot be understood of them is said once, and left out. */
static void set_switches(xmpi_resources_t *resources, const char *text)
{
    xmpi_error_t why;
    if (xmpi_topology_read_text(text, "scontrol show topology", resources, &why) == XMPI_OK)
        return;
    for (int i = 0; i < resources->pes; i++)
        memset(resources->pe[i].switches, 0, sizeof resources->pe[i].switches);
    if (!helper.unclear)
        fprintf(stderr, "xmpi: warning: %s; no switches are known\n", why.text);
    helper.unclear = true;
}

xmpi_status_t xmpi_slurm_helper_read(xmpi_resources_t *resources, bool switches,
                                     xmpi_error_t *error)
{
    reader_t reader = {.resources = resources};
    char *lines = NULL;
    memset(resources, 0, sizeof *resources);
    xmpi_status_t status = parse(&reader, &lines, error);
    if (status == XMPI_ERR_MEMORY)
        xmpi_error_set(error, status, "no memory for the list of nodes");
    if (status == XMPI_OK && switches)
        set_switches(resources, lines);
    free(lines);
    if (status == XMPI_OK && resources->pes == 0)
        status = xmpi_error_set(error, XMPI_ERR_INPUT, "Slurm lists no node of this job");
    if (status != XMPI_OK)
        xmpi_resources_free(resources);
    if (strcmp(reader.say, helper.said) != 0 && reader.say[0] != '\0')
        fprintf(stderr, "xmpi: %s\n", reader.say);
    strcpy(helper.said, reader.say);
    return status;
}

/* --- what is asked -----------------------------------------------------------------------------
 */

/* Such a short line is taken whole, or not at all. */
static xmpi_status_t tell(const char *line, xmpi_error_t *error)
{
    size_t length = strlen(line);
    if (helper.requests > 0 &&
        send(helper.requests, line, length, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)length)
        return XMPI_OK;
    return xmpi_error_set(error, XMPI_ERR_INPUT, "Slurm cannot be asked at present");
}

xmpi_status_t xmpi_slurm_helper_ask(int pes, bool idle, xmpi_error_t *error)
{
    char line[REQUEST_MAX];
    if (idle && helper.idle == pes)
        return XMPI_OK;
    helper.idle = idle ? pes : helper.idle;
    snprintf(line, sizeof line, "%s %lld %d\n", idle ? "idle" : "ask", helper.last + 1, pes);
    xmpi_status_t status = tell(line, error);
    helper.last += status == XMPI_OK;
    return status;
}

xmpi_status_t xmpi_slurm_helper_give_back(const char *node, xmpi_error_t *error)
{
    char line[REQUEST_MAX];
    snprintf(line, sizeof line, "give %lld %s\n", helper.last + 1, node);
    xmpi_status_t status = tell(line, error);
    if (status != XMPI_OK)
        return status;
    given_t *given = &helper.given[++helper.last % GIVEN_MAX];
    snprintf(given->node, sizeof given->node, "%s", node);
    given->request = helper.last;
    return XMPI_OK;
}

void xmpi_slurm_helper_leave(bool ended)
{
    xmpi_error_t ignored;
    if (helper.requests <= 0)
        return;
    if (ended)
        tell("end 0\n", &ignored);
    close(helper.requests);
    helper.requests = 0;
    free(helper.answer);
    free(helper.coming);
    helper.answer = helper.coming = NULL;
    helper.come = 0;
}
