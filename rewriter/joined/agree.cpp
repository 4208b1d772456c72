/* SPDX-License-Identifier: BSD-3-Clause
 * Whether sources in one text are what each of them is alone. */
#include "joined/agree.h"
#include <algorithm>
#include <functional>
#include <llvm/Support/Chrono.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace xmpi
{
namespace
{

std::string baseOf(const std::string &file)
{
    return llvm::sys::path::filename(file).str();
}

/* Of a header that is younger than what was compiled with it; empty: none is. */
std::string changedHeader(const Member &member)
{
    const long long made = member.part->made;
    for (const std::string &file : member.alone->files) {
        llvm::sys::fs::file_status status;
        if (llvm::sys::fs::status(file, status))
            return baseOf(file) + " is not there";
        const auto changed = status.getLastModificationTime().time_since_epoch();
        if (made > 0 && changed.count() > made)
            return baseOf(file) + " has been changed since it was compiled";
    }
    return "";
}

/* A static variable of a header that MEMBER and another one have, each for itself. */
std::string keptTwice(const std::vector<Member> &members, size_t member)
{
    for (const auto &[name, file] : members[member].alone->kept)
        for (size_t other = 0; other < members.size(); other++)
            if (other != member && members[other].alone->kept.count(name) != 0)
                return "'" + name + "' of " + baseOf(file) +
                       " is static, and another variable in " + members[other].part->name;
    return "";
}

std::string whyNot(const std::vector<Member> &members, size_t at)
{
    const Member &member = members[at];
    if (!member.alone->error.empty())
        return "it is not understood: " + member.alone->error;
    if (!member.alone->odd.empty())
        return "it " + member.alone->odd;
    if (member.alone->constructors > 0)
        return "it has functions that run before main";
    if (const std::string header = changedHeader(member); !header.empty())
        return header;
    return keptTwice(members, at);
}

bool hasName(const Member &member, const std::string &name)
{
    return member.alone->names.count(name) != 0 && member.renamed.count(name) == 0;
}

bool isMetElsewhere(const std::vector<Member> &members, size_t at,
                    const std::function<bool(const Member &)> &has)
{
    for (size_t other = 0; other < members.size(); other++)
        if (other != at && has(members[other]))
            return true;
    return false;
}

/* Of a loop's file, which is wanted, another one is to blame that has the macro NAME. */
size_t blame(const std::vector<Member> &members, size_t at, const std::string &name)
{
    for (size_t other = 0; other < members.size() && members[at].part->loop; other++)
        if (other != at && members[other].alone->userMacros.count(name) != 0 &&
            members[at].alone->userMacros.count(name) == 0)
            return other;
    return at;
}

/* Token I is a name that does not stand for what is renamed. */
bool keeps(const Seen &alone, size_t i)
{
    return i < alone.keeps.size() && alone.keeps[i];
}

/* The first token of the member that is another one with the others. */
Fault otherToken(const std::vector<Member> &members, size_t at, const Seen &together)
{
    const Member &member = members[at];
    const std::vector<std::string> &alone = member.alone->tokens[0], &joined = together.tokens[at];
    for (size_t i = 0; i < std::max(alone.size(), joined.size()); i++) {
        const std::string was = i < alone.size() ? alone[i] : "";
        const std::string is = i < joined.size() ? joined[i] : "";
        const bool renamed = member.renamed.count(was) != 0 && !keeps(*member.alone, i);
        if (is == (renamed ? newName(member, was) : was))
            continue;
        const size_t by = blame(members, at, was);
        return {by, by == at ? "'" + was + "' is '" + is + "' there, by a macro"
                             : "its macro '" + was + "' changes " + member.part->name};
    }
    return {};
}

std::vector<uint64_t> readsOf(const Seen &seen, size_t part, const std::string &file)
{
    std::vector<uint64_t> tokens;
    for (const Seen::Inclusion &one : seen.inclusions)
        if (one.part == part && one.file == file)
            tokens.push_back(one.tokens);
    return tokens;
}

/* Each header is read as alone, or was read before in the same way, it or a copy, and is not again.
 */
Fault otherHeader(const std::vector<Member> &members, size_t at, const Seen &together)
{
    std::set<std::string> files;
    for (const Seen::Inclusion &one : members[at].alone->inclusions)
        files.insert(one.file);
    for (const Seen::Inclusion &one : together.inclusions)
        if (one.part == at)
            files.insert(one.file);
    for (const std::string &file : files) {
        const std::vector<uint64_t> alone = readsOf(*members[at].alone, 0, file);
        const std::vector<uint64_t> joined = readsOf(together, at, file);
        if (alone == joined)
            continue;
        const bool one = !alone.empty() && joined.empty() &&
                         llvm::all_of(alone, [&](uint64_t tokens) { return tokens == alone[0]; });
        bool before = false;
        for (const Seen::Inclusion &inclusion : together.inclusions)
            before = before || (inclusion.part < at && inclusion.tokens == alone[0]);
        if (!one || !before)
            return {at, baseOf(file) + " says something else there"};
    }
    return {};
}

/* The error is that a header says again what it, or a copy, has said for a part before. */
bool isUnguarded(const Seen &together)
{
    if (together.errorFile.empty() || together.error.find("redefinition") == std::string::npos)
        return false;
    const std::vector<uint64_t> again = readsOf(together, together.errorPart, together.errorFile);
    return llvm::any_of(together.inclusions, [&](const Seen::Inclusion &one) {
        return one.part < together.errorPart && llvm::count(again, one.tokens) != 0;
    });
}

/* Of what is wrong in the loop's file the one is to blame that it contradicts. */
Fault understood(const std::vector<Member> &members, size_t at, const Seen &together)
{
    if (together.error.empty() || together.errorPart != at)
        return {};
    const size_t fault = members[at].part->loop ? together.otherPart : at;
    if (isUnguarded(together))
        return {fault,
                baseOf(together.errorFile) + " has no include guard, and others read it, too",
                together.errorFile};
    return {fault, together.error};
}

Fault otherLibrary(const std::vector<Member> &members, size_t at, const Seen &together)
{
    for (const auto &[name, type] : members[at].alone->library) {
        const auto found = together.library.find(name);
        if (found == together.library.end() || found->second != type)
            return {at, "'" + name + "' of the library is another one there"};
    }
    return {};
}

} // namespace

Fault forbids(const std::vector<Member> &members)
{
    for (size_t i = 0; i < members.size(); i++)
        if (std::string why = whyNot(members, i); !why.empty())
            return {i, why};
    return {};
}

Fault featuresOf(const std::vector<Member> &members, std::map<std::string, std::string> &features)
{
    bool lacking = false;
    for (size_t i = 0; i < members.size(); i++) {
        lacking = lacking || members[i].alone->features.empty();
        for (const auto &[name, value] : members[i].alone->features)
            if (const auto [known, fresh] = features.emplace(name, value);
                !fresh && known->second != value)
                return {i, "it defines " + name + " otherwise"};
    }
    if (lacking && !features.empty())
        features.emplace("_DEFAULT_SOURCE", " 1");
    return {};
}

Fault renameCollisions(std::vector<Member> &members)
{
    for (size_t i = 0; i < members.size(); i++) {
        const Seen &alone = *members[i].alone;
        for (const std::string &name : alone.own)
            if (isMetElsewhere(members, i,
                               [&](const Member &other) { return hasName(other, name); }))
                members[i].renamed.insert(name);
        for (const std::string &name : alone.macros)
            if (alone.expanded.count(name) != 0 &&
                isMetElsewhere(members, i, [&](const Member &other) {
                    return other.renamed.count(name) == 0 &&
                           (other.part->text.find(name) != std::string::npos ||
                            other.alone->names.count(name) != 0);
                }))
                members[i].renamed.insert(name);
        for (const std::string &name : members[i].renamed)
            if (alone.telling.count(name) != 0)
                return {i, "its function '" + name + "', which others have too, tells its name"};
    }
    return {};
}

Fault disagree(const std::vector<Member> &members, const Seen &together)
{
    using Question = Fault (*)(const std::vector<Member> &, size_t, const Seen &);
    for (Question differs : {otherToken, otherHeader, understood, otherLibrary})
        for (size_t i = 0; i < members.size(); i++)
            if (Fault fault = differs(members, i, together); !fault.why.empty())
                return fault;
    return {};
}

} // namespace xmpi
