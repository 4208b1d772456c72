/* SPDX-License-Identifier: BSD-3-Clause
 * What differs between the versions of LLVM: the only file that may test CLANG_VERSION_MAJOR. */
#ifndef XMPI_REWRITER_COMPAT_H
#define XMPI_REWRITER_COMPAT_H

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/Version.h>
#include <llvm/ADT/StringRef.h>
#include <vector>

namespace xmpi
{

inline bool startsWith(llvm::StringRef text, llvm::StringRef prefix)
{
#if CLANG_VERSION_MAJOR >= 16
    return text.starts_with(prefix);
#else
    return text.startswith(prefix);
#endif
}

inline bool endsWith(llvm::StringRef text, llvm::StringRef suffix)
{
#if CLANG_VERSION_MAJOR >= 16
    return text.ends_with(suffix);
#else
    return text.endswith(suffix);
#endif
}

/* Whether a diagnostic of clang's says that a name is not declared. */
inline bool saysUndeclared(unsigned id)
{
    return id == clang::diag::err_undeclared_var_use ||
           id == clang::diag::err_undeclared_var_use_suggest;
}

/* A block of STATEMENTS in place of BLOCK. */
inline clang::CompoundStmt *blockOf(clang::ASTContext &context,
                                    const std::vector<clang::Stmt *> &statements,
                                    const clang::CompoundStmt &block)
{
#if CLANG_VERSION_MAJOR >= 15
    return clang::CompoundStmt::Create(context, statements, block.getStoredFPFeaturesOrDefault(),
                                       block.getLBracLoc(), block.getRBracLoc());
#else
    return clang::CompoundStmt::Create(context, statements, block.getLBracLoc(),
                                       block.getRBracLoc());
#endif
}

} // namespace xmpi
#endif
