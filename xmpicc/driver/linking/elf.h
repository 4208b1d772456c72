/* SPDX-License-Identifier: BSD-3-Clause
 * Objects and programs as files with sections (64-bit ELF). */
#ifndef XMPICC_ELF_H
#define XMPICC_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

/* A file, and its sections where these can be read. It lives in CONTENT. */
typedef struct {
    const char *content; /* LENGTH bytes */
    size_t length;
    Elf64_Ehdr head;
    const Elf64_Shdr *sections;
    const char *names;
    size_t names_size;
} elf_t;

/* Reads what LENGTH bytes CONTENT, aligned as by malloc, have; false: it is none of ours, or
 * damaged. */
bool elf_open(elf_t *elf, const char *content, size_t length);

/* Whether the file has all bytes of SECTION. */
bool elf_has_bytes(const elf_t *elf, const Elf64_Shdr *section);

/* "": it has none. */
const char *elf_section_name(const elf_t *elf, const Elf64_Shdr *section);

#endif
