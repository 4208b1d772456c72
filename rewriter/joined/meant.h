/* SPDX-License-Identifier: BSD-3-Clause
 * Which names of a file stand for something that others have no part in. */
#ifndef XMPI_REWRITER_MEANT_H
#define XMPI_REWRITER_MEANT_H

#include <clang/Basic/SourceLocation.h>
#include <functional>
#include <set>

namespace clang
{
class ASTContext;
class NamedDecl;
} // namespace clang

namespace xmpi
{

/* Where, as it is spelled, a name is that of a member, of a label, or of something at file scope
 * that IS_OWN denies: these keep their names where what the file has for itself under the same name
 * gets another one. (A place of a macro that means now this, now that is none of them.) */
std::set<clang::SourceLocation>
keptPlaces(clang::ASTContext &context, const std::function<bool(const clang::NamedDecl *)> &isOwn);

} // namespace xmpi
#endif
