/* SPDX-License-Identifier: BSD-3-Clause
 * Corrections that mark a statement of the prologue by a pragma. */
#include "report/marks.h"

namespace xmpi
{

using namespace clang;

bool isWithin(const Analysis &analysis, const Stmt *statement, SourceLocation where)
{
    const Span span = analysis.source.statement(statement);
    const unsigned offset = analysis.source.offset(where);
    return offset >= span.begin && offset < span.end;
}

Fix markBefore(const Analysis &analysis, const Stmt *statement, llvm::StringRef directive)
{
    if (statement->getBeginLoc().isMacroID())
        return Fix();
    unsigned begin = analysis.source.statement(statement).begin;
    unsigned line = begin - analysis.source.column(begin);
    bool first = analysis.source.text({line, begin}).trim().empty();
    std::string text = (first ? "#pragma xmpi " : "\n#pragma xmpi ") + directive.str() + "\n";
    return Fix::CreateInsertion(analysis.source.location(first ? line : begin), text);
}

Fix markAt(const Analysis &analysis, SourceLocation where, const Place &place,
           llvm::StringRef directive)
{
    for (const Item &item : analysis.prologue) {
        if (!isWithin(analysis, item.statement, where))
            continue;
        for (const Mention &mention : item.effects.mentions)
            if (overlap(mention.place, place))
                return mention.assigned ? markBefore(analysis, item.statement, directive) : Fix();
        return markBefore(analysis, item.statement, directive);
    }
    return Fix();
}

} // namespace xmpi
