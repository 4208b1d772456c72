/* SPDX-License-Identifier: BSD-3-Clause
 * The emulated cluster of the demonstration. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo_cluster.h"

const cluster_pe_t cluster_pe[CLUSTER_PES] = {
    {"n1", "C1", 1.90, 0.095}, {"n2", "C7", 2.25, 0.115}, {"n3", "C6", 2.90, 0.204},
    {"n4", "C8", 4.62, 0.462}, {"n5", "C6", 2.90, 0.204}, {"n6", "C8", 4.62, 0.462},
};

double cluster_speed(const char *class)
{
    for (int i = 0; i < CLUSTER_PES; i++)
        if (strcmp(cluster_pe[i].class, class) == 0)
            return cluster_pe[i].speed;
    return 0;
}

double cluster_total_speed(int pes)
{
    double total = 0;
    for (int i = 0; i < pes; i++)
        total += cluster_pe[i].speed;
    return total;
}

/* One text of what PUT writes of every PE. */
static char *text_of(void (*put)(FILE *file, const cluster_pe_t *pe))
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    for (int i = 0; file != NULL && i < CLUSTER_PES; i++)
        put(file, &cluster_pe[i]);
    if (file == NULL || fclose(file) != 0) {
        perror("demo");
        exit(1);
    }
    return text;
}

static void put_machine(FILE *file, const cluster_pe_t *pe)
{
    fprintf(file, "%s:%s:1:%.3f\n", pe->node, pe->class, pe->cost);
}

/* A class that stands there twice has the same speed both times. */
static void put_speed(FILE *file, const cluster_pe_t *pe)
{
    fprintf(file, "%s%s=%.2f", pe == cluster_pe ? "" : ",", pe->class, pe->speed);
}

char *cluster_machines(void)
{
    return text_of(put_machine);
}

char *cluster_speeds(void)
{
    return text_of(put_speed);
}
