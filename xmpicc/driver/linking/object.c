/* SPDX-License-Identifier: BSD-3-Clause
 * A section of ours in objects and programs. */
#include <string.h>

#include "driver/base/file.h"
#include "driver/linking/elf.h"
#include "driver/linking/object.h"

static const char section_name[] = ".xmpi_source";

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
    const char *content = file_read(memory, path, &size);
    if (content == NULL || !elf_open(&elf, content, size) || elf.head.e_type != ET_REL ||
        elf.head.e_shnum + 1 >= SHN_LORESERVE)
        return false;
    char *result = with_section(memory, &elf, text, length, &size);
    return file_replace(memory, path, result, size) == 0;
}

char *object_read_bytes(memory_t *memory, const char *content, size_t size, size_t *length)
{
    elf_t elf;
    if (!elf_open(&elf, content, size))
        return NULL;
    for (size_t i = 0; i < elf.head.e_shnum; i++) {
        const Elf64_Shdr *section = &elf.sections[i];
        if (section->sh_type == SHT_NOBITS || !elf_has_bytes(&elf, section) ||
            strcmp(elf_section_name(&elf, section), section_name) != 0)
            continue;
        *length = section->sh_size;
        return memory_copy(memory, content + section->sh_offset, section->sh_size);
    }
    return NULL;
}

char *object_read(memory_t *memory, const char *path, size_t *length)
{
    size_t size;
    const char *content = file_read(memory, path, &size);
    return content != NULL ? object_read_bytes(memory, content, size, length) : NULL;
}
