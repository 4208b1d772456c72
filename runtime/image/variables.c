/* SPDX-License-Identifier: BSD-3-Clause
 * The variables of the program: all between __data_start and _end, but for those that the linker
 * has copied from libraries, which use them. */
#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "act/image/image.h"
#include "image/memory/arena.h"
#include "image/memory/native.h"
#include "image/variables.h"

extern char __data_start[], _end[], __executable_start[], etext[];
extern char __start_xmpi_native[], __stop_xmpi_native[];
extern ElfW(Dyn) _DYNAMIC[] __attribute__((weak));

void *__real_realloc(void *pointer, size_t size);
int __real_mprotect(void *from, size_t size, int protection);

/* What is not the program's, in order; the same in every process. (Of the process, which still has
 * to know it when its program is elsewhere.) */
XMPI_NATIVE static xmpi_span_t *hole;
XMPI_NATIVE static size_t holes;

XMPI_NATIVE static char *thread_data;
XMPI_NATIVE static size_t thread_bytes;

/* The dynamic section in short. */
typedef struct {
    const ElfW(Rela) * table[2];
    size_t n[2];
    const ElfW(Sym) * symbol;
} relocations_t;

static relocations_t relocations(void)
{
    relocations_t r = {0};
    for (const ElfW(Dyn) *d = _DYNAMIC; d != NULL && d->d_tag != DT_NULL; d++)
        switch (d->d_tag) {
        case DT_RELA:
            r.table[0] = (const void *)d->d_un.d_ptr;
            break;
        case DT_RELASZ:
            r.n[0] = d->d_un.d_val / sizeof(ElfW(Rela));
            break;
        case DT_SYMTAB:
            r.symbol = (const void *)d->d_un.d_ptr;
            break;
        default:
            break;
        }
    return r;
}

static void add_hole(uintptr_t from, uintptr_t to)
{
    hole = __real_realloc(hole, (holes + 1) * sizeof *hole);
    if (hole == NULL)
        xmpi_arena_fail(XMPI_ARENA_NO_MEMORY);
    hole[holes++] = (xmpi_span_t){from, to};
}

static int by_address(const void *a, const void *b)
{
    const xmpi_span_t *one = a, *other = b;
    return one->from < other->from ? -1 : one->from > other->from;
}

static void find_holes(void)
{
    relocations_t r = relocations();
    add_hole((uintptr_t)__start_xmpi_native, (uintptr_t)__stop_xmpi_native);
    for (size_t i = 0; i < r.n[0]; i++)
        if (ELF64_R_TYPE(r.table[0][i].r_info) == R_X86_64_COPY) {
            const ElfW(Sym) *symbol = &r.symbol[ELF64_R_SYM(r.table[0][i].r_info)];
            add_hole(r.table[0][i].r_offset, r.table[0][i].r_offset + symbol->st_size);
        }
    qsort(hole, holes, sizeof *hole, by_address);
}

/* --- functions of libraries ---------------------------------------------------------------------
 *
 * A pointer to one would lead elsewhere in another process. So what the linker has resolved to such
 * a function leads to a jump instead, which is at the same place everywhere: "jmp *8(%rip)" and, in
 * the next 8 bytes but 2, where to. */

typedef struct {
    unsigned char code[8];
    uint64_t target;
} jump_t;

static jump_t *const jumps = (jump_t *)(XMPI_ARENA + (64ul << 10));
static const size_t jumps_room = (512ul << 10) / sizeof(jump_t);

/* The place of a relocation may be for reading only by now. */
static void write_to(uintptr_t place, uint64_t value)
{
    uintptr_t page = place & ~(uintptr_t)4095;
    bool data = place >= (uintptr_t)__data_start;
    if (!data && __real_mprotect((void *)page, 4096 * 2, PROT_READ | PROT_WRITE) != 0)
        return;
    memcpy((void *)place, &value, sizeof value);
}

static bool is_function(const relocations_t *r, const ElfW(Rela) * one)
{
    const ElfW(Sym) *symbol = &r->symbol[ELF64_R_SYM(one->r_info)];
    unsigned type = ELF64_R_TYPE(one->r_info);
    bool resolved = type == R_X86_64_64 || type == R_X86_64_GLOB_DAT;
    return resolved && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_value == 0 &&
           one->r_addend == 0;
}

static void divert_functions(void)
{
    static const unsigned char code[8] = {0xff, 0x25, 2, 0, 0, 0, 0x66, 0x90};
    relocations_t r = relocations();
    size_t n = 0;
    for (size_t i = 0; i < r.n[0] && n < jumps_room; i++) {
        const ElfW(Rela) *one = &r.table[0][i];
        uint64_t target = 0;
        if (!is_function(&r, one))
            continue;
        memcpy(&target, (const void *)one->r_offset, sizeof target);
        memcpy(jumps[n].code, code, sizeof code);
        jumps[n].target = target;
        if (target != 0) /* of a weak one that nobody has */
            write_to(one->r_offset, (uint64_t)(uintptr_t)&jumps[n]);
        n++;
    }
    __real_mprotect(jumps, jumps_room * sizeof *jumps, PROT_READ | PROT_EXEC);
}

static int note_thread_data(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS) {
            thread_data = info->dlpi_tls_data;
            thread_bytes = info->dlpi_phdr[i].p_memsz;
        }
    return 1; /* the program itself comes first */
}

void xmpi_variables_begin(void)
{
    dl_iterate_phdr(note_thread_data, NULL);
    find_holes();
    divert_functions();
}

size_t xmpi_variables_spans(xmpi_span_t *span, size_t most)
{
    uintptr_t at = (uintptr_t)__data_start, end = (uintptr_t)_end;
    size_t n = 0;
    for (size_t i = 0; i <= holes && n < most; i++) {
        uintptr_t until = i < holes && hole[i].from < end ? hole[i].from : end;
        if (until > at)
            span[n++] = (xmpi_span_t){at, until};
        if (i < holes && hole[i].to > at)
            at = hole[i].to;
    }
    return n;
}

char *xmpi_variables_of_thread(size_t *bytes)
{
    *bytes = thread_data != NULL ? thread_bytes : 0;
    return thread_data;
}

bool xmpi_variables_has(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    return (at >= XMPI_ARENA && at < XMPI_ARENA + (1ul << 40)) ||
           (at >= (uintptr_t)__data_start && at < (uintptr_t)_end);
}

bool xmpi_variables_is_code(const void *address)
{
    return (uintptr_t)address >= (uintptr_t)__executable_start &&
           (uintptr_t)address < (uintptr_t)etext;
}
