/* SPDX-License-Identifier: BSD-3-Clause
 * Finds setup statements that do nothing but compute numbers. */
#include "infer/everywhere.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

namespace
{

class Finder
{
  public:
    explicit Finder(Analysis &analysis) : analysis(analysis)
    {
    }

    void find()
    {
        for (Item &item : analysis.prologue) {
            if (item.kind == Class::Setup && item.pragma->inferred && !analysis.framed)
                item.everywhere = isArithmetic(item.effects);
            if ((item.kind == Class::Setup && !item.everywhere) || item.kind == Class::Initial)
                for (const Write &write : item.effects.writes)
                    guarded.push_back(write.place);
        }
    }

  private:
    Analysis &analysis;
    std::vector<Place> guarded; /* what joining processes have not got */

    bool isGuarded(const Place &place) const
    {
        return std::any_of(guarded.begin(), guarded.end(),
                           [&](const Place &other) { return overlap(other, place); });
    }

    bool isArithmetic(const Effects &effects) const
    {
        if (!effects.calls.empty())
            return false;
        for (const Write &write : effects.writes)
            if (!write.place.type->isArithmeticType() || write.place.behind || write.place.element)
                return false;
        return std::none_of(effects.mentions.begin(), effects.mentions.end(),
                            [&](const Mention &mention) {
                                const Place &place = mention.place;
                                return !place.type->isArithmeticType() || place.behind ||
                                       place.element || isGuarded(place);
                            });
    }
};

} // namespace

void findEverywhere(Analysis &analysis)
{
    Finder(analysis).find();
}

} // namespace xmpi
