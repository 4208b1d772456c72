/* SPDX-License-Identifier: BSD-3-Clause
 * `#pragma xmpi loop movable`. */
#include "source/movable.h"
#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

namespace xmpi
{

using clang::Token;
namespace tok = clang::tok;

namespace
{

/* What every file with a movable loop begins with. */
const char head[] =
    "extern void xmpi_gen_program(int); extern void xmpi_gen_movable(const char *); "
    "extern void xmpi_gen_link_this_with_xmpicc(void); "
    "__attribute__((used)) static void (*const xmpi_gen_hint)(void) = "
    "xmpi_gen_link_this_with_xmpicc; "
    "__attribute__((constructor)) static void xmpi_gen_has_movable_loops(void) "
    "{ xmpi_gen_program(1); }\n";

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

/* Goes through the tokens of the file as they stand there. */
class Inserter
{
  public:
    Inserter(llvm::StringRef text, llvm::StringRef name, bool readable)
        : text(text), name(name), readable(readable), language(languageOptions()),
          lexer(clang::SourceLocation(), language, text.begin(), text.begin(), text.end())
    {
    }

    MovableFile run()
    {
        for (next(); token.isNot(tok::eof) && file.error.empty();)
            if (token.is(tok::hash) && token.isAtStartOfLine())
                directive();
            else
                next();
        if (!file.lines.empty() && others != 0 && file.error.empty())
            fail(others, "a file with a movable loop has no other #pragma xmpi: nothing else is "
                         "needed, or can be used");
        file.text += text.substr(copied);
        file.text = head + (readable ? "" : "#line 1 " + quoted(name) + "\n") + file.text;
        return file;
    }

  private:
    llvm::StringRef text, name;
    bool readable;
    clang::LangOptions language;
    clang::Lexer lexer;
    Token token;
    unsigned begin = 0; /* of the token */
    unsigned copied = 0;
    unsigned others = 0; /* the line of another pragma */
    MovableFile file;

    static clang::LangOptions languageOptions()
    {
        clang::LangOptions options;
        options.LineComment = options.C99 = options.Digraphs = true;
        return options;
    }

    void next()
    {
        lexer.LexFromRawLexer(token);
        begin = end() - token.getLength();
    }

    unsigned end() const
    {
        return static_cast<unsigned>(lexer.getBufferLocation() - text.begin());
    }

    unsigned lineOf(unsigned offset) const
    {
        return 1 + static_cast<unsigned>(text.take_front(offset).count('\n'));
    }

    void fail(unsigned line, const char *what)
    {
        file.error = std::to_string(line) + ": error: " + what + " [xmpi-movable]";
    }

    bool isWord(llvm::StringRef word) const
    {
        return token.is(tok::raw_identifier) && token.getRawIdentifier() == word;
    }

    /* The next token of this line is WORD. */
    bool follows(llvm::StringRef word)
    {
        next();
        return !token.isAtStartOfLine() && isWord(word);
    }

    void directive()
    {
        unsigned hash = begin, line = lineOf(begin);
        if (!follows("pragma") || !follows("xmpi"))
            return;
        if (!follows("loop") || !follows("movable")) {
            others = line;
            return;
        }
        unsigned last = end();
        next();
        if (!token.isAtStartOfLine() && token.isNot(tok::eof))
            return fail(line, "'movable' stands alone: the loop needs no other clauses");
        file.text += text.slice(copied, hash);
        for (char c : text.slice(hash, last))
            file.text += c == '\n' ? '\n' : ' ';
        copied = last;
        point(line);
    }

    /* Behind the head of the loop: what its body is, is not looked at. */
    void point(unsigned line)
    {
        if (!isWord("for") && !isWord("while") && !isWord("do"))
            return fail(line, "a movable loop, 'for', 'while' or 'do', stands right behind the "
                              "pragma");
        file.lines.push_back(lineOf(begin));
        bool headed = !isWord("do");
        int depth = 0;
        unsigned at = end();
        if (headed)
            do {
                next();
                depth += token.is(tok::l_paren) ? 1 : token.is(tok::r_paren) ? -1 : 0;
                at = end();
            } while (depth > 0 && token.isNot(tok::eof));
        if (token.is(tok::eof))
            return fail(line, "the movable loop has no end");
        insert(at, file.lines.back());
        next();
    }

    void insert(unsigned at, unsigned line)
    {
        std::string where = llvm::StringRef(name).rsplit('/').second.str();
        where = (where.empty() ? name.str() : where) + ":" + std::to_string(line);
        file.text += text.slice(copied, at);
        file.text += " if (xmpi_gen_movable(" + quoted(where) + "), 0) {} else";
        if (!readable)
            file.text += "\n#line " + std::to_string(lineOf(at)) + " " + quoted(name) + "\n" +
                         std::string(at - text.take_front(at).rfind('\n') - 1, ' ');
        copied = at;
    }
};

} // namespace

MovableFile insertPoints(llvm::StringRef text, llvm::StringRef name, bool readable)
{
    return Inserter(text, name, readable).run();
}

} // namespace xmpi
