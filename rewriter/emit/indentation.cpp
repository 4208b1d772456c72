/* SPDX-License-Identifier: BSD-3-Clause
 * Statements are told apart by semicolons and braces in the text, as directives and macros may
 * stand anywhere. */
#include "emit/indentation.h"
#include <algorithm>
#include <clang/Lex/Lexer.h>

namespace xmpi
{
namespace
{

/* Sees the tokens of a file one after another, and says where the statement of each begins. */
class StatementTracker
{
  public:
    unsigned statementOf(llvm::StringRef token, unsigned offset)
    {
        if (afterBrace && !continues(token))
            ended = true;
        afterBrace = false;
        if (ended) {
            now = {offset, 0};
            first = token;
            count = 0;
        }
        ended = false;
        count++;
        return follow(token);
    }

  private:
    struct Level {
        unsigned begin;
        int parentheses;
    };

    std::vector<Level> outer;
    Level now = {0, 0};
    llvm::StringRef first;
    unsigned count = 0;
    bool ended = true, afterBrace = false;

    static bool continues(llvm::StringRef token)
    {
        return token == ";" || token == "," || token == ")" || token == "]" || token == "else" ||
               token == "while";
    }

    bool isLabel() const
    {
        return first == "case" || first == "default" || count == 2;
    }

    unsigned follow(llvm::StringRef token)
    {
        unsigned begin = now.begin;
        if (token == "{") {
            outer.push_back(now);
            ended = true;
        } else if (token == "}" && !outer.empty()) {
            now = outer.back();
            outer.pop_back();
            begin = now.begin;
            afterBrace = true;
        } else if (token == "(" || token == "[") {
            now.parentheses++;
        } else if (token == ")" || token == "]") {
            now.parentheses = std::max(now.parentheses - 1, 0);
        } else if (now.parentheses == 0) {
            ended = token == ";" || (token == ":" && isLabel());
        }
        return begin;
    }
};

} // namespace

Indentation::Indentation(const Source &source, const clang::LangOptions &language) : source(source)
{
    read(language);
    findUnit();
}

void Indentation::read(const clang::LangOptions &language)
{
    llvm::StringRef text = source.text();
    clang::Lexer lexer(source.location(0), language, text.begin(), text.begin(), text.end());
    StatementTracker tracker;
    bool directive = false;
    for (clang::Token token; !lexer.LexFromRawLexer(token) || token.isNot(clang::tok::eof);) {
        unsigned begin = source.offset(token.getLocation()), end = begin + token.getLength();
        if (token.isAtStartOfLine())
            directive = token.is(clang::tok::hash);
        if (!directive)
            tokens.push_back({begin, end, tracker.statementOf(text.slice(begin, end), begin)});
    }
}

void Indentation::findUnit()
{
    for (size_t i = 0; i + 1 < tokens.size(); i++)
        if (source.text()[tokens[i].begin] == '{' && ofLine(tokens[i].begin).empty()) {
            std::string inner = ofLine(tokens[i + 1].begin);
            if (!inner.empty()) {
                level = inner;
                return;
            }
        }
}

const Indentation::Token *Indentation::lastBefore(unsigned offset) const
{
    auto after =
        std::upper_bound(tokens.begin(), tokens.end(), offset,
                         [](unsigned value, const Token &token) { return value < token.end; });
    return after == tokens.begin() ? nullptr : &*std::prev(after);
}

std::string Indentation::ofLine(unsigned offset) const
{
    llvm::StringRef line = source.text({offset - source.column(offset), offset});
    return line.take_while([](char c) { return c == ' ' || c == '\t'; }).str();
}

std::string Indentation::ofStatementBefore(unsigned offset) const
{
    const Token *token = lastBefore(offset);
    return token == nullptr ? "" : ofLine(token->statement);
}

std::string Indentation::ofStatementFrom(unsigned offset) const
{
    auto token =
        std::lower_bound(tokens.begin(), tokens.end(), offset,
                         [](const Token &token, unsigned value) { return token.begin < value; });
    return token == tokens.end() ? "" : ofLine(token->statement);
}

std::string Indentation::ofLineBefore(unsigned offset) const
{
    const Token *token = lastBefore(offset);
    return token == nullptr ? "" : ofLine(token->begin);
}

llvm::StringRef Indentation::tokenBefore(unsigned offset) const
{
    const Token *token = lastBefore(offset);
    return token == nullptr ? "" : source.text({token->begin, token->end});
}

} // namespace xmpi
