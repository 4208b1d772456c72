/* SPDX-License-Identifier: BSD-3-Clause
 * Lines and indentation of readable text. */
#include "emit/printer.h"
#include "compat.h"

namespace xmpi
{

Printer::Printer(llvm::StringRef text, std::string unit) : text(text), unit(std::move(unit))
{
}

bool Printer::atLineStart() const
{
    return position == 0 || text[position - 1] == '\n';
}

/* The line before ends with a backslash: blanks may be part of a string. */
bool Printer::isContinued() const
{
    return position > 1 && endsWith(text.take_front(position - 1).rtrim('\r'), "\\");
}

llvm::StringRef Printer::currentLine() const
{
    return llvm::StringRef(out).substr(out.rfind('\n') + 1);
}

std::string Printer::shifted(const std::string &indent) const
{
    std::string result = indent;
    for (int i = 0; i < level; i++)
        result += unit;
    return result;
}

void Printer::copyTo(unsigned offset)
{
    while (position < offset) {
        llvm::StringRef piece = text.slice(position, offset);
        if (size_t newline = piece.find('\n'); newline != llvm::StringRef::npos)
            piece = piece.take_front(newline + 1);
        unsigned next = position + static_cast<unsigned>(piece.size());
        if (fresh && !atLineStart()) {
            piece = piece.ltrim(" \t");
            if (!piece.trim().empty())
                out += resume + piece.str();
        } else {
            llvm::StringRef line = text.substr(position).split('\n').first.trim();
            bool moves = fresh && !line.empty() && line[0] != '#' && !isContinued();
            out += (moves ? shifted("") : "") + piece.str();
        }
        fresh = out.empty() || out.back() == '\n';
        generated = generated && fresh;
        position = next;
    }
}

void Printer::skipTo(unsigned offset)
{
    position = std::max(position, offset);
}

void Printer::shift(int levels)
{
    level += levels;
    if (fresh && !atLineStart() && levels > 0)
        resume += unit;
}

void Printer::insert(llvm::StringRef added)
{
    if (fresh && !atLineStart())
        out += resume;
    out += added.str();
    fresh = out.empty() || out.back() == '\n';
}

/* What follows a statement in its line and is no more than a comment. */
static bool isComment(llvm::StringRef rest)
{
    rest = rest.trim();
    return rest.empty() || startsWith(rest, "//") ||
           (startsWith(rest, "/*") && rest.find("*/") == rest.size() - 2);
}

/* Brings OUT to the start of a line. */
void Printer::finishLine(const std::string &indent)
{
    resume = shifted(indent);
    if (currentLine().trim().empty()) {
        if (!currentLine().empty())
            resume = currentLine().str();
        out.resize(out.size() - currentLine().size());
        fresh = true;
        return;
    }
    llvm::StringRef rest = text.substr(position);
    rest = rest.take_front(rest.find('\n'));
    if (isComment(rest) && !endsWith(rest, "\\")) {
        out += rest.rtrim().str();
        position += static_cast<unsigned>(rest.size());
        position += position < text.size();
    } else {
        out.resize(llvm::StringRef(out).rtrim(" \t").size());
    }
    out += '\n';
    fresh = true;
}

/* Long lines are broken after a comma, outside of strings. */
static std::string broken(llvm::StringRef line)
{
    enum { Width = 100 };
    if (line.size() <= Width || line.contains('\n') || line.contains("//"))
        return line.str();
    size_t best = llvm::StringRef::npos;
    bool string = false;
    for (size_t i = 0; i + 2 < line.size() && i < Width; i++) {
        if (line[i] == '"' && (i == 0 || line[i - 1] != '\\'))
            string = !string;
        else if (line[i] == ',' && line[i + 1] == ' ' && !string)
            best = i;
    }
    if (best == llvm::StringRef::npos)
        return line.str();
    std::string inner = line.take_while([](char c) { return c == ' ' || c == '\t'; }).str();
    inner.append(std::min(line.find('('), best) + 1 - inner.size(), ' ');
    return line.take_front(best + 1).str() + "\n" + inner + line.substr(best + 2).str();
}

void Printer::addLines(const std::vector<std::string> &lines, const std::string &indent)
{
    if (lines.empty())
        return;
    finishLine(indent);
    generated = true;
    for (const std::string &line : lines) {
        llvm::StringRef rest = line;
        do {
            auto [one, more] = rest.split('\n');
            bool plain = one.trim().empty() || one[0] == '#';
            out += plain ? one.rtrim().str() + "\n" : broken(shifted(indent) + one.str()) + "\n";
            rest = more;
        } while (!rest.empty());
    }
}

void Printer::openBrace(const std::string &indent, unsigned lastToken)
{
    if (!generated && text.slice(lastToken, position).trim().empty()) {
        out.resize(llvm::StringRef(out).rtrim().size());
        out += " {";
        fresh = false;
        return;
    }
    addLines({"{"}, indent);
}

void Printer::blankLine()
{
    llvm::StringRef written(out);
    if (fresh && !endsWith(written, "\n\n") && !endsWith(written.rtrim(), "{"))
        out += "\n";
}

std::string Printer::take()
{
    copyTo(static_cast<unsigned>(text.size()));
    return std::move(out);
}

/* The end of a string or character that begins at FROM. */
static size_t endOfLiteral(llvm::StringRef text, size_t from)
{
    size_t i = from + 1;
    while (i < text.size() && text[i] != text[from])
        i += text[i] == '\\' ? 2 : 1;
    return std::min(i, text.size() - 1);
}

namespace
{

/* Takes generated statements apart. */
class Liner
{
  public:
    explicit Liner(const std::string &unit) : unit(unit)
    {
    }

    std::vector<std::string> lines;

    void read(llvm::StringRef text)
    {
        for (size_t i = 0; i < text.size(); i++) {
            char c = text[i];
            if (c == '"' || c == '\'') {
                size_t end = endOfLiteral(text, i);
                line += text.slice(i, end + 1).str();
                i = end;
            } else {
                read(c, text.substr(i + 1));
            }
        }
        end();
    }

  private:
    const std::string &unit;
    std::string line;
    int depth = 0, parentheses = 0;
    bool controls = false; /* the parentheses are those of an if, for or while */
    int once = 0;          /* heads of these before the line, without braces */

    void end(bool head = false)
    {
        llvm::StringRef bare = llvm::StringRef(line).trim();
        if (!bare.empty()) {
            std::string indent;
            for (int i = 0; i < depth + once; i++)
                indent += unit;
            lines.push_back(indent + bare.str());
        }
        once = head ? once + 1 : 0;
        line.clear();
    }

    void read(char c, llvm::StringRef next)
    {
        if (c == '(' && parentheses++ == 0)
            controls = isControl(llvm::StringRef(line).trim());
        if (c == '}' && parentheses == 0) {
            end();
            depth--;
        }
        line += c == '\n' && parentheses == 0 ? ' ' : c;
        if (c == ')' && --parentheses == 0 && controls && !startsWith(next.ltrim(), "{")) {
            end(true);
        } else if (c == '{' && parentheses == 0) {
            end();
            depth++;
        } else if ((c == ';' && parentheses == 0) ||
                   (c == '}' && parentheses == 0 && !startsWith(next.ltrim(), "else"))) {
            end();
        }
    }

    static bool isControl(llvm::StringRef before)
    {
        return before == "if" || before == "for" || before == "while";
    }
};

} // namespace

std::vector<std::string> inLines(llvm::StringRef statements, const std::string &unit)
{
    Liner liner(unit);
    liner.read(statements);
    return liner.lines;
}

} // namespace xmpi
