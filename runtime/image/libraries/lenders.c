/* SPDX-License-Identifier: BSD-3-Clause
 * Lenders. Libraries call the functions of the C library by addresses in tables of theirs, which
 * the dynamic linker has filled: those of the program's own libraries lead to functions here. */
#define _GNU_SOURCE
#include "image/libraries/lenders.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "act/image/image.h"
#include "image/memory/lent.h"
#include "image/memory/memory.h"
#include "image/memory/native.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_reallocarray(void *piece, size_t n, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__real_memalign(size_t alignment, size_t size);
void *__real_valloc(size_t size);
int __real_posix_memalign(void **piece, size_t alignment, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t most);
int __real_mprotect(void *from, size_t size, int protection);

/* --- what libraries call instead ----------------------------------------------------------------
 *
 * (What the program gives them to be freed or resized is in its arena.) */

#define NOTE(piece) xmpi_lent_note(piece, (uintptr_t)__builtin_return_address(0))

static void *lend_malloc(size_t size)
{
    return NOTE(__real_malloc(size));
}

static void *lend_calloc(size_t n, size_t size)
{
    return NOTE(__real_calloc(n, size));
}

static void *lend_realloc(void *piece, size_t size)
{
    return piece != NULL ? __wrap_realloc(piece, size) : NOTE(__real_malloc(size));
}

static void *lend_reallocarray(void *piece, size_t n, size_t size)
{
    return piece != NULL ? __wrap_reallocarray(piece, n, size)
                         : NOTE(__real_reallocarray(NULL, n, size));
}

static void *lend_aligned_alloc(size_t alignment, size_t size)
{
    return NOTE(__real_aligned_alloc(alignment, size));
}

static void *lend_memalign(size_t alignment, size_t size)
{
    return NOTE(__real_memalign(alignment, size));
}

static void *lend_valloc(size_t size)
{
    return NOTE(__real_valloc(size));
}

static int lend_posix_memalign(void **piece, size_t alignment, size_t size)
{
    int result = __real_posix_memalign(piece, alignment, size);
    if (result == 0)
        NOTE(*piece);
    return result;
}

static char *lend_strdup(const char *text)
{
    return NOTE(__real_strdup(text));
}

static char *lend_strndup(const char *text, size_t most)
{
    return NOTE(__real_strndup(text, most));
}

static const xmpi_diverted_t memory[] = {
    {"malloc", (void (*)(void))lend_malloc},
    {"calloc", (void (*)(void))lend_calloc},
    {"realloc", (void (*)(void))lend_realloc},
    {"reallocarray", (void (*)(void))lend_reallocarray},
    {"aligned_alloc", (void (*)(void))lend_aligned_alloc},
    {"memalign", (void (*)(void))lend_memalign},
    {"valloc", (void (*)(void))lend_valloc},
    {"posix_memalign", (void (*)(void))lend_posix_memalign},
    {"strdup", (void (*)(void))lend_strdup},
    {"__strdup", (void (*)(void))lend_strdup},
    {"strndup", (void (*)(void))lend_strndup},
    {"__strndup", (void (*)(void))lend_strndup},
    {"free", (void (*)(void))__wrap_free},
    {"cfree", (void (*)(void))__wrap_free},
};

/* Those of streams, of which the linker makes one table (XMPI_DIVERT). */
extern const xmpi_diverted_t __start_xmpi_diverted[], __stop_xmpi_diverted[];

/* What is called instead of NAME; 0: that itself. */
static uintptr_t instead_of(const char *name)
{
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        if (strcmp(name, memory[i].name) == 0)
            return (uintptr_t)memory[i].instead;
    for (const xmpi_diverted_t *d = __start_xmpi_diverted; d < __stop_xmpi_diverted; d++)
        if (strcmp(name, d->name) == 0)
            return (uintptr_t)d->instead;
    return 0;
}

/* --- the program's own libraries ----------------------------------------------------------------
 */

enum { LIBRARIES = 256 };

typedef struct {
    const char *name; /* as the dynamic linker has found it; of the program itself empty */
    uintptr_t base;
    const ElfW(Dyn) * dynamic;
    const ElfW(Phdr) * part;
    int parts;
    bool programs, everybodys; /* the program needs it; one of known[] does, or is it */
} library_t;

/* Of this process; the first one is the program. (More cannot come without a call of dlopen, with
 * which the program stays anyway.) */
XMPI_NATIVE static library_t library[LIBRARIES];
XMPI_NATIVE static int libraries;

/* Those that every process has, and starts anew (OpenMP: image/libraries/openmp.h). */
static const char *const known[] = {"libxmpi",      "libmpi",     "libmpich",     "libmpicxx",
                                    "libmpichcxx",  "libmpifort", "libmpichfort", "libmpi_cxx",
                                    "libmpi_mpifh", "libgomp",    "libomp",       "libiomp5"};

static int add(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    if (libraries == LIBRARIES)
        return 1;
    library_t *one = &library[libraries++];
    *one = (library_t){.name = info->dlpi_name,
                       .base = info->dlpi_addr,
                       .part = info->dlpi_phdr,
                       .parts = info->dlpi_phnum};
    for (int i = 0; i < one->parts; i++)
        if (one->part[i].p_type == PT_DYNAMIC)
            one->dynamic = (const void *)(one->base + one->part[i].p_vaddr);
    return 0;
}

static bool has(const library_t *one, uintptr_t address)
{
    for (int i = 0; i < one->parts; i++) {
        uintptr_t from = one->base + one->part[i].p_vaddr;
        if (one->part[i].p_type == PT_LOAD && address >= from &&
            address < from + one->part[i].p_memsz)
            return true;
    }
    return false;
}

/* The value of TAG in the dynamic section; 0: there is none. */
static uintptr_t value_of(const library_t *one, ElfW(Sxword) tag)
{
    for (const ElfW(Dyn) *d = one->dynamic; d != NULL && d->d_tag != DT_NULL; d++)
        if (d->d_tag == tag)
            return d->d_un.d_ptr;
    return 0;
}

/* A table that the dynamic section leads to: by its address, or, in what the kernel has mapped, as
 * the file has it. NULL: there is none. */
static const void *table_of(const library_t *one, ElfW(Sxword) tag)
{
    uintptr_t value = value_of(one, tag);
    if (value == 0 || has(one, value))
        return (const void *)value;
    return has(one, one->base + value) ? (const void *)(one->base + value) : NULL;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static bool is_called(const library_t *one, const char *name)
{
    const char *texts = table_of(one, DT_STRTAB);
    uintptr_t own = value_of(one, DT_SONAME);
    return strcmp(base_name(one->name), base_name(name)) == 0 ||
           (own != 0 && texts != NULL && strcmp(texts + own, name) == 0);
}

/* All that library I needs, and what these need, are what it is. */
static void mark(int i, bool everybodys)
{
    library_t *one = &library[i];
    const char *texts = table_of(one, DT_STRTAB);
    bool *mine = everybodys ? &one->everybodys : &one->programs;
    if (*mine || texts == NULL)
        return;
    *mine = true;
    for (const ElfW(Dyn) *d = one->dynamic; d != NULL && d->d_tag != DT_NULL; d++)
        for (int k = 1; d->d_tag == DT_NEEDED && k < libraries; k++)
            if (is_called(&library[k], texts + d->d_un.d_val))
                mark(k, everybodys);
}

static bool is_known(const library_t *one)
{
    const char *name = base_name(one->name);
    size_t length = strcspn(name, ".");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]) == length && strncmp(name, known[i], length) == 0)
            return true;
    return false;
}

/* What of PLACE has been made for reading only, once it was filled. */
static bool is_sealed(const library_t *one, uintptr_t place)
{
    for (int i = 0; i < one->parts; i++) {
        uintptr_t from = one->base + one->part[i].p_vaddr;
        if (one->part[i].p_type == PT_GNU_RELRO && place >= from &&
            place < from + one->part[i].p_memsz)
            return true;
    }
    return false;
}

static void write_to(const library_t *one, uintptr_t place, uintptr_t value)
{
    size_t page = (size_t)getpagesize();
    void *from = (void *)(place & ~(uintptr_t)(page - 1));
    bool sealed = is_sealed(one, place);
    if (sealed && __real_mprotect(from, page, PROT_READ | PROT_WRITE) != 0)
        return;
    *(uintptr_t *)place = value;
    if (sealed)
        __real_mprotect(from, page, PROT_READ);
}

/* A library that has such a function of its own knows what it does. */
static void divert(const library_t *one, const ElfW(Rela) * table, size_t bytes)
{
    const ElfW(Sym) *symbols = table_of(one, DT_SYMTAB);
    const char *texts = table_of(one, DT_STRTAB);
    for (size_t i = 0; table != NULL && i < bytes / sizeof *table; i++) {
        unsigned type = ELF64_R_TYPE(table[i].r_info);
        const ElfW(Sym) *symbol = &symbols[ELF64_R_SYM(table[i].r_info)];
        bool leads = type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT ||
                     (type == R_X86_64_64 && table[i].r_addend == 0);
        if (!leads || symbol->st_shndx != SHN_UNDEF)
            continue;
        uintptr_t instead = instead_of(texts + symbol->st_name);
        if (instead != 0)
            write_to(one, one->base + table[i].r_offset, instead);
    }
}

static bool lends(const library_t *one)
{
    return one->programs && !one->everybodys;
}

void xmpi_lenders_begin(void)
{
    dl_iterate_phdr(add, NULL);
    mark(0, false);
    for (int i = 1; i < libraries; i++)
        if (is_known(&library[i]))
            mark(i, true);
    for (int i = 1; i < libraries; i++) {
        const library_t *one = &library[i];
        if (!lends(one))
            continue;
        divert(one, table_of(one, DT_JMPREL), value_of(one, DT_PLTRELSZ));
        divert(one, table_of(one, DT_RELA), value_of(one, DT_RELASZ));
    }
}

/* --- asking -------------------------------------------------------------------------------------
 */

/* Of the library that CALLER is in. A function that ends with the call has its own caller's; where
 * that is the program, and only one library can have been it, it was that one. */
static const char *name_of(uintptr_t caller)
{
    const char *only = NULL;
    int lenders = 0;
    for (int i = 1; i < libraries; i++) {
        if (!lends(&library[i]))
            continue;
        if (has(&library[i], caller))
            return base_name(library[i].name);
        only = base_name(library[i].name);
        lenders++;
    }
    return lenders == 1 ? only : "a shared library";
}

void xmpi_lenders_held(char *why)
{
    uintptr_t caller;
    if (xmpi_lent_any(&caller))
        snprintf(why, XMPI_IMAGE_WHY_MAX, "memory that %s has allocated is in use",
                 name_of(caller));
}
