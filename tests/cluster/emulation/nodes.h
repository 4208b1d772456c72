/* SPDX-License-Identifier: BSD-3-Clause
 * The nodes of an emulated cluster, for libraries that are loaded into its processes: what these
 * share of it is in a file that all map, whose bytes are 0 at first. A header, as the libraries are
 * compiled by themselves. */
#ifndef XMPI_EMULATION_NODES_H
#define XMPI_EMULATION_NODES_H

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NODES = 512, NAME = 64 };

/* What the file begins with. */
typedef struct {
    unsigned lock; /* of all of it */
    char name[NODES][NAME];
} nodes_t;

static inline void nodes_lock(nodes_t *nodes)
{
    while (__atomic_exchange_n(&nodes->lock, 1, __ATOMIC_ACQUIRE) != 0)
        sched_yield();
}

static inline void nodes_unlock(nodes_t *nodes)
{
    __atomic_store_n(&nodes->lock, 0, __ATOMIC_RELEASE);
}

/* The number of the node NAME_OF_IT; a new one, where nobody has asked for it yet. */
static inline int nodes_number(nodes_t *nodes, const char *name_of_it)
{
    int i = 0;
    nodes_lock(nodes);
    while (i < NODES - 1 && nodes->name[i][0] != '\0' &&
           strncmp(nodes->name[i], name_of_it, NAME - 1) != 0)
        i++;
    strncpy(nodes->name[i], name_of_it, NAME - 1);
    nodes_unlock(nodes);
    return i;
}

/* The SIZE bytes of FILE, which is made where it is missing; NULL, and errno. */
static inline void *nodes_map(const char *file, size_t size)
{
    int fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    void *memory = MAP_FAILED;
    if (fd >= 0 && ftruncate(fd, (off_t)size) == 0)
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd >= 0)
        close(fd);
    return memory != MAP_FAILED ? memory : NULL;
}

/* Whether this is a process of the process manager, which is of no node. */
static inline int nodes_is_manager(void)
{
    return strncmp(program_invocation_short_name, "hydra", 5) == 0;
}

#endif
