/* SPDX-License-Identifier: BSD-3-Clause
 * Functions and variables of the libraries of this process, whatever the program is linked with. */
#ifndef XMPI_IMAGE_LIBRARIES_H
#define XMPI_IMAGE_LIBRARIES_H

/* Where NAME is; NULL: no library has it. */
void *xmpi_libraries_find(const char *name);

#endif
