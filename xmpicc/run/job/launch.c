/* SPDX-License-Identifier: BSD-3-Clause
 * Starting mpiexec. */
#define _GNU_SOURCE
#include "launch.h"

#include <errno.h>
#include <netdb.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control/address.h"
#include "tool/tool.h"
#include "files/machine_file.h"

/* A socket of our own, so that the job is found at once. The user's choice comes first. */
static void choose_control(launch_t *launched)
{
    const char *chosen = getenv("XMPI_CONTROL");
    char folder[XMPI_ADDRESS_MAX];
    xmpi_error_t error;
    if (chosen != NULL && strcmp(chosen, "on") != 0) {
        if (strcmp(chosen, "off") != 0)
            snprintf(launched->control, sizeof launched->control, "%.120s", chosen);
        return;
    }
    if (xmpi_address_folder(folder, sizeof folder, &error) != XMPI_OK)
        return; /* the library says so itself */
    int length = snprintf(launched->control, sizeof launched->control, "%s/%ld.sock", folder,
                          (long)getpid());
    if (length >= XMPI_ADDRESS_MAX)
        launched->control[0] = '\0';
    else
        setenv("XMPI_CONTROL", launched->control, 1);
}

static bool says_hosts(char *const *rest)
{
    static const char *const names[] = {"-f", "-hosts", "-host", "-hostfile", "-machinefile"};
    for (; *rest != NULL && (*rest)[0] == '-'; rest++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (strcmp(*rest, names[i]) == 0)
                return true;
    return false;
}

/* Hydra's host file, a line NODE:PEs for each node of the machine file. */
static int write_hosts(const xmpi_resources_t *resources, launch_t *launched)
{
    const char *folder = getenv("TMPDIR");
    int length = snprintf(launched->hosts, sizeof launched->hosts, "%s/xmpirun-XXXXXX",
                          folder != NULL && folder[0] != '\0' ? folder : "/tmp");
    int fd = length < (int)sizeof launched->hosts ? mkstemp(launched->hosts) : -1;
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file == NULL) {
        launched->hosts[0] = '\0';
        return tool_complain("no file for the list of hosts: %s", strerror(errno));
    }
    for (int i = 0, n; i < resources->pes; i += n) {
        for (n = 1; i + n < resources->pes &&
                    strcmp(resources->pe[i].node, resources->pe[i + n].node) == 0;)
            n++;
        fprintf(file, "%s:%d\n", resources->pe[i].node, n);
    }
    fclose(file);
    return TOOL_OK;
}

static bool says_launcher(char *const *rest)
{
    static const char *const names[] = {"-launcher", "-bootstrap", "-launcher-exec",
                                        "-bootstrap-exec"};
    for (; *rest != NULL && (*rest)[0] == '-'; rest++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (strcmp(*rest, names[i]) == 0)
                return true;
    return getenv("HYDRA_LAUNCHER") != NULL || getenv("HYDRA_LAUNCHER_EXEC") != NULL ||
           getenv("HYDRA_BOOTSTRAP") != NULL || getenv("HYDRA_BOOTSTRAP_EXEC") != NULL;
}

/* Said of the first node that has no address, but where it is not mpiexec's remote shell that
 * starts processes. */
static void warn_of_unknown(const options_t *options, const xmpi_resources_t *resources)
{
    if (says_launcher(options->rest))
        return;
    for (int i = 0; i < resources->pes; i++) {
        const char *node = resources->pe[i].node;
        struct addrinfo *found = NULL;
        if (i > 0 && strcmp(node, resources->pe[i - 1].node) == 0)
            continue;
        int failure = getaddrinfo(node, NULL, NULL, &found);
        if (failure == 0) {
            freeaddrinfo(found);
            continue;
        }
        tool_complain(
            "warning: %s: node %s has no address (%s): where ssh does not know it either, no "
            "process can be started there",
            options->machines, node, gai_strerror(failure));
        return;
    }
}

static int make_hosts(const options_t *options, launch_t *launched)
{
    xmpi_resources_t resources;
    xmpi_error_t error;
    if (options->machines == NULL || says_hosts(options->rest))
        return TOOL_OK;
    if (xmpi_machines_read(options->machines, &resources, &error) != XMPI_OK)
        return tool_complain("%s", error.text);
    warn_of_unknown(options, &resources);
    int status = write_hosts(&resources, launched);
    xmpi_resources_free(&resources);
    return status;
}

/* In a job of Slurm's, processes are started by it also on nodes that come later, which are of
 * other jobs. */
static void choose_launcher(const options_t *options)
{
    char program[TOOL_PATH_MAX];
    const char *off = getenv("XMPI_SLURM");
    if (getenv("SLURM_JOB_ID") == NULL || (off != NULL && strcmp(off, "off") == 0) ||
        says_launcher(options->rest) || !tool_find("lib/xmpi", "xmpi-slurm", program))
        return;
    setenv("HYDRA_LAUNCHER", "rsh", 1);
    setenv("HYDRA_LAUNCHER_EXEC", program, 1);
}

/* The command line, malloc; its words are the caller's or in TEXT. */
static char **command_line(const options_t *options, const launch_t *launched, const char *mpiexec,
                           char *text, size_t room)
{
    int rest = 0, used = 0;
    while (options->rest[rest] != NULL)
        rest++;
    char **command = calloc((size_t)rest + 8, sizeof *command);
    if (command == NULL)
        return NULL;
    command[used++] = (char *)mpiexec;
    if (launched->hosts[0] != '\0') {
        command[used++] = (char *)"-f";
        command[used++] = (char *)launched->hosts;
    }
    if (options->processes > 0) {
        snprintf(text, room, "%d", options->processes + options->spares);
        command[used++] = (char *)"-n";
        command[used++] = text;
    }
    memcpy(command + used, options->rest, (size_t)rest * sizeof *command);
    return command;
}

/* When this process is killed, however, mpiexec is told to end the job. */
static void end_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(1);
}

static _Noreturn void become(pid_t parent, char **command, int out, int err)
{
    sigset_t none;
    end_with(parent);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    dup2(out, STDOUT_FILENO);
    dup2(err >= 0 ? err : out, STDERR_FILENO);
    execvp(command[0], command);
    tool_complain("%s: %s", command[0], strerror(errno));
    _exit(127);
}

/* What is written to one file comes there in the order in which it is written. */
static bool output_is_one_file(void)
{
    struct stat out, err;
    return fstat(STDOUT_FILENO, &out) == 0 && fstat(STDERR_FILENO, &err) == 0 &&
           out.st_dev == err.st_dev && out.st_ino == err.st_ino;
}

static int start(char **command, launch_t *launched)
{
    int out[2] = {-1, -1}, err[2] = {-1, -1};
    if (pipe2(out, O_CLOEXEC) != 0 || (!output_is_one_file() && pipe2(err, O_CLOEXEC) != 0))
        return tool_complain("no pipe to mpiexec: %s", strerror(errno));
    pid_t here = getpid();
    launched->pid = fork();
    if (launched->pid == 0)
        become(here, command, out[1], err[1]);
    if (launched->pid < 0)
        return tool_complain("mpiexec cannot be started: %s", strerror(errno));
    close(out[1]);
    if (err[1] >= 0)
        close(err[1]);
    launched->out = out[0];
    launched->err = err[0];
    return TOOL_OK;
}

/* That of the MPI which the library was built for; else whatever the user's PATH has. By its real
 * name: Hydra looks for its proxy beside the name that it was called by. */
static const char *find_mpiexec(char *installed)
{
    char path[TOOL_PATH_MAX];
    bool found = tool_find("lib/xmpi", "mpiexec", path) || tool_find("bin", "mpiexec", path);
    return found && realpath(path, installed) != NULL ? installed : "mpiexec";
}

int launch(const options_t *options, launch_t *launched)
{
    char installed[TOOL_PATH_MAX], processes[16], active[16];
    const char *mpiexec = options->mpiexec != NULL ? options->mpiexec : find_mpiexec(installed);
    *launched = (launch_t){.out = -1, .err = -1};
    int status = make_hosts(options, launched);
    if (status != TOOL_OK)
        return status;
    if (options->spares > 0) {
        snprintf(active, sizeof active, "%d", options->processes);
        setenv("XMPI_ACTIVE", active, 1);
    }
    choose_control(launched);
    choose_launcher(options);
    char **command = command_line(options, launched, mpiexec, processes, sizeof processes);
    status = command != NULL ? start(command, launched) : tool_complain("no memory");
    free(command);
    if (status != TOOL_OK)
        launch_clean(launched);
    return status;
}

void launch_clean(const launch_t *launched)
{
    if (launched->hosts[0] != '\0')
        unlink(launched->hosts);
    struct stat file; /* a leader that was killed has left its socket, which nobody answers at */
    if (launched->control[0] != '\0' && lstat(launched->control, &file) == 0 &&
        S_ISSOCK(file.st_mode))
        unlink(launched->control);
}
