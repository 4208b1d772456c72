/* SPDX-License-Identifier: BSD-3-Clause
 * Starting over. */
#ifndef XMPI_IMAGE_RESTART_H
#define XMPI_IMAGE_RESTART_H

/* Before main, which is called with these on the stack that ends at TOP: what the program is like
 * now it is when it starts over. */
void xmpi_restart_begin(int argc, char **argv, char **envp, char *top);

#endif
