/* SPDX-License-Identifier: BSD-3-Clause
 * One text made of several sources. */
#include "joined/text.h"
#include "source/source.h"
#include <algorithm>
#include <cctype>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace xmpi
{
namespace
{

std::string lineOne(const Part &part)
{
    return "#line 1 " + quoted(part.name) + "\n";
}

/* The text of MEMBER, with insertions and replacements at offsets of its own. */
class Writer
{
  public:
    explicit Writer(const Member &member) : member(member), text(member.part->text)
    {
    }

    std::string write()
    {
        for (const Seen::Written &include : member.alone->written)
            take(include);
        if (!member.renamed.empty())
            rename();
        result += text.substr(copied);
        if (result.empty() || result.back() != '\n')
            result += '\n';
        return result;
    }

  private:
    const Member &member;
    const std::string &text;
    std::string result;
    size_t copied = 0;

    /* Offsets are those of the text alone, which has a line in front. */
    size_t own(unsigned offset) const
    {
        return offset - lineOne(*member.part).size();
    }

    void take(const Seen::Written &include)
    {
        if (!member.elsewhere || !include.quoted || include.system || include.file.empty())
            return;
        llvm::SmallString<256> full(include.file);
        llvm::sys::fs::make_absolute(full);
        result += text.substr(copied, own(include.nameBegin) - copied) + quoted(full);
        copied = own(include.nameEnd);
    }

    /* Behind the last header, which may have the same names for something else. */
    void rename()
    {
        size_t at = 0;
        if (!member.alone->written.empty())
            at = text.find('\n', own(member.alone->written.back().nameEnd));
        at = at == std::string::npos ? text.size() : at + (member.alone->written.empty() ? 0 : 1);
        result += text.substr(copied, at - copied);
        copied = at;
        for (const std::string &name : member.renamed)
            result += "#define " + name + " " + newName(member, name) + "\n";
        const auto lines = std::count(text.begin(), text.begin() + static_cast<long>(at), '\n');
        result += "#line " + std::to_string(lines + 1) + " " + quoted(member.part->name) + "\n";
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
            if (features.count(name) == 0)
                joined.text += "#undef " + name + "\n";
        for (const std::string &name : member.renamed)
            joined.text += "#undef " + name + "\n";
    }
    return joined;
}

} // namespace xmpi
