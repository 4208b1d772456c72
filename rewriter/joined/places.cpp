/* SPDX-License-Identifier: BSD-3-Clause
 * Tells files of one text apart by the #line that each of several begins with. */
#include "joined/places.h"

namespace xmpi
{

using namespace clang;

/* (Without a #line, a text is a single file.) */
std::string otherFile(const SourceManager &manager, SourceLocation place, SourceLocation at)
{
    place = manager.getExpansionLoc(place);
    if (place.isInvalid() || !manager.isInMainFile(place))
        return "";
    const PresumedLoc file = manager.getPresumedLoc(place),
                      here = manager.getPresumedLoc(manager.getExpansionLoc(at));
    if (file.isInvalid() || here.isInvalid() || file.getFilename() == manager.getFilename(place) ||
        llvm::StringRef(file.getFilename()) == here.getFilename())
        return "";
    return file.getFilename();
}

std::string lineOf(const SourceManager &manager, SourceLocation place, SourceLocation at)
{
    place = manager.getExpansionLoc(place);
    const PresumedLoc file = manager.getPresumedLoc(place),
                      here = manager.getPresumedLoc(manager.getExpansionLoc(at));
    if (file.isInvalid())
        return "?";
    const bool other =
        here.isInvalid() || llvm::StringRef(file.getFilename()) != here.getFilename();
    return std::to_string(file.getLine()) + (other ? " of " + std::string(file.getFilename()) : "");
}

} // namespace xmpi
