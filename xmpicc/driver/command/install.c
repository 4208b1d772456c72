/* SPDX-License-Identifier: BSD-3-Clause
 * Where XMPI is installed and which mpicc it works with. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/base/file.h"
#include "driver/command/install.h"
#include "driver/base/message.h"

static int find_self(install_t *install, memory_t *memory)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0)
        return complain("cannot tell where it is installed: /proc/self/exe: %s", strerror(errno));
    install->self = memory_copy(memory, path, (size_t)length);
    char *folder = path_folder(memory, install->self);
    install->prefix = path_folder(memory, folder);
    install->standard = strcmp(install->prefix, "/usr") == 0;
    return 0;
}

/* The first NAME in PATH that is not xmpicc itself under another name; NULL when there is none. */
static const char *find_in_path(const install_t *install, memory_t *memory, const char *name)
{
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        const char *file =
            length == 0 ? name : memory_format(memory, "%.*s/%s", (int)length, path, name);
        if (file_is_executable(file) && !file_same(file, install->self))
            return file;
        path += length + (path[length] == ':');
    }
    return NULL;
}

/* What is called as the MPI's command for FLAVOR beside COMMAND, its mpicc: mpicxx.mpich beside
 * mpicc.mpich. */
static const char *counterpart(memory_t *memory, const flavor_t *flavor, const char *command)
{
    const char *base = path_base(command), *stands = flavor_c()->stands;
    if (flavor == flavor_c() || strncmp(base, stands, strlen(stands)) != 0)
        return command;
    return memory_format(memory, "%.*s%s%s", (int)(base - command), command, flavor->stands,
                         base + strlen(stands));
}

static int find_named_mpicc(install_t *install, memory_t *memory, const flavor_t *flavor,
                            const char *name)
{
    name = counterpart(memory, flavor, name);
    install->mpicc = strchr(name, '/') != NULL ? name : find_in_path(install, memory, name);
    if (install->mpicc == NULL || !file_is_executable(install->mpicc))
        return complain("there is no %s at %s: see --xmpi-mpicc and %s", flavor->stands, name,
                        flavor->variable);
    if (file_same(install->mpicc, install->self))
        return complain("%s is %s itself: name the %s of an MPI library", name, flavor->command,
                        flavor->stands);
    return 0;
}

/* The mpicc of the build folder, or the one that an installed XMPI was built with. */
static const char *find_own_mpicc(const install_t *install, memory_t *memory)
{
    static const char *const places[] = {"bin", "lib/xmpi"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *file = memory_format(memory, "%s/%s/mpicc", install->prefix, places[i]);
        if (file_is_executable(file) && !file_same(file, install->self))
            return file;
    }
    return NULL;
}

/* The same MPI's for another language. */
static int find_counterpart(install_t *install, memory_t *memory, const flavor_t *flavor)
{
    char path[PATH_MAX];
    if (realpath(install->mpicc, path) == NULL)
        return complain("cannot follow %s: %s", install->mpicc, strerror(errno));
    install->mpicc = counterpart(memory, flavor, memory_copy(memory, path, strlen(path)));
    if (file_is_executable(install->mpicc) && !file_same(install->mpicc, install->self))
        return 0;
    return complain(
        "there is no %s: the MPI in use was built without %s; name another one's that is the "
        "same otherwise with --xmpi-mpicc=%s or %s",
        install->mpicc, flavor->language, flavor->stands, flavor->variable);
}

static int find_mpicc(install_t *install, const settings_t *settings, memory_t *memory)
{
    const flavor_t *flavor = settings->flavor;
    if (settings->mpicc != NULL)
        return find_named_mpicc(install, memory, flavor, settings->mpicc);
    install->mpicc = find_own_mpicc(install, memory);
    if (install->mpicc != NULL && flavor != flavor_c())
        return find_counterpart(install, memory, flavor);
    if (install->mpicc == NULL)
        install->mpicc = find_in_path(install, memory, flavor->stands);
    if (install->mpicc != NULL)
        return 0;
    return complain("there is no %s beside %s or in PATH: name one with --xmpi-mpicc=%s or %s",
                    flavor->stands, flavor->command, flavor->stands, flavor->variable);
}

int install_find(install_t *install, const settings_t *settings, memory_t *memory)
{
    int status = find_self(install, memory);
    if (status != 0)
        return status;
    install->rewriter =
        settings->rewriter != NULL
            ? settings->rewriter
            : memory_format(memory, "%s/xmpi-rewrite", path_folder(memory, install->self));
    return find_mpicc(install, settings, memory);
}

/* -isystem /usr/include would upset the order of the compiler's own folders. */
void install_add_include(const install_t *install, const char *option, words_t *words)
{
    if (install->standard)
        return;
    if (strcmp(option, "-I") == 0) {
        words_format(words, "-I%s/include", install->prefix);
        return;
    }
    words_add(words, option);
    words_format(words, "%s/include", install->prefix);
}

void install_add_runtime(const install_t *install, runtime_kind_t kind, words_t *words)
{
    if (!install->standard)
        words_format(words, "-L%s/lib", install->prefix);
    if (kind == RUNTIME_STATIC || kind == RUNTIME_ARCHIVE) {
        words_add(words, "-l:libxmpi.a");
        if (kind == RUNTIME_ARCHIVE) /* the C library is not one: nor may its other half be */
            words_add(words, "-Wl,--push-state,-Bdynamic");
        words_add(words, "-lm");
        if (kind == RUNTIME_ARCHIVE)
            words_add(words, "-Wl,--pop-state");
        return;
    }
    if (kind == RUNTIME_ALWAYS)
        words_add(words, "-Wl,--push-state,--no-as-needed");
    words_add(words, "-lxmpi");
    if (kind == RUNTIME_ALWAYS)
        words_add(words, "-Wl,--pop-state");
    if (!install->standard)
        words_format(words, "-Wl,-rpath,%s/lib", install->prefix);
}

void install_add_image(const install_t *install, words_t *words)
{
    words_add(words, "-no-pie");
    words_format(words, "%s/lib/xmpi/image.o", install->prefix);
    words_format(words, "-Wl,@%s/lib/xmpi/image.wraps", install->prefix);
}

int install_check_runtime(const install_t *install, memory_t *memory)
{
    const char *so = memory_format(memory, "%s/lib/libxmpi.so", install->prefix);
    const char *archive = memory_format(memory, "%s/lib/libxmpi.a", install->prefix);
    if (install->standard || access(so, R_OK) == 0 || access(archive, R_OK) == 0)
        return 0;
    return complain("there is no runtime to link, %s: build or install XMPI completely, or use "
                    "XMPICC=off",
                    so);
}
