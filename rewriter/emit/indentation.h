/* SPDX-License-Identifier: BSD-3-Clause
 * How far the statements of the main file are indented. Wrong answers look bad and do no harm. */
#ifndef XMPI_REWRITER_INDENTATION_H
#define XMPI_REWRITER_INDENTATION_H

#include "source/source.h"
#include <string>
#include <vector>

namespace xmpi
{

class Indentation
{
  public:
    Indentation(const Source &source, const clang::LangOptions &language);

    /* The blanks before the statement whose last token before OFFSET it is. */
    std::string ofStatementBefore(unsigned offset) const;
    /* The blanks before the statement with the first token from OFFSET on. */
    std::string ofStatementFrom(unsigned offset) const;
    /* The blanks before the line with the last token before OFFSET, and that token. */
    std::string ofLineBefore(unsigned offset) const;
    llvm::StringRef tokenBefore(unsigned offset) const;

    /* One level: what the body of the first function is indented by. */
    const std::string &unit() const
    {
        return level;
    }

  private:
    struct Token {
        unsigned begin, end, statement; /* offsets; that of the first token of its statement */
    };

    const Source &source;
    std::vector<Token> tokens;
    std::string level = "    ";

    void read(const clang::LangOptions &language);
    void findUnit();
    const Token *lastBefore(unsigned offset) const;
    std::string ofLine(unsigned offset) const;
};

} // namespace xmpi
#endif
