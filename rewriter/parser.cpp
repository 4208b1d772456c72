/* SPDX-License-Identifier: BSD-3-Clause
 * How sources are parsed. */
#include "parser.h"
#include "compat.h"
#include "library/openmp.h"
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>

namespace xmpi
{
namespace
{

/* A region of OpenMP's is looked at as what it is without: its statements, run once. */
void addFlags(std::vector<std::string> &command, const std::vector<std::string> &flags)
{
    for (const std::string &flag : flags)
        if (!startsWith(flag, "-fopenmp"))
            command.push_back(flag);
        else if (flag != "-fopenmp-simd")
            command.push_back("-D_OPENMP=201511");
    command.insert(command.end(), {"-idirafter", openmpFolder}); /* gcc has it in any case */
}

/* What gcc takes with a warning in all versions that are around, and clang as an error: the
 * compiler decides on it. */
const char *const gccWarnings[] = {
    "implicit-function-declaration",       "implicit-int", "int-conversion",
    "incompatible-function-pointer-types", "return-type",  "return-mismatch"};

} // namespace

std::vector<std::string> parserCommand(const std::string &source,
                                       const std::vector<std::string> &flags)
{
    std::vector<std::string> command = {"xmpi-rewrite",
                                        "-fsyntax-only",
                                        "-w",
                                        "-fno-spell-checking",
                                        "-fno-caret-diagnostics",
                                        "-x",
                                        "c",
                                        "-resource-dir",
                                        XMPI_RESOURCE_DIR};
    addFlags(command, flags);
    for (const char *warning : gccWarnings)
        command.push_back(std::string("-Wno-error=") + warning);
    command.push_back("--");
    command.push_back(source);
    return command;
}

llvm::IntrusiveRefCntPtr<clang::FileManager> filesWith(const std::string &source,
                                                       llvm::StringRef text)
{
    llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> own(new llvm::vfs::InMemoryFileSystem);
    own->addFile(std::string(openmpFolder) + "/omp.h", 0,
                 llvm::MemoryBuffer::getMemBuffer(openmpHeader));
    llvm::SmallString<256> path(source);
    llvm::sys::fs::make_absolute(path);
    if (!text.empty())
        own->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
    llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> all(
        new llvm::vfs::OverlayFileSystem(llvm::vfs::getRealFileSystem()));
    all->pushOverlay(own);
    return new clang::FileManager(clang::FileSystemOptions(), all);
}

} // namespace xmpi
