/* SPDX-License-Identifier: BSD-3-Clause
 * The command line of the simulator. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "model.h"

struct options {
    int days, seeds, region; /* SEEDS persons of REGION are infected at first */
    int help;                /* the parameters are to be listed */
    struct model model;
    const char *output;     /* file to write, NULL for none */
    const char *population; /* file to read */
};

/* 0, or -1 with PROBLEM. */
int options_parse(int argc, char **argv, struct options *options, struct problem *problem);

#endif
