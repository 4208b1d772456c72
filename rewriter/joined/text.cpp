/* SPDX-License-Identifier: BSD-3-Clause
 * One text made of several sources. */
#include "joined/text.h"
#include "source/source.h"
#include <algorithm>
#include <cctype>
#include <clang/Lex/Lexer.h>
#include <llvm/Support/Path.h>

namespace xmpi
{
namespace
{

std::string lineOne(const Part &part)
{
    return "#line 1 " + quoted(part.name) + "\n";
}

/* What the parser does not see of names is what a pragma says: there a name behind '.' or '->' is
 * that of a member. */
class Directive
{
  public:
    /* TOKEN follows those of before. */
    bool isMemberInPragma(const clang::Token &token)
    {
        if (token.isAtStartOfLine())
            pragma = hash = false;
        const bool member = pragma && behindAccess;
        pragma = pragma || (hash && token.is(clang::tok::raw_identifier) &&
                            token.getRawIdentifier() == "pragma");
        hash = token.isAtStartOfLine() && token.is(clang::tok::hash);
        behindAccess = token.isOneOf(clang::tok::period, clang::tok::arrow);
        return member;
    }

  private:
    bool hash = false, pragma = false, behindAccess = false;
};

/* The text of MEMBER, with what is changed of it. */
class Writer
{
  public:
    explicit Writer(const Member &member) : member(member), text(member.part->text)
    {
    }

    std::string write()
    {
        for (const Seen::Written &include : member.alone->written)
            if (member.read.count(include.file) != 0)
                leaveOut(include);
            else
                nameInFull(include);
        if (!member.renamed.empty())
            rename();
        for (const auto &[begin, edit] : edits) {
            result += text.substr(copied, begin - copied) + edit.second;
            copied = edit.first;
        }
        result += text.substr(copied);
        if (result.empty() || result.back() != '\n')
            result += '\n';
        return result;
    }

  private:
    const Member &member;
    const std::string &text;
    std::map<size_t, std::pair<size_t, std::string>> edits; /* by their begin: end, and new text */
    std::string result;
    size_t copied = 0;

    /* Offsets are those of the text alone, which has a line in front. */
    size_t own(unsigned offset) const
    {
        return offset - lineOne(*member.part).size();
    }

    void nameInFull(const Seen::Written &include)
    {
        if (member.elsewhere && include.quoted && !include.system && !include.file.empty())
            edits[own(include.nameBegin)] = {own(include.nameEnd), quoted(include.file)};
    }

    /* The directive, but for the ends of its lines. */
    void leaveOut(const Seen::Written &include)
    {
        const size_t begin = text.rfind('#', own(include.nameBegin)), end = own(include.nameEnd);
        if (begin == std::string::npos)
            return;
        const long lines = std::count(text.begin() + static_cast<long>(begin),
                                      text.begin() + static_cast<long>(end), '\n');
        edits[begin] = {end, std::string(static_cast<size_t>(lines), '\n')};
    }

    /* In the text itself: what is taken from it to another place has the new names. */
    void rename()
    {
        clang::LangOptions language;
        language.LineComment = language.C99 = true;
        clang::Lexer lexer(clang::SourceLocation(), language, text.data(), text.data(),
                           text.data() + text.size());
        clang::Token token;
        Directive directive;
        for (lexer.LexFromRawLexer(token); token.isNot(clang::tok::eof);
             lexer.LexFromRawLexer(token)) {
            const bool member = directive.isMemberInPragma(token);
            if (token.isNot(clang::tok::raw_identifier) || member)
                continue;
            const size_t end = static_cast<size_t>(lexer.getBufferLocation() - text.data());
            rename(end - token.getLength(), end, token.getRawIdentifier().str());
        }
    }

    void rename(size_t begin, size_t end, const std::string &name)
    {
        const unsigned place = static_cast<unsigned>(begin + lineOne(*member.part).size());
        if (member.renamed.count(name) != 0 && member.alone->keptAt.count(place) == 0 &&
            !isInInclude(end))
            edits[begin] = {end, newName(member, name)};
    }

    /* On the line of an #include. */
    bool isInInclude(size_t offset) const
    {
        for (const Seen::Written &include : member.alone->written) {
            const size_t begin = own(include.nameBegin), end = own(include.nameEnd);
            if (offset >= begin && offset <= end)
                return true;
        }
        return false;
    }
};

} // namespace

Layout aloneText(const Part &part)
{
    return {lineOne(part) + part.text, {0}};
}

std::string newName(const Member &member, const std::string &name)
{
    std::string stem = llvm::sys::path::stem(member.part->name).str();
    for (char &c : stem)
        if (!std::isalnum(static_cast<unsigned char>(c)))
            c = '_';
    return name + "__" + stem;
}

Layout joinedText(const std::vector<Member> &members,
                  const std::map<std::string, std::string> &features)
{
    Layout joined;
    for (const auto &[name, value] : features)
        joined.text += "#undef " + name + "\n#define " + name + value + "\n";
    for (const Member &member : members) {
        joined.begins.push_back(static_cast<unsigned>(joined.text.size()));
        joined.text += lineOne(*member.part) + Writer(member).write();
        for (const std::string &name : member.alone->macros)
            if (features.count(name) == 0 && member.alone->expanded.count(name) == 0)
                joined.text += "#undef " + name + "\n";
    }
    return joined;
}

} // namespace xmpi
