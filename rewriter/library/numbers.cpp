/* SPDX-License-Identifier: BSD-3-Clause
 * Goes by the table of library functions, and where they are declared. */
#include "library/numbers.h"
#include "compat.h"
#include "library/library.h"
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>

namespace xmpi
{

static bool isForMemory(llvm::StringRef name)
{
    return endsWith(name, "memalign") || endsWith(name, "free");
}

bool makesNumbers(const clang::FunctionDecl *function)
{
    const clang::SourceManager &manager = function->getASTContext().getSourceManager();
    const clang::QualType type = function->getReturnType();
    const llvm::StringRef name =
        function->getIdentifier() != nullptr ? function->getName() : llvm::StringRef();
    const Deed deed = deedOf(name);
    const bool ofMpi = startsWith(name, "MPI_") || startsWith(name, "PMPI_");
    return function->getDefinition() == nullptr && !name.empty() && !startsWith(name, "_") &&
           !ofMpi && manager.isInSystemHeader(function->getLocation()) && !function->isVariadic() &&
           (type->isArithmeticType() || type->isVoidType()) && !isForMemory(name) &&
           (deed == Deed::Computes || deed == Deed::Random);
}

} // namespace xmpi
