/* SPDX-License-Identifier: BSD-3-Clause
 * Where pointers lead, by the numbers that a walk has given them: copied and joined at each choice,
 * most of them the same on both ways. */
#ifndef XMPI_REWRITER_LEADS_H
#define XMPI_REWRITER_LEADS_H

#include "walk/id_set.h"
#include <memory>
#include <utility>
#include <vector>

namespace xmpi
{

/* Where each of some pointers leads, as std::map<int, IdSet>. Pointers with numbers near one
 * another are kept in one part, which those that are copies of one another share until one of them
 * changes it: where two ways through the program meet, only parts that differ are looked at. */
class Leads
{
  public:
    using Entry = std::pair<int, IdSet>;
    class const_iterator;

    const_iterator begin() const;
    const_iterator end() const;
    const_iterator find(int pointer) const;
    size_t count(int pointer) const;
    /* Of one that is not there: to nothing, from then on. */
    IdSet &operator[](int pointer);
    /* Where pointers lead in OTHER they may lead here as well. ALONE is told of each that only one
     * of both has, and may add to where it leads. */
    template <class Alone> void join(const Leads &other, const Alone &alone);

  private:
    using Part = std::vector<Entry>; /* ascending */
    static constexpr int width = 16; /* numbers for a part */
    std::vector<std::shared_ptr<Part>> parts;

    static bool isBefore(const Entry &entry, int pointer)
    {
        return entry.first < pointer;
    }
    template <class Alone>
    static Part joined(const Part &one, const Part &other, const Alone &alone);
};

class Leads::const_iterator
{
  public:
    const Entry &operator*() const
    {
        return (*leads->parts[part])[at];
    }
    const Entry *operator->() const
    {
        return &**this;
    }
    const_iterator &operator++()
    {
        at++;
        settle();
        return *this;
    }
    bool operator==(const const_iterator &other) const
    {
        return part == other.part && at == other.at;
    }
    bool operator!=(const const_iterator &other) const
    {
        return !(*this == other);
    }

  private:
    friend class Leads;
    const Leads *leads;
    size_t part, at;

    const_iterator(const Leads *leads, size_t part, size_t at) : leads(leads), part(part), at(at)
    {
    }
    /* Where a part is at its end, to the next one that has something. */
    void settle()
    {
        while (part < leads->parts.size() &&
               (leads->parts[part] == nullptr || at >= leads->parts[part]->size())) {
            part++;
            at = 0;
        }
    }
};

inline Leads::const_iterator Leads::begin() const
{
    const_iterator first(this, 0, 0);
    first.settle();
    return first;
}

inline Leads::const_iterator Leads::end() const
{
    return const_iterator(this, parts.size(), 0);
}

inline Leads::const_iterator Leads::find(int pointer) const
{
    const size_t part = static_cast<size_t>(pointer) / width;
    if (pointer < 0 || part >= parts.size() || parts[part] == nullptr)
        return end();
    const Part &entries = *parts[part];
    const auto at = std::lower_bound(entries.begin(), entries.end(), pointer, isBefore);
    return at != entries.end() && at->first == pointer
               ? const_iterator(this, part, static_cast<size_t>(at - entries.begin()))
               : end();
}

inline size_t Leads::count(int pointer) const
{
    return find(pointer) != end();
}

inline IdSet &Leads::operator[](int pointer)
{
    const size_t part = static_cast<size_t>(pointer) / width;
    if (part >= parts.size())
        parts.resize(part + 1);
    if (parts[part] == nullptr)
        parts[part] = std::make_shared<Part>();
    else if (parts[part].use_count() > 1)
        parts[part] = std::make_shared<Part>(*parts[part]);
    Part &entries = *parts[part];
    auto at = std::lower_bound(entries.begin(), entries.end(), pointer, isBefore);
    if (at == entries.end() || at->first != pointer)
        at = entries.insert(at, {pointer, IdSet()});
    return at->second;
}

template <class Alone>
Leads::Part Leads::joined(const Part &one, const Part &other, const Alone &alone)
{
    Part all;
    all.reserve(std::max(one.size(), other.size()));
    auto mine = one.begin();
    auto theirs = other.begin();
    while (mine != one.end() || theirs != other.end()) {
        const bool first =
            theirs == other.end() || (mine != one.end() && mine->first <= theirs->first);
        const bool both = first && theirs != other.end() && mine->first == theirs->first;
        all.push_back(first ? *mine : *theirs);
        if (both)
            all.back().second.merge(theirs->second);
        else
            alone(all.back().first, all.back().second);
        mine += first;
        theirs += !first || both;
    }
    return all;
}

template <class Alone> void Leads::join(const Leads &other, const Alone &alone)
{
    const Part none;
    if (other.parts.size() > parts.size())
        parts.resize(other.parts.size());
    for (size_t i = 0; i < parts.size(); i++) {
        const std::shared_ptr<Part> theirs = i < other.parts.size() ? other.parts[i] : nullptr;
        if (parts[i] != theirs)
            parts[i] = std::make_shared<Part>(
                joined(parts[i] ? *parts[i] : none, theirs ? *theirs : none, alone));
    }
}

} // namespace xmpi
#endif
