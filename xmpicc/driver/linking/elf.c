/* SPDX-License-Identifier: BSD-3-Clause
 * Objects and programs as files with sections (64-bit ELF). */
#include <string.h>

#include "driver/linking/elf.h"

/* Files of other machines, and with more sections than fit into their head, are none of ours. */
static bool is_elf(const elf_t *elf)
{
    const Elf64_Ehdr *head = &elf->head;
    return memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 && head->e_ident[EI_CLASS] == ELFCLASS64 &&
           head->e_ident[EI_DATA] == ELFDATA2LSB && head->e_shentsize == sizeof(Elf64_Shdr) &&
           head->e_shnum > 0 && head->e_shstrndx < head->e_shnum && head->e_shoff % 8 == 0 &&
           head->e_shoff <= elf->length &&
           head->e_shnum <= (elf->length - head->e_shoff) / sizeof(Elf64_Shdr);
}

bool elf_has_bytes(const elf_t *elf, const Elf64_Shdr *section)
{
    return section->sh_offset <= elf->length &&
           section->sh_size <= elf->length - section->sh_offset;
}

bool elf_open(elf_t *elf, const char *content, size_t length)
{
    *elf = (elf_t){.content = content, .length = length};
    if (length < sizeof elf->head)
        return false;
    memcpy(&elf->head, content, sizeof elf->head);
    if (!is_elf(elf))
        return false;
    elf->sections = (const Elf64_Shdr *)(const void *)(content + elf->head.e_shoff);
    const Elf64_Shdr *names = &elf->sections[elf->head.e_shstrndx];
    elf->names = content + names->sh_offset;
    elf->names_size = names->sh_size;
    return elf_has_bytes(elf, names) && names->sh_size > 0 &&
           elf->names[names->sh_size - 1] == '\0';
}

const char *elf_section_name(const elf_t *elf, const Elf64_Shdr *section)
{
    return section->sh_name < elf->names_size ? elf->names + section->sh_name : "";
}
