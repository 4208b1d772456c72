/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the sources that belong together, and joins those that can be. */
#include "joined/join.h"
#include "joined/agree.h"
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <memory>

namespace xmpi
{
namespace
{

/* Beyond that, parsing and looking take longer than linking may. */
enum { MostText = 4000000 };

class Joiner
{
  public:
    explicit Joiner(const std::vector<Part> &parts) : parts(parts), alone(parts.size())
    {
    }

    Joined run()
    {
        findMembers();
        while (members() > loops() && !tryAll())
            ;
        return result;
    }

  private:
    const std::vector<Part> &parts;
    std::vector<std::unique_ptr<Seen>> alone; /* of those that have been looked at */
    std::vector<size_t> chosen;               /* the ones with loops at the end */
    std::set<std::string> unguarded;          /* headers that only the first of them is to read */
    Joined result;

    size_t members() const
    {
        return chosen.size();
    }

    size_t loops() const
    {
        return static_cast<size_t>(
            llvm::count_if(chosen, [&](size_t part) { return parts[part].loop; }));
    }

    const Seen &seen(size_t part)
    {
        if (alone[part] == nullptr)
            alone[part] = std::make_unique<Seen>(
                look(aloneText(parts[part]), parts[part].path, parts[part].flags));
        return *alone[part];
    }

    static bool mentions(llvm::StringRef text, const std::set<std::string> &names)
    {
        return llvm::any_of(names, [&](const std::string &name) { return text.contains(name); });
    }

    /* From the loops on, all that lead to them from main, and all that define what others need. */
    void findMembers()
    {
        std::set<std::string> needed;
        std::vector<bool> taken(parts.size(), false);
        std::vector<size_t> ofLoops;
        for (size_t i = 0; i < parts.size(); i++)
            if (isLoop(i))
                ofLoops.push_back(i);
        takeCallers(ofLoops, taken, needed);
        takeNeeded(taken, needed);
        for (size_t i = 0; i < parts.size(); i++)
            if ((taken[i] || parts[i].loop) && !parts[i].apart.empty())
                result.apart.emplace_back(i, parts[i].apart);
            else if (taken[i])
                chosen.push_back(i);
        chosen.insert(chosen.end(), ofLoops.begin(), ofLoops.end());
    }

    /* Those that use what the loops' files define, or others that do: one of them has main. */
    void takeCallers(const std::vector<size_t> &ofLoops, std::vector<bool> &taken,
                     std::set<std::string> &needed)
    {
        std::set<std::string> offered;
        bool led = true;
        for (size_t i : ofLoops) {
            needed.insert(seen(i).needed.begin(), seen(i).needed.end());
            offered.insert(seen(i).defined.begin(), seen(i).defined.end());
            led = led && seen(i).defined.count("main") != 0;
        }
        for (bool more = !led; more;) {
            more = false;
            for (size_t i = 0; i < parts.size(); i++)
                if (!taken[i] && !isLoop(i) && mentions(parts[i].text, offered) &&
                    anyOf(seen(i).needed, offered)) {
                    taken[i] = more = true;
                    take(i, needed);
                    offered.insert(seen(i).defined.begin(), seen(i).defined.end());
                }
        }
    }

    void takeNeeded(std::vector<bool> &taken, std::set<std::string> &needed)
    {
        for (bool more = true; more;) {
            more = false;
            for (size_t i = 0; i < parts.size(); i++)
                if (!taken[i] && !isLoop(i) && isNeeded(i, needed)) {
                    taken[i] = more = true;
                    take(i, needed);
                }
        }
    }

    void take(size_t part, std::set<std::string> &needed)
    {
        if (parts[part].apart.empty())
            needed.insert(seen(part).needed.begin(), seen(part).needed.end());
    }

    bool isLoop(size_t part) const
    {
        return parts[part].loop && parts[part].apart.empty();
    }

    /* Of one that is not there nobody knows. */
    bool isNeeded(size_t part, const std::set<std::string> &needed)
    {
        return parts[part].text.empty() ||
               (mentions(parts[part].text, needed) && anyOf(seen(part).defined, needed));
    }

    static bool anyOf(const std::set<std::string> &names, const std::set<std::string> &wanted)
    {
        return llvm::any_of(names,
                            [&](const std::string &name) { return wanted.count(name) != 0; });
    }

    static std::string folderOf(const Part &part)
    {
        llvm::SmallString<256> path;
        llvm::sys::fs::real_path(part.path, path);
        return llvm::sys::path::parent_path(path).str();
    }

    std::vector<Member> membersNow()
    {
        std::vector<Member> all;
        const std::string here = folderOf(parts[chosen.back()]);
        for (size_t part : chosen)
            all.push_back({&parts[part], &seen(part), {}, folderOf(parts[part]) != here, {}});
        for (const std::string &header : unguarded)
            for (size_t i = 0, readers = 0; i < all.size(); i++)
                if (all[i].alone->files.count(header) != 0 && readers++ > 0)
                    all[i].read.insert(header);
        return all;
    }

    /* True: it is over. Else one has been left out, and the others may go together. */
    bool tryAll()
    {
        std::vector<Member> all = membersNow();
        std::map<std::string, std::string> features;
        Fault fault = tooLarge();
        if (fault.why.empty())
            fault = forbids(all);
        if (fault.why.empty())
            fault = featuresOf(all, features);
        if (!fault.why.empty())
            return leaveOut(fault);
        fault = renameCollisions(all);
        if (!fault.why.empty())
            return leaveOut(fault);
        const Layout layout = joinedText(all, features);
        const Part &last = parts[chosen.back()];
        fault = disagree(all, look(layout, last.path, last.flags));
        if (!fault.header.empty() && unguarded.insert(fault.header).second)
            return false;
        if (!fault.why.empty())
            return leaveOut(fault);
        result.text = layout.text;
        result.main = chosen.back();
        result.together = chosen;
        return true;
    }

    Fault tooLarge() const
    {
        size_t all = 0;
        for (size_t part : chosen)
            all += parts[part].text.size();
        return all > MostText ? Fault{0, "the files are too large together"} : Fault{};
    }

    bool leaveOut(const Fault &fault)
    {
        const size_t part = chosen[fault.member];
        result.apart.emplace_back(part, fault.why);
        chosen.erase(chosen.begin() + static_cast<long>(fault.member));
        return parts[part].loop && loops() == 0;
    }
};

} // namespace

Joined join(const std::vector<Part> &parts)
{
    return Joiner(parts).run();
}

} // namespace xmpi
