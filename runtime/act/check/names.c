/* SPDX-License-Identifier: BSD-3-Clause
 * What a place of the program's memory is called. */
#define _GNU_SOURCE
#include "act/check/names.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unwind.h>

#include "base/process/library.h"

/* --- symbols of the main program ----------------------------------------------------------------
 */

/* As it is written in the source: compilers number what would be there twice ("calls.0"), and
 * tell what they have made of a function ("step.constprop.0"). */
static bool put_name(const char *symbol, char *text, int size)
{
    return snprintf(text, (size_t)size, "%.*s", (int)strcspn(symbol, "."), symbol) > 0;
}

/* Of the symbol of this TYPE that OFFSET in the program's file is of; false without one. */
static bool find_in(const char *file, unsigned char type, uint64_t offset, char *text, int size)
{
    const Elf64_Ehdr *header = (const void *)file;
    const Elf64_Shdr *sections = (const void *)(file + header->e_shoff);
    for (int i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB)
            continue;
        const Elf64_Sym *symbol = (const void *)(file + sections[i].sh_offset);
        const char *names = file + sections[sections[i].sh_link].sh_offset;
        for (uint64_t k = 0; k < sections[i].sh_size / sizeof *symbol; k++)
            if (ELF64_ST_TYPE(symbol[k].st_info) == type && offset >= symbol[k].st_value &&
                offset < symbol[k].st_value + symbol[k].st_size)
                return put_name(names + symbol[k].st_name, text, size);
    }
    return false;
}

static int load_address(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    *(uintptr_t *)argument = info->dlpi_addr;
    return 1; /* the main program only */
}

static uint64_t offset_of(const char *at)
{
    uintptr_t base = 0;
    dl_iterate_phdr(load_address, &base);
    return (uint64_t)((uintptr_t)at - base);
}

static bool find_symbol(unsigned char type, const char *at, char *text, int size)
{
    struct stat status;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    void *file = fd >= 0 && fstat(fd, &status) == 0
                     ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                     : MAP_FAILED;
    bool is_elf = file != MAP_FAILED && status.st_size > (off_t)sizeof(Elf64_Ehdr) &&
                  memcmp(file, ELFMAG, SELFMAG) == 0 &&
                  ((const char *)file)[EI_CLASS] == ELFCLASS64;
    bool found = is_elf && find_in(file, type, offset_of(at), text, size);
    if (file != MAP_FAILED)
        munmap(file, (size_t)status.st_size);
    if (fd >= 0)
        close(fd);
    return found;
}

void xmpi_name_static(const char *at, char *text, int size)
{
    if (!find_symbol(STT_OBJECT, at, text, size))
        snprintf(text, (size_t)size, "a static variable (address 0x%" PRIx64 " of the program)",
                 offset_of(at));
}

/* --- frames -------------------------------------------------------------------------------------
 */

#define CALLS(X) X(_Unwind_Backtrace) X(_Unwind_GetCFA) X(_Unwind_GetIP)
static struct {
    CALLS(XMPI_LIBRARY_ADDRESS)
} unwind;
static const char *const names[] = {CALLS(XMPI_LIBRARY_NAME) NULL};
static xmpi_library_t library = {.file = "libgcc_s.so.1",
                                 .package = "libgcc-s1",
                                 .purpose = "functions that frames are of",
                                 .name = names,
                                 .function = &unwind};

/* From the innermost frame to main's: where a frame begins, the one below it ends. */
typedef struct {
    uintptr_t at;
    const char *code; /* of the function whose frame AT is in; NULL: not found */
} walk_t;

static _Unwind_Reason_Code visit(struct _Unwind_Context *frame, void *argument)
{
    walk_t *walk = argument;
    if (unwind._Unwind_GetCFA(frame) > walk->at)
        return _URC_NORMAL_STOP;
    walk->code = (const char *)unwind._Unwind_GetIP(frame) - 1; /* of the call, not behind it */
    return _URC_NO_REASON;
}

static bool name_function(const char *code, char *text, int size)
{
    Dl_info info;
    if (find_symbol(STT_FUNC, code, text, size))
        return true;
    return dladdr(code, &info) != 0 && info.dli_sname != NULL &&
           put_name(info.dli_sname, text, size);
}

void xmpi_name_stack(const char *at, char *text, int size)
{
    char name[96];
    walk_t walk = {.at = (uintptr_t)at};
    if (xmpi_library_load(&library, NULL) == XMPI_OK)
        unwind._Unwind_Backtrace(visit, &walk);
    if (walk.code != NULL && name_function(walk.code, name, sizeof name))
        snprintf(text, (size_t)size, "the stack of %s()", name);
    else
        snprintf(text, (size_t)size, "the stack");
}
