/* SPDX-License-Identifier: BSD-3-Clause
 * Sets of numbers, and maps from numbers to such sets, in order, each in one piece of memory: a
 * walk copies and joins them at each choice, which in trees of nodes took most of its time. */
#ifndef XMPI_REWRITER_ID_SET_H
#define XMPI_REWRITER_ID_SET_H

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <llvm/ADT/SmallVector.h>
#include <utility>
#include <vector>

namespace xmpi
{

/* As std::set<int>, but that a place in it is lost when it changes. */
class IdSet
{
  public:
    using value_type = int;
    using Members = llvm::SmallVector<int, 2>; /* most pointers lead to one place */
    using iterator = Members::const_iterator;
    using const_iterator = iterator;

    IdSet() = default;
    IdSet(std::initializer_list<int> list)
    {
        for (int id : list)
            insert(id);
    }
    iterator begin() const
    {
        return members.begin();
    }
    iterator end() const
    {
        return members.end();
    }
    bool empty() const
    {
        return members.empty();
    }
    size_t size() const
    {
        return members.size();
    }
    size_t count(int id) const
    {
        return std::binary_search(begin(), end(), id);
    }
    void clear()
    {
        members.clear();
    }
    void insert(int id)
    {
        auto at = std::lower_bound(members.begin(), members.end(), id);
        if (at == members.end() || *at != id)
            members.insert(at, id);
    }
    /* Where it belongs, wherever HINT is: for std::inserter. */
    iterator insert(iterator hint, int id)
    {
        (void)hint;
        insert(id);
        return std::lower_bound(begin(), end(), id);
    }
    void insert(iterator from, iterator to)
    {
        if (to - from > few)
            return mergeRange(from, to);
        for (; from != to; ++from)
            insert(*from);
    }
    void merge(const IdSet &other)
    {
        insert(other.begin(), other.end());
    }
    void erase(int id)
    {
        auto at = std::lower_bound(members.begin(), members.end(), id);
        if (at != members.end() && *at == id)
            members.erase(at);
    }
    template <class Condition> void eraseIf(const Condition &condition)
    {
        members.erase(std::remove_if(members.begin(), members.end(), condition), members.end());
    }
    /* What is in OTHER as well is left. */
    void intersect(const IdSet &other)
    {
        int *kept = members.begin();
        iterator with = other.begin();
        for (int id : members) {
            with = std::lower_bound(with, other.end(), id);
            if (with != other.end() && *with == id)
                *kept++ = id;
        }
        members.erase(kept, members.end());
    }
    bool operator==(const IdSet &other) const
    {
        return members == other.members;
    }

  private:
    static constexpr std::ptrdiff_t few = 4;
    Members members; /* ascending */

    void mergeRange(iterator from, iterator to)
    {
        Members both;
        both.reserve(members.size() + static_cast<size_t>(to - from));
        std::set_union(members.begin(), members.end(), from, to, std::back_inserter(both));
        members = std::move(both);
    }
};

/* Where each of some pointers leads, as std::map<int, IdSet>. */
class Leads
{
  public:
    using Entry = std::pair<int, IdSet>;
    using const_iterator = std::vector<Entry>::const_iterator;

    const_iterator begin() const
    {
        return entries.begin();
    }
    const_iterator end() const
    {
        return entries.end();
    }
    const_iterator find(int pointer) const
    {
        auto at = std::lower_bound(entries.begin(), entries.end(), pointer, isBefore);
        return at != end() && at->first == pointer ? at : end();
    }
    size_t count(int pointer) const
    {
        return find(pointer) != end();
    }
    IdSet &operator[](int pointer)
    {
        auto at = std::lower_bound(entries.begin(), entries.end(), pointer, isBefore);
        if (at == entries.end() || at->first != pointer)
            at = entries.insert(at, {pointer, IdSet()});
        return at->second;
    }
    /* Where pointers lead in OTHER they may lead here as well. ALONE is told of each that only one
     * of both has, and may add to where it leads. */
    template <class Alone> void join(const Leads &other, const Alone &alone);

  private:
    std::vector<Entry> entries; /* ascending */

    static bool isBefore(const Entry &entry, int pointer)
    {
        return entry.first < pointer;
    }
};

template <class Alone> void Leads::join(const Leads &other, const Alone &alone)
{
    std::vector<Entry> all;
    all.reserve(std::max(entries.size(), other.entries.size()));
    auto mine = entries.begin();
    for (const Entry &entry : other.entries) {
        for (; mine != entries.end() && mine->first < entry.first; ++mine) {
            all.push_back(std::move(*mine));
            alone(all.back().first, all.back().second);
        }
        if (mine != entries.end() && mine->first == entry.first) {
            all.push_back(std::move(*mine++));
            if (!(all.back().second == entry.second))
                all.back().second.insert(entry.second.begin(), entry.second.end());
        } else {
            all.push_back(entry);
            alone(all.back().first, all.back().second);
        }
    }
    for (; mine != entries.end(); ++mine) {
        all.push_back(std::move(*mine));
        alone(all.back().first, all.back().second);
    }
    entries = std::move(all);
}

} // namespace xmpi
#endif
