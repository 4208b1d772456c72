/* SPDX-License-Identifier: BSD-3-Clause
 * From AST nodes to the text of the main file. */
#include "source/source.h"
#include "source/struct_members.h"
#include <clang/AST/Expr.h>
#include <clang/Lex/Lexer.h>
#include <algorithm>
#include <climits>

namespace xmpi
{

Source::Source(const clang::SourceManager &manager, const clang::LangOptions &language,
               const StructMembers &members)
    : manager(manager), language(language), members(members),
      buffer(manager.getBufferData(manager.getMainFileID()))
{
}

unsigned Source::offset(clang::SourceLocation location) const
{
    return manager.getFileOffset(manager.getExpansionLoc(location));
}

bool Source::inMain(clang::SourceLocation location) const
{
    return location.isValid() &&
           manager.getFileID(manager.getExpansionLoc(location)) == manager.getMainFileID();
}

clang::SourceLocation Source::location(unsigned offset) const
{
    return manager.getLocForStartOfFile(manager.getMainFileID())
        .getLocWithOffset(static_cast<int>(offset));
}

unsigned Source::endOfToken(clang::SourceLocation location) const
{
    clang::CharSourceRange use = manager.getExpansionRange(location);
    unsigned end = manager.getFileOffset(use.getEnd());
    if (use.isTokenRange())
        end += clang::Lexer::MeasureTokenLength(use.getEnd(), manager, language);
    return end;
}

/* Expression statements and the like do not know their semicolon: it is the next token. */
static const clang::Stmt *lastPart(const clang::Stmt *statement)
{
    using namespace clang;
    while (true) {
        const Stmt *next = nullptr;
        if (const auto *choice = dyn_cast<IfStmt>(statement))
            next = choice->getElse() ? choice->getElse() : choice->getThen();
        else if (const auto *loop = dyn_cast<ForStmt>(statement))
            next = loop->getBody();
        else if (const auto *loop = dyn_cast<WhileStmt>(statement))
            next = loop->getBody();
        else if (const auto *choice = dyn_cast<SwitchStmt>(statement))
            next = choice->getBody();
        else if (const auto *label = dyn_cast<SwitchCase>(statement))
            next = label->getSubStmt();
        else if (const auto *label = dyn_cast<LabelStmt>(statement))
            next = label->getSubStmt();
        else if (const auto *attributed = dyn_cast<AttributedStmt>(statement))
            next = attributed->getSubStmt();
        if (next == nullptr)
            return statement;
        statement = next;
    }
}

unsigned Source::endOfStatement(const clang::Stmt *statement) const
{
    statement = lastPart(statement);
    unsigned end = endOfToken(statement->getEndLoc());
    if (clang::isa<clang::CompoundStmt>(statement) || clang::isa<clang::NullStmt>(statement) ||
        clang::isa<clang::DeclStmt>(statement))
        return end;
    clang::Token token;
    if (!clang::Lexer::getRawToken(location(end), token, manager, language, true) &&
        token.is(clang::tok::semi))
        return offset(token.getLocation()) + 1;
    return end;
}

Span Source::statement(const clang::Stmt *statement) const
{
    return {offset(statement->getBeginLoc()), endOfStatement(statement)};
}

Span Source::expression(const clang::Stmt *expression) const
{
    clang::SourceRange range = rangeOf(expression);
    return {offset(range.getBegin()), endOfToken(range.getEnd())};
}

/* (The name of a member's variable stands for more than one word.) */
clang::SourceRange Source::rangeOf(const clang::Stmt *expression) const
{
    const auto *reference = clang::dyn_cast<clang::DeclRefExpr>(expression);
    const clang::MemberExpr *member = reference ? members.written(reference) : nullptr;
    return member != nullptr ? member->getSourceRange() : expression->getSourceRange();
}

std::string Source::written(const clang::Expr *expression) const
{
    return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(rangeOf(expression)),
                                       manager, language)
        .str();
}

std::string Source::spelled(const clang::Expr *expression) const
{
    std::string text = written(expression);
    if (text.empty()) {
        llvm::raw_string_ostream out(text);
        expression->printPretty(out, nullptr, clang::PrintingPolicy(language));
    }
    return text;
}

unsigned Source::equalSign(unsigned from) const
{
    clang::Lexer lexer(manager.getLocForStartOfFile(manager.getMainFileID()), language,
                       buffer.begin(), buffer.begin() + from, buffer.end());
    clang::Token token;
    int depth = 0;
    while (!lexer.LexFromRawLexer(token)) {
        if (token.isOneOf(clang::tok::l_paren, clang::tok::l_square))
            depth++;
        else if (token.isOneOf(clang::tok::r_paren, clang::tok::r_square))
            depth = std::max(0, depth - 1); /* (it may begin inside: `(*name)(int)`) */
        else if (token.is(clang::tok::equal) && depth == 0)
            return offset(token.getLocation());
        else if (token.is(clang::tok::semi))
            break;
    }
    return UINT_MAX;
}

unsigned Source::constWord(unsigned begin, unsigned name) const
{
    if (begin > name)
        return UINT_MAX;
    llvm::StringRef declaration =
        text({begin, name}).take_until([](char c) { return c == '=' || c == ','; });
    if (declaration.contains("/*") || declaration.contains("//") || declaration.contains('*'))
        return UINT_MAX;
    unsigned found = UINT_MAX;
    for (size_t at = declaration.find("const"); at != llvm::StringRef::npos;
         at = declaration.find("const", at + 1)) {
        auto isWord = [](char c) { return clang::isAsciiIdentifierContinue(c); };
        bool whole = (at == 0 || !isWord(declaration[at - 1])) &&
                     (at + 5 == declaration.size() || !isWord(declaration[at + 5]));
        if (!whole || found != UINT_MAX)
            return UINT_MAX;
        found = begin + static_cast<unsigned>(at);
    }
    return found;
}

unsigned Source::line(unsigned offset) const
{
    return manager.getPresumedLoc(location(offset)).getLine();
}

unsigned Source::column(unsigned offset) const
{
    size_t newline = buffer.take_front(offset).rfind('\n');
    if (newline == llvm::StringRef::npos)
        return offset;
    return offset - static_cast<unsigned>(newline) - 1;
}

std::string Source::fileName(unsigned offset) const
{
    return manager.getPresumedLoc(location(offset)).getFilename();
}

std::string Source::position(clang::SourceLocation location) const
{
    clang::PresumedLoc presumed = manager.getPresumedLoc(manager.getExpansionLoc(location));
    return std::string(presumed.getFilename()) + ":" + std::to_string(presumed.getLine());
}

std::string quoted(llvm::StringRef text)
{
    std::string result = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        result += c;
    }
    return result + "\"";
}

} // namespace xmpi
