/* SPDX-License-Identifier: BSD-3-Clause
 * A section of ours in objects and programs. */
#include <elf.h>
#include <string.h>

#include "driver/base/file.h"
#include "driver/linking/object.h"

static const char section_name[] = ".xmpi_source";

/* A file, and its sections where these can be read. */
typedef struct {
    char *content;
    size_t length;
    Elf64_Ehdr head;
    const Elf64_Shdr *sections;
    const char *names;
    size_t names_size;
} elf_t;

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

static bool has_bytes(const elf_t *elf, const Elf64_Shdr *section)
{
    return section->sh_offset <= elf->length &&
           section->sh_size <= elf->length - section->sh_offset;
}

static bool elf_open(elf_t *elf, memory_t *memory, const char *path)
{
    elf->content = file_read(memory, path, &elf->length);
    if (elf->content == NULL || elf->length < sizeof elf->head)
        return false;
    memcpy(&elf->head, elf->content, sizeof elf->head);
    if (!is_elf(elf))
        return false;
    elf->sections = (const Elf64_Shdr *)(const void *)(elf->content + elf->head.e_shoff);
    const Elf64_Shdr *names = &elf->sections[elf->head.e_shstrndx];
    elf->names = elf->content + names->sh_offset;
    elf->names_size = names->sh_size;
    return has_bytes(elf, names) && names->sh_size > 0 && elf->names[names->sh_size - 1] == '\0';
}

static size_t aligned(size_t offset)
{
    return (offset + 7) / 8 * 8;
}

/* Behind what there is come the text, the names of the sections with ours, and the table of
 * sections. */
static char *with_section(memory_t *memory, const elf_t *elf, const char *text, size_t length,
                          size_t *size)
{
    const size_t count = elf->head.e_shnum, names = elf->length + length;
    const size_t table = aligned(names + elf->names_size + sizeof section_name);
    *size = table + (count + 1) * sizeof(Elf64_Shdr);
    char *result = memory_get(memory, *size + 1);
    memcpy(result, elf->content, elf->length);
    memcpy(result + elf->length, text, length);
    memcpy(result + names, elf->names, elf->names_size);
    memcpy(result + names + elf->names_size, section_name, sizeof section_name);
    Elf64_Shdr *sections = memory_get(memory, (count + 1) * sizeof *sections);
    memcpy(sections, elf->sections, count * sizeof *sections);
    sections[elf->head.e_shstrndx].sh_offset = names;
    sections[elf->head.e_shstrndx].sh_size = elf->names_size + sizeof section_name;
    sections[count] = (Elf64_Shdr){.sh_name = (Elf64_Word)elf->names_size,
                                   .sh_type = SHT_PROGBITS,
                                   .sh_offset = elf->length,
                                   .sh_size = length,
                                   .sh_addralign = 1};
    memcpy(result + table, sections, (count + 1) * sizeof *sections);
    Elf64_Ehdr head = elf->head;
    head.e_shoff = table;
    head.e_shnum++;
    memcpy(result, &head, sizeof head);
    return result;
}

bool object_add(memory_t *memory, const char *path, const char *text, size_t length)
{
    elf_t elf;
    size_t size;
    if (!elf_open(&elf, memory, path) || elf.head.e_type != ET_REL ||
        elf.head.e_shnum + 1 >= SHN_LORESERVE)
        return false;
    char *result = with_section(memory, &elf, text, length, &size);
    return file_replace(memory, path, result, size) == 0;
}

char *object_read(memory_t *memory, const char *path, size_t *length)
{
    elf_t elf;
    if (!elf_open(&elf, memory, path))
        return NULL;
    for (size_t i = 0; i < elf.head.e_shnum; i++) {
        const Elf64_Shdr *section = &elf.sections[i];
        if (section->sh_name >= elf.names_size || section->sh_type == SHT_NOBITS ||
            strcmp(elf.names + section->sh_name, section_name) != 0 || !has_bytes(&elf, section))
            continue;
        *length = section->sh_size;
        return memory_copy(memory, elf.content + section->sh_offset, section->sh_size);
    }
    return NULL;
}
