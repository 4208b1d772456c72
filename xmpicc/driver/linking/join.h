/* SPDX-License-Identifier: BSD-3-Clause
 * The files of a program are one program: where a loop calls functions of other files, these are
 * rewritten with it as one text, of which the program is then made. */
#ifndef XMPICC_JOIN_H
#define XMPICC_JOIN_H

#include "driver/command/driver.h"

/* The program of the command has been linked, and *COMPLAINT is what there is to be said of it. Its
 * sources are joined, where that makes more of its loops, and the program is linked again with what
 * has become of them. What is still to be said of loops is said, *COMPLAINT apart, which becomes ""
 * where it is settled. The exit status. */
int join_linked(driver_t *driver, const char **complaint);

#endif
