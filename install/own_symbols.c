/* SPDX-License-Identifier: BSD-3-Clause
 * Usage: own_symbols LIBRARY
 *
 * Lets a shared library get what it needs of the C library from there, and not from a program that
 * has a function of the same name: `link` and `send` are names that a program in C may use as it
 * likes.
 *
 * The dynamic linker takes a symbol without a version, as those of programs are, for a reference
 * with one, unless the reference asks for just this version (the bit VERSYM_HIDDEN in its entry of
 * the section .gnu.version_r). The static linker never sets it. What ISO C reserves in any program
 * (7.1.3), and what programs and tools replace on purpose, memory first of all, is looked for as
 * ever: these references lose their version. */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HIDDEN = 0x8000 };

static const char room[] = "XMPI: versions of its own symbols"; /* what it begins with */
enum { ROOM = 2048 };

/* What others may replace: all that hands out memory or takes it back, the clocks, which tools that
 * warp time and the emulated cluster have of their own, what this library only asks about others,
 * and the begin and end of threads, of which sanitizers have to know: their malloc is for threads
 * that they have begun. */
static const char *const replaced[] = {
    "malloc",       "calloc",        "realloc",      "free",  "malloc_usable_size",
    "strdup",       "strndup",       "getline",      "dlsym", "dladdr",
    "dladdr1",      "clock_gettime", "gettimeofday", "time",  "pthread_create",
    "pthread_join", "pthread_detach"};

typedef struct {
    char *file;
    size_t size;
    const ElfW(Shdr) * section;
    int sections;
} library_t;

static void fail(const char *path, const char *why)
{
    fprintf(stderr, "own_symbols: %s: %s\n", path, why);
    exit(1);
}

static const ElfW(Shdr) * section_of(const library_t *library, unsigned type)
{
    for (int i = 0; i < library->sections; i++)
        if (library->section[i].sh_type == type)
            return &library->section[i];
    return NULL;
}

static void *content(const library_t *library, const ElfW(Shdr) * section)
{
    return library->file + section->sh_offset;
}

static library_t open_library(const char *path)
{
    struct stat file;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &file) != 0)
        fail(path, "cannot be opened");
    library_t library = {.size = (size_t)file.st_size};
    library.file = mmap(NULL, library.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)(const void *)library.file;
    if (library.file == MAP_FAILED || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0)
        fail(path, "is no shared library");
    library.section = (const ElfW(Shdr) *)(const void *)(library.file + head->e_shoff);
    library.sections = head->e_shnum;
    return library;
}

static int is_replaced(const char *name)
{
    for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++)
        if (strcmp(replaced[i], name) == 0)
            return 1;
    return 0;
}

static void forget_versions(const library_t *library, const ElfW(Shdr) * symbols,
                            const ElfW(Shdr) * versions)
{
    const ElfW(Sym) *symbol = content(library, symbols);
    ElfW(Half) *version = content(library, versions);
    const char *names = content(library, &library->section[symbols->sh_link]);
    for (size_t i = 0; i < symbols->sh_size / sizeof *symbol; i++)
        if (symbol[i].st_shndx == SHN_UNDEF && version[i] > VER_NDX_GLOBAL &&
            is_replaced(names + symbol[i].st_name))
            version[i] = VER_NDX_GLOBAL;
}

/* Of the C library's parts alone: what MPI has is to be replaced. */
static int is_system(const char *file)
{
    return strncmp(file, "libc.", 5) == 0 || strncmp(file, "libm.", 5) == 0 ||
           strncmp(file, "ld-linux", 8) == 0;
}

static void ask_for_versions(const library_t *library, const ElfW(Shdr) * needed, char *at)
{
    const char *names = content(library, &library->section[needed->sh_link]);
    for (size_t i = 0; i < needed->sh_info; i++) {
        const ElfW(Verneed) *need = (const ElfW(Verneed) *)(void *)at;
        char *next = at + need->vn_aux;
        for (int k = 0; k < need->vn_cnt && is_system(names + need->vn_file); k++) {
            ElfW(Vernaux) *one = (ElfW(Vernaux) *)(void *)next;
            one->vna_other |= HIDDEN;
            next += one->vna_next;
        }
        at += need->vn_next;
    }
}

/* Where the byte AT of the file is in memory. */
static ElfW(Addr) address_of(const library_t *library, const char *at)
{
    const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)(const void *)library->file;
    const ElfW(Phdr) *part = (const ElfW(Phdr) *)(const void *)(library->file + head->e_phoff);
    size_t offset = (size_t)(at - library->file);
    for (int i = 0; i < head->e_phnum; i++)
        if (part[i].p_type == PT_LOAD && offset >= part[i].p_offset &&
            offset < part[i].p_offset + part[i].p_filesz)
            return part[i].p_vaddr + offset - part[i].p_offset;
    return 0;
}

/* The dynamic linker reads the copy; the static one, which goes by the sections, the original. */
static void use_copy(const library_t *library, const ElfW(Shdr) * needed, const char *path)
{
    char *copy = memmem(library->file, library->size, room, sizeof room);
    const ElfW(Shdr) *dynamic = section_of(library, SHT_DYNAMIC);
    if (copy == NULL || dynamic == NULL || needed->sh_size > ROOM - 8 ||
        address_of(library, copy) == 0)
        fail(path, "has no room for the versions of its symbols");
    copy += -(ElfW(Addr))copy % 8;
    memcpy(copy, content(library, needed), needed->sh_size);
    ask_for_versions(library, needed, copy);
    for (ElfW(Dyn) *entry = content(library, dynamic); entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_VERNEED)
            entry->d_un.d_ptr = address_of(library, copy);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        fail("usage", "own_symbols LIBRARY");
    library_t library = open_library(argv[1]);
    const ElfW(Shdr) *symbols = section_of(&library, SHT_DYNSYM);
    const ElfW(Shdr) *versions = section_of(&library, SHT_GNU_versym);
    const ElfW(Shdr) *needed = section_of(&library, SHT_GNU_verneed);
    if (symbols == NULL || versions == NULL || needed == NULL)
        return 0; /* a system without versions */
    forget_versions(&library, symbols, versions);
    use_copy(&library, needed, argv[1]);
    return munmap(library.file, library.size) == 0 ? 0 : 1;
}
