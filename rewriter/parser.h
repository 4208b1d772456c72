/* SPDX-License-Identifier: BSD-3-Clause
 * How sources are parsed: the command for clang's parser, and the files that it sees. */
#ifndef XMPI_REWRITER_PARSER_H
#define XMPI_REWRITER_PARSER_H

#include <clang/Basic/FileManager.h>
#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/ADT/StringRef.h>
#include <string>
#include <vector>

namespace xmpi
{

/* What the parser is told to read SOURCE, where the user's command has FLAGS. */
std::vector<std::string> parserCommand(const std::string &source,
                                       const std::vector<std::string> &flags);

/* The files that there are, with those of ours, and TEXT in place of SOURCE where it is not empty.
 */
llvm::IntrusiveRefCntPtr<clang::FileManager> filesWith(const std::string &source,
                                                       llvm::StringRef text);

} // namespace xmpi
#endif
