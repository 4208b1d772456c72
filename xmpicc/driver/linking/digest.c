/* SPDX-License-Identifier: BSD-3-Clause
 * What an object is to a linker, in a few words. Sums are taken, and sections and symbols go by
 * their names: strip -g numbers both anew. */
#define XXH_INLINE_ALL
#include <stdint.h>
#include <string.h>
#include <xxhash.h>

#include "driver/linking/elf.h"
#include "driver/linking/object.h"

typedef struct {
    elf_t elf;
    const Elf64_Sym *symbols;
    size_t symbol_count;
    const char *names; /* of the symbols */
    size_t names_size;
} object_t;

static uint64_t hash_text(const char *text)
{
    return XXH3_64bits(text, strlen(text));
}

static uint64_t hash_numbers(const uint64_t *numbers, size_t count)
{
    return XXH3_64bits(numbers, count * sizeof *numbers);
}

#define HASH(...)                                                                                  \
    hash_numbers((const uint64_t[]){__VA_ARGS__},                                                  \
                 sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))

/* Objects have one table of symbols at most. */
static bool find_symbols(object_t *object)
{
    const elf_t *elf = &object->elf;
    for (size_t i = 0; i < elf->head.e_shnum; i++) {
        const Elf64_Shdr *table = &elf->sections[i];
        if (table->sh_type != SHT_SYMTAB)
            continue;
        if (table->sh_link >= elf->head.e_shnum || !elf_has_bytes(elf, table) ||
            table->sh_entsize != sizeof(Elf64_Sym) || table->sh_offset % 8 != 0)
            return false;
        const Elf64_Shdr *names = &elf->sections[table->sh_link];
        object->symbols = (const Elf64_Sym *)(const void *)(elf->content + table->sh_offset);
        object->symbol_count = table->sh_size / sizeof(Elf64_Sym);
        object->names = elf->content + names->sh_offset;
        object->names_size = names->sh_size;
        return elf_has_bytes(elf, names) && names->sh_size > 0 &&
               object->names[names->sh_size - 1] == '\0';
    }
    return false;
}

static uint64_t hash_symbol(const object_t *object, const Elf64_Sym *symbol)
{
    const size_t section = symbol->st_shndx;
    const char *name = symbol->st_name < object->names_size ? object->names + symbol->st_name : "";
    const char *place = section < object->elf.head.e_shnum
                            ? elf_section_name(&object->elf, &object->elf.sections[section])
                            : "";
    /* some tools give a section's symbol its name */
    if (ELF64_ST_TYPE(symbol->st_info) == STT_SECTION)
        name = "";
    return HASH(hash_text(name), hash_text(place),
                section == SHN_UNDEF || section >= SHN_LORESERVE ? section : 1, symbol->st_value,
                symbol->st_size, symbol->st_info, symbol->st_other);
}

static uint64_t hash_symbols(const object_t *object)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < object->symbol_count; i++) {
        const unsigned char type = ELF64_ST_TYPE(object->symbols[i].st_info);
        if (type != STT_SECTION && type != STT_FILE)
            sum += hash_symbol(object, &object->symbols[i]);
    }
    return sum;
}

/* What is loaded of the program. */
static uint64_t hash_section(const elf_t *elf, const Elf64_Shdr *section)
{
    const uint64_t kinds =
        SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR | SHF_MERGE | SHF_STRINGS | SHF_TLS;
    const bool bytes = section->sh_type != SHT_NOBITS;
    return HASH(hash_text(elf_section_name(elf, section)), section->sh_type,
                section->sh_flags & kinds, section->sh_addralign, section->sh_size,
                bytes ? XXH3_64bits(elf->content + section->sh_offset, section->sh_size) : 0);
}

/* What a section refers to, in TABLE; false: it cannot be told. */
static bool hash_references(const object_t *object, const Elf64_Shdr *table, uint64_t *sum)
{
    const elf_t *elf = &object->elf;
    if (table->sh_entsize != sizeof(Elf64_Rela) || table->sh_offset % 8 != 0)
        return false;
    const Elf64_Rela *items = (const Elf64_Rela *)(const void *)(elf->content + table->sh_offset);
    const uint64_t from = hash_text(elf_section_name(elf, &elf->sections[table->sh_info]));
    for (size_t i = 0; i < table->sh_size / sizeof *items; i++) {
        const size_t symbol = ELF64_R_SYM(items[i].r_info);
        if (symbol >= object->symbol_count)
            return false;
        *sum += HASH(from, items[i].r_offset, ELF64_R_TYPE(items[i].r_info),
                     (uint64_t)items[i].r_addend, hash_symbol(object, &object->symbols[symbol]));
    }
    return true;
}

static bool hash_sections(const object_t *object, uint64_t *sum)
{
    const elf_t *elf = &object->elf;
    for (size_t i = 0; i < elf->head.e_shnum; i++) {
        const Elf64_Shdr *section = &elf->sections[i];
        const bool refers = section->sh_type == SHT_RELA || section->sh_type == SHT_REL;
        if (section->sh_type != SHT_NOBITS && !elf_has_bytes(elf, section))
            return false;
        if ((section->sh_flags & SHF_ALLOC) != 0)
            *sum += hash_section(elf, section);
        else if (refers && section->sh_info < elf->head.e_shnum &&
                 (elf->sections[section->sh_info].sh_flags & SHF_ALLOC) != 0 &&
                 (section->sh_type == SHT_REL || !hash_references(object, section, sum)))
            return false;
    }
    return true;
}

const char *object_digest(memory_t *memory, const char *content, size_t size)
{
    object_t object = {.names_size = 0};
    uint64_t sum = 0;
    if (!elf_open(&object.elf, content, size) || object.elf.head.e_type != ET_REL ||
        !find_symbols(&object) || !hash_sections(&object, &sum))
        return NULL;
    return memory_format(memory, "%016llx%016llx", (unsigned long long)hash_symbols(&object),
                         (unsigned long long)sum);
}
