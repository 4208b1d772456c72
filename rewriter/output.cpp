/* SPDX-License-Identifier: BSD-3-Clause */
#include "output.h"
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>

namespace xmpi
{

namespace
{

std::error_code writeTo(int descriptor, llvm::StringRef text)
{
    llvm::raw_fd_ostream stream(descriptor, true);
    stream << text;
    stream.close();
    std::error_code error = stream.error();
    stream.clear_error();
    return error;
}

std::error_code replaceFile(const std::string &path, llvm::StringRef text)
{
    llvm::SmallString<128> temporary;
    int descriptor;
    std::error_code error = llvm::sys::fs::createUniqueFile(
        path + ".%%%%%%", descriptor, temporary, llvm::sys::fs::OF_None,
        llvm::sys::fs::all_read | llvm::sys::fs::owner_write);
    if (error)
        return error;
    error = writeTo(descriptor, text);
    if (!error)
        error = llvm::sys::fs::rename(temporary, path);
    if (error)
        llvm::sys::fs::remove(temporary);
    return error;
}

} // namespace

bool writeFile(const std::string &path, llvm::StringRef text)
{
    int descriptor;
    bool isDevice = false;
    std::error_code error;
    if (llvm::sys::fs::is_other(path, isDevice) || !isDevice) /* or there is none yet */
        error = replaceFile(path, text);
    else if (!(error = llvm::sys::fs::openFileForWrite(path, descriptor,
                                                       llvm::sys::fs::CD_OpenExisting)))
        error = writeTo(descriptor, text);
    if (error)
        llvm::errs() << "xmpi-rewrite: cannot write " << path << ": " << error.message() << "\n";
    return !error;
}

} // namespace xmpi
