/* SPDX-License-Identifier: BSD-3-Clause
 * The table of them. */
#include "library/traits.h"
#include "compat.h"
#include <llvm/ADT/SmallVector.h>
#include <map>

namespace xmpi
{

namespace
{

struct Entry {
    Trait trait;
    const char *names; /* with blanks between */
};

constexpr Entry table[] = {
    {Trait::GivesMemory,
     "malloc calloc aligned_alloc alloca memalign valloc strdup strndup _mm_malloc"},
    {Trait::Copies, "memcpy memmove mempcpy"},
    {Trait::HandsBack,
     "memcpy memmove memset mempcpy memchr memrchr strcpy strncpy stpcpy strcat strncat strchr "
     "strrchr strchrnul strstr strcasestr strpbrk index rindex fgets assume_aligned"},
    {Trait::ReadsTarget,
     "rand_r erand48 nrand48 jrand48 drand48_r random_r lrand48_r qsort qsort_r strcat strncat "
     "MPI_Sendrecv_replace MPI_Isendrecv_replace"},
    {Trait::AtTold,
     "MPI_File_read_at MPI_File_read_at_all MPI_File_write_at MPI_File_write_at_all "
     "MPI_File_iread_at MPI_File_iread_at_all MPI_File_iwrite_at MPI_File_iwrite_at_all "
     "MPI_File_read_at_all_begin MPI_File_read_at_all_end MPI_File_write_at_all_begin "
     "MPI_File_write_at_all_end"},
    {Trait::ForEnd, "atexit at_quick_exit on_exit MPI_Comm_create_keyval MPI_Keyval_create"},
    {Trait::NotLater,
     "at_quick_exit atexit bsearch call_once ftw ftw64 glob glob64 lfind lsearch nftw nftw64 "
     "on_exit pthread_once qsort qsort_r scandir scandir64 tdelete tdestroy tfind tsearch twalk "
     "twalk_r"},
};

} // namespace

std::vector<llvm::StringRef> namesWith(Trait trait)
{
    llvm::SmallVector<llvm::StringRef, 32> names;
    for (const Entry &entry : table)
        if (entry.trait == trait)
            llvm::StringRef(entry.names).split(names, ' ');
    return {names.begin(), names.end()};
}

bool has(llvm::StringRef name, Trait trait)
{
    static std::map<Trait, std::vector<llvm::StringRef>> index;
    auto [at, fresh] = index.try_emplace(trait);
    if (fresh)
        at->second = namesWith(trait);
    name.consume_front("__builtin_");
    if (startsWith(name, "PMPI_"))
        name = name.drop_front();
    if (startsWith(name, "MPI_"))
        name.consume_back("_c"); /* of long counts */
    return llvm::find(at->second, name) != at->second.end();
}

} // namespace xmpi
