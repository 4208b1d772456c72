/* SPDX-License-Identifier: BSD-3-Clause
 * Matches the findings for several adaptive loops. */
#include "merge.h"

namespace xmpi
{
namespace
{

template <typename T, typename Same>
void addNew(std::vector<T> &all, const std::vector<T> &more, Same same)
{
    for (const T &one : more)
        if (llvm::none_of(all, [&](const T &known) { return same(known, one); }))
            all.push_back(one);
}

void addTexts(std::vector<std::string> &all, const std::vector<std::string> &more)
{
    addNew(all, more, [](const std::string &a, const std::string &b) { return a == b; });
}

void merge(Registrations &all, const Registrations &more)
{
    addTexts(all.drops, more.drops);
    if (all.prepare.empty())
        all.prepare = more.prepare;
    if (all.domain.empty())
        all.domain = more.domain;
    addNew(all.refreshes, more.refreshes, [](const Refresh &a, const Refresh &b) {
        return a.kind == b.kind && a.lvalue == b.lvalue;
    });
    addNew(all.data, more.data, [](const Data &a, const Data &b) { return a.name == b.name; });
    addNew(all.aliases, more.aliases, [](const Alias &a, const Alias &b) {
        return a.data == b.data && a.variable == b.variable;
    });
    addNew(all.lives, more.lives, [](const Live &a, const Live &b) { return a.name == b.name; });
    if (all.finish.empty())
        all.finish = more.finish;
    addNew(all.relies, more.relies, [](const auto &a, const auto &b) { return a == b; });
    all.watch = all.watch || more.watch;
    if (all.watched.empty())
        all.watched = more.watched;
}

void merge(Guarded &all, const Guarded &more)
{
    addTexts(all.cleared, more.cleared);
    addTexts(all.wiped, more.wiped);
    addTexts(all.worlds, more.worlds);
    merge(all.after, more.after);
}

} // namespace

std::vector<Site> mergedSites(const std::vector<Program> &programs)
{
    std::vector<Site> all;
    for (const Program &program : programs)
        for (const Site &site : program.sites) {
            auto same = llvm::find_if(all, [&](const Site &known) {
                return known.kind == site.kind && known.offset == site.offset;
            });
            if (same == all.end())
                all.push_back(site);
            else
                merge(same->what, site.what);
        }
    return all;
}

std::vector<Guarded> mergedGuards(const std::vector<Program> &programs)
{
    std::vector<Guarded> all;
    for (const Program &program : programs)
        for (const Guarded &guarded : program.guarded) {
            auto same = llvm::find_if(all, [&](const Guarded &known) {
                return known.statement.begin == guarded.statement.begin &&
                       known.enters.empty() == guarded.enters.empty();
            });
            if (same == all.end())
                all.push_back(guarded);
            else
                merge(*same, guarded);
        }
    return all;
}

std::vector<Wrap> mergedWraps(const std::vector<Program> &programs)
{
    std::vector<Wrap> all;
    for (const Program &program : programs)
        addNew(all, program.wraps,
               [](const Wrap &a, const Wrap &b) { return a.condition.begin == b.condition.begin; });
    return all;
}

std::vector<Call> mergedCalls(const std::vector<Program> &programs)
{
    std::vector<Call> all;
    for (const Program &program : programs)
        addNew(all, program.calls,
               [](const Call &a, const Call &b) { return a.statement.begin == b.statement.begin; });
    return all;
}

} // namespace xmpi
