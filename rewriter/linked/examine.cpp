/* SPDX-License-Identifier: BSD-3-Clause
 * Follows what a function refers to, and fills in the records of the program. */
#include "linked/examine.h"
#include "library/library.h"
#include "linked/changes.h"
#include "report/words.h"
#include <algorithm>
#include <cstring>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Object/ELF.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <set>

namespace xmpi
{
namespace
{

using Kind = Reference::Kind;

/* What functions may do. */
struct Allowance {
    std::set<uint64_t> variables; /* that they may use */
    bool talks = false;           /* they ask who is there, to send and receive, which they must */
    bool startsOver = false;      /* all but to change variables: a start does it again */
};

class Follower
{
  public:
    Follower(const MachineCode &code, const Allowance &allowed, const Replaced &replaced)
        : code(code), allowed(allowed), replaced(replaced), changes(code)
    {
    }

    std::string why(uint64_t first)
    {
        visit(first);
        while (reason.empty() && !open.empty())
            step(first);
        return !reason.empty() || sends ? reason : asked;
    }

    /* The variables that the function and all that it calls use. */
    std::set<uint64_t> variables(uint64_t first)
    {
        visit(first);
        while (!open.empty())
            step(first);
        return used;
    }

  private:
    const MachineCode &code;
    const Allowance &allowed;
    const Replaced &replaced;
    Changes changes;
    std::set<Variable> changed;
    std::set<uint64_t> used;
    std::string reason;
    std::string asked;                           /* what it asks of the library to talk */
    bool sends = false;                          /* it does */
    std::vector<std::pair<uint64_t, bool>> open; /* functions and constants to be looked at */
    std::set<uint64_t> seen;

    std::string nameAt(uint64_t address) const
    {
        std::string name;
        uint64_t begin = 0;
        return code.functionAt(address, name, begin) ? name : "a function without a name";
    }

    /* Looks at one function, or constants. */
    void step(uint64_t first)
    {
        const auto [address, function] = open.back();
        open.pop_back();
        const std::string name = nameAt(address);
        if (function && allowed.startsOver)
            takeChanges(address, address != first ? "calls " + name + ", which " : "");
        for (const Reference &one : function ? code.ofFunction(address) : code.ofConstants(address))
            take(one, function && address != first ? "calls " + name + ", which " : "");
    }

    /* The function of a library that is called at ADDRESS of the program: of MPI where this is
     * linked into it, or one that ours stands for; else empty. */
    std::string ofLibrary(uint64_t address) const
    {
        const std::string name = nameAt(address);
        return name.rfind("MPI_", 0) == 0 || name.rfind("PMPI_", 0) == 0 ? name
                                                                         : standsFor(name).str();
    }

    void visit(uint64_t address)
    {
        std::string name;
        uint64_t begin = address;
        code.functionAt(address, name, begin);
        if (seen.insert(begin).second)
            open.push_back({begin, true});
    }

    /* REFERENCE is to what stands for a function of which the user has said that it keeps nothing:
     * that function itself is looked into, if it has code. */
    bool visitReplaced(const Reference &reference)
    {
        const bool call = reference.kind == Kind::Function;
        const std::string name = call ? nameAt(reference.address) : reference.name;
        llvm::StringRef own = name;
        own.consume_front("__wrap_");
        if (replaced.count(own.str()) == 0)
            return false;
        uint64_t address = 0;
        std::string why;
        code.find(own, address, why);
        if (address != 0)
            visit(address);
        return true;
    }

    /* What has to be named by a clause, as the start makes something else of it: all of it that one
     * function changes. */
    void takeChanges(uint64_t address, const std::string &by)
    {
        std::set<std::string> names;
        bool any = false;
        for (const auto &[place, name] : changes.of(address)) {
            if (isBeside(name) || (place != 0 && allowed.variables.count(place) != 0))
                continue;
            any = true;
            if (const std::string variable = nameOf(name); !variable.empty())
                names.insert(variable);
        }
        if (any)
            note(by + changesOf({names.begin(), names.end()}));
    }

    /* NAMES empty: nobody knows them. */
    static std::string changesOf(const std::vector<std::string> &names)
    {
        const bool one = names.size() == 1;
        const std::string it = one ? "it" : "them";
        return "changes " +
               (names.empty() ? "variables that outlive the call"
                              : allQuoted(names) + (one ? ", which outlives" : ", which outlive") +
                                    " the call") +
               (one ? ", and is no part" : ", and are no parts") + " of the clause: declare " + it +
               " where the loop sees " + it + ", and name " + it + " in state(...)" +
               (names.empty() ? ""
                              : ", as scratch(" + listed(names) + ") if " +
                                    (one ? "it need" : "they need") + " not be kept");
    }

    void take(const Reference &reference, const std::string &by)
    {
        switch (reference.kind) {
        case Kind::Function:
        case Kind::Pointer:
            if (visitReplaced(reference))
                return;
            if (reference.kind == Kind::Pointer)
                return note(by + (reference.name.empty()
                                      ? "calls a function by a pointer"
                                      : "calls what runs in place of " + reference.name +
                                            orReplaced(reference.name)));
            return ofLibrary(reference.address).empty()
                       ? visit(reference.address)
                       : takeImported(ofLibrary(reference.address), by);
        case Kind::Constants:
            if (seen.insert(reference.address).second)
                open.push_back({reference.address, false});
            return;
        case Kind::State:
            used.insert(reference.address);
            if (!isBeside(reference.name) && !allowed.startsOver &&
                (reference.address == 0 || allowed.variables.count(reference.address) == 0))
                note(by + (nameOf(reference.name).empty()
                               ? "uses variables that outlive the call"
                               : "uses '" + nameOf(reference.name) + "', which outlives the call"));
            return;
        case Kind::Imported:
            return takeImported(reference.name, by);
        case Kind::Unknown:
            return note(by + "has code that cannot be followed");
        }
    }

    /* What is done with it shows in the function that is called; or it is what compilers count by
     * (--coverage, -fprofile-generate, -fprofile-instr-generate), each process for itself, and what
     * the program computes does not follow from. */
    static bool isBeside(llvm::StringRef name)
    {
        return name == "stdout" || name == "stderr" || name.starts_with("__gcov") ||
               name.starts_with("__profc_") || name.starts_with("__llvm_gcov");
    }

    /* Static variables of functions have a number behind their name; sections begin with a dot. */
    static std::string nameOf(llvm::StringRef name)
    {
        return name.split('.').first.str();
    }

    void takeImported(const std::string &name, const std::string &by)
    {
        const std::string beyond = isBeside(name) ? "" : beyondItsArguments(name);
        sends = sends || deedOf(name) == Deed::Communicates;
        if (beyond.empty() || allowed.startsOver)
            return;
        const std::string what = by + "calls " + name + ", which " + beyond;
        if (!allowed.talks || !isToTalk(name))
            note(what);
        else if (asked.empty())
            asked = what;
    }

    void note(const std::string &what)
    {
        if (reason.empty())
            reason = what;
    }
};

/* As xmpi_gen_relies reads it: a mark, then place, name and reason, each with a 0 behind it. */
class Record
{
  public:
    enum { Size = 512 };

    explicit Record(char *bytes) : bytes(bytes)
    {
    }

    bool isSound() const
    {
        const size_t where = strnlen(bytes + 1, Size - 1);
        return bytes[Size - 1] == '\0' && where + 2 < Size &&
               where + 3 + strlen(bytes + where + 2) < Size;
    }

    std::string where() const
    {
        return bytes + 1;
    }

    std::string name() const
    {
        return bytes + 1 + strlen(bytes + 1) + 1;
    }

    /* The functions, with blanks between, that the user has spoken of. */
    std::string marked() const
    {
        return bytes[0] == '?' ? bytes + 1 + where().size() + 1 + name().size() + 1 : "";
    }

    void fill(const std::string &reason)
    {
        const size_t at = 1 + where().size() + 1 + name().size() + 1;
        bytes[0] = reason.empty() ? '+' : '-';
        memset(bytes + at, 0, Size - at);
        memcpy(bytes + at, reason.data(), std::min(reason.size(), Size - 1 - at));
    }

  private:
    char *bytes;
};

int complain(const std::string &path, const std::string &what)
{
    llvm::errs() << "xmpi-rewrite: cannot look into " << path << ": " << what << "\n";
    return 1;
}

/* The bytes of all records, and where they are in the file and in the program. */
std::string recordsOf(llvm::StringRef image, uint64_t &offset, uint64_t &address)
{
    auto file = llvm::object::ELF64LEFile::create(image);
    if (!file) {
        llvm::consumeError(file.takeError());
        return "";
    }
    auto sections = file->sections();
    if (!sections) {
        llvm::consumeError(sections.takeError());
        return "";
    }
    for (const auto &section : *sections) {
        auto name = file->getSectionName(section);
        if (!name)
            llvm::consumeError(name.takeError());
        else if (*name == "xmpi_relies" && section.sh_offset + section.sh_size <= image.size()) {
            offset = section.sh_offset;
            address = section.sh_addr;
            return image.substr(section.sh_offset, section.sh_size).str();
        }
    }
    return "";
}

bool overwrite(const std::string &path, uint64_t offset, const std::string &bytes)
{
    int descriptor;
    if (llvm::sys::fs::openFileForWrite(path, descriptor, llvm::sys::fs::CD_OpenExisting))
        return false;
    llvm::raw_fd_ostream stream(descriptor, true);
    stream.seek(offset);
    stream << bytes;
    stream.close();
    const bool good = !stream.has_error();
    stream.clear_error();
    return good;
}

} // namespace

/* What those that are MARKED may do. */
static Allowance allowanceOf(const MachineCode &code, llvm::StringRef marked,
                             const Replaced &replaced)
{
    Allowance allowed;
    llvm::SmallVector<llvm::StringRef, 8> names;
    marked.split(names, ' ', -1, false);
    for (llvm::StringRef one : names) {
        uint64_t address = 0;
        std::string why;
        if (one == stateMark || one == talkingMark) {
            (one == stateMark ? allowed.startsOver : allowed.talks) = true;
        } else if (allowed.startsOver) {
            for (uint64_t variable : code.variables(one))
                allowed.variables.insert(variable);
        } else if (code.find(one, address, why)) {
            const Allowance nothing;
            const std::set<uint64_t> more = Follower(code, nothing, replaced).variables(address);
            allowed.variables.insert(more.begin(), more.end());
        }
    }
    return allowed;
}

std::string beyondArguments(const MachineCode &code, llvm::StringRef name, llvm::StringRef marked,
                            const Replaced &replaced)
{
    uint64_t address = 0;
    std::string why;
    const Allowance allowed = allowanceOf(code, marked, replaced);
    if (!code.find(name, address, why) && replaced.count(name.str()) == 0)
        return why;
    return address != 0 ? Follower(code, allowed, replaced).why(address) : "";
}

/* Whether the code that has the record at PLACE leads to the function NAME of the program, which is
 * another where a tool has changed the names of files. */
static bool isReached(const MachineCode &code, uint64_t place, llvm::StringRef name)
{
    std::string why;
    uint64_t wanted = 0;
    std::set<std::pair<uint64_t, bool>> seen;
    std::vector<std::pair<uint64_t, bool>> open; /* addresses; of functions, else of constants */
    if (!code.find(name, wanted, why))
        return false;
    for (uint64_t user : code.usersOf(place, Record::Size))
        open.push_back({user, true});
    while (!open.empty()) {
        const auto [address, function] = open.back();
        open.pop_back();
        if (function && address == wanted)
            return true;
        if (!seen.insert({address, function}).second)
            continue;
        for (const Reference &one : function ? code.ofFunction(address) : code.ofConstants(address))
            if (one.kind == Kind::Function || one.kind == Kind::Constants)
                open.push_back({one.address, one.kind == Kind::Function});
    }
    return false;
}

/* Why the function of RECORD, which is at PLACE of the program, is not shown to be right. */
static std::string doubtOf(const MachineCode &code, const Record &record, uint64_t place,
                           const Replaced &replaced)
{
    const std::string why = beyondArguments(code, record.name(), record.marked(), replaced);
    const bool elsewhere = replaced.count(record.name()) != 0;
    return why.empty() && !elsewhere && !isReached(code, place, record.name())
               ? "is not the one that is called here: the linked program calls another" +
                     orReplaced(record.name())
               : why;
}

int examineProgram(const std::string &path, const Replaced &replaced)
{
    auto content = llvm::MemoryBuffer::getFile(path, false, false);
    if (!content)
        return complain(path, content.getError().message());
    llvm::StringRef image = (*content)->getBuffer();
    uint64_t offset = 0, place = 0;
    std::string records = recordsOf(image, offset, place), unread;
    if (records.empty())
        return 0;
    const std::unique_ptr<MachineCode> code = MachineCode::read(image, unread);
    std::set<std::string> said;
    for (size_t at = 0; at + Record::Size <= records.size(); at += Record::Size) {
        Record record(&records[at]);
        if (!record.isSound())
            continue;
        const std::string reason = code == nullptr ? "cannot be looked into: " + unread
                                                   : doubtOf(*code, record, place + at, replaced);
        const std::string line = record.where() +
                                 ": warning: the loop keeps its processes: " + record.name() +
                                 ", of another file, " + reason;
        record.fill(reason);
        if (!reason.empty() && said.insert(line).second)
            llvm::errs() << line << " [xmpi-other-file]\n";
    }
    return overwrite(path, offset, records) ? 0 : complain(path, "it cannot be written to");
}

} // namespace xmpi
