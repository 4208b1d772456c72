/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the variables that hold the local range: those whose values, over all ranks, are the parts
 * of one whole, for any number of processes. */
#include "infer/infer.h"
#include "infer/infer_tables.h"
#include "flow/other_files.h"
#include "facts/uses.h"
#include <algorithm>
#include <cstdint>
#include <numeric>

namespace xmpi
{

using namespace clang;

namespace
{

struct Candidate {
    Place place;
    Values values;
    size_t item;      /* the last one that writes it */
    std::string text; /* of an element of the table PLACE; empty for variables */
};

class RangeFinder
{
  public:
    RangeFinder(Analysis &analysis, const Survey &survey) : analysis(analysis), survey(survey)
    {
    }

    std::optional<Division> find()
    {
        collect();
        std::vector<Candidate> all = candidates;
        for (long long base : {0, 1})
            if (std::optional<Division> division = matchAny(all, base))
                return division;
        for (const Candidate &count : candidates)
            if (std::optional<Division> division = matchCount(count))
                return division;
        collectTables(all);
        if (all.size() > candidates.size())
            if (std::optional<Division> division = matchAny(all, 0))
                return division;
        for (const Candidate &count : all)
            if (!count.text.empty())
                if (std::optional<Division> division = matchCount(count))
                    return division;
        return std::nullopt;
    }

    /* Adds what the statement of DIVISION sets beside what its pragma names: the ends. */
    void addEnds(Division &division)
    {
        collect();
        for (const Candidate &candidate : candidates)
            for (RangeKind kind : {RangeKind::End, RangeKind::Last})
                if (candidate.item == division.item && isKind(candidate.values, division, kind)) {
                    division.variables.push_back({{kind, candidate.place}, candidate.item});
                    break;
                }
        dropCounters(division);
    }

  private:
    Analysis &analysis;
    const Survey &survey;
    std::vector<Candidate> candidates;

    /* BASE: the number of the first row. */
    std::optional<Division> matchAny(const std::vector<Candidate> &all, long long base) const
    {
        for (const Candidate &displ : all)
            for (const Candidate &other : all)
                for (RangeKind kind : {RangeKind::Count, RangeKind::End, RangeKind::Last}) {
                    std::optional<Division> division = match(displ, other, kind, base);
                    if (division)
                        return division;
                }
        return std::nullopt;
    }

    /* -- tables of which each rank reads its own entry */

    void collectTables(std::vector<Candidate> &all) const
    {
        std::map<std::pair<const VarDecl *, const FieldDecl *>, size_t> tables; /* last written */
        for (size_t i = 0; i < analysis.prologue.size(); i++)
            for (const Write &write : analysis.prologue[i].effects.writes)
                if (write.place.element || write.place.type->isArrayType())
                    tables[{write.place.base->getCanonicalDecl(), write.place.field}] = i;
        for (const auto &[table, item] : tables) {
            const auto &[base, field] = table;
            addTable({base, field, false, false, field ? field->getType() : base->getType()}, item,
                     all);
        }
    }

    void addTable(const Place &table, size_t item, std::vector<Candidate> &all) const
    {
        const Step &step = analysis.path[analysis.prologue[item].step];
        QualType element = table.type->isPointerType()
                               ? table.type->getPointeeType()
                               : analysis.context.getBaseElementType(table.type);
        if (!isCountable(analysis, element) ||
            !analysis.structure.visible(table.base, step.function, step.anchor))
            return;
        std::string rank = rankAt(step, item);
        if (rank.empty())
            return;
        for (long long next : {0, 1})
            if (std::optional<Values> values = entries(table, next))
                all.push_back({table, *values, item,
                               analysis.textOf(table, step.function, step.anchor) + "[" + rank +
                                   (next ? " + 1]" : "]")});
    }

    /* What has the rank after the statement ITEM; "". */
    std::string rankAt(const Step &step, size_t item) const
    {
        Values ranks;
        for (const Survey::Sample &sample : survey.samples)
            ranks.push_back(sample.rank);
        for (const RangeVariable &range : analysis.ranges) /* that a function has asked for */
            if (range.kind == RangeKind::Rank && survey.valuesOf(range.place) == ranks &&
                analysis.structure.visible(range.place.base, step.function, step.anchor))
                return analysis.textOf(range.place, step.function, step.anchor);
        return survey.textFor(ranks, step.function, step.anchor, item);
    }

    /* The entry of each sample's rank, or of the one after it. */
    std::optional<Values> entries(const Place &table, long long next) const
    {
        Values values;
        for (const Survey::Sample &sample : survey.samples) {
            std::optional<long long> value =
                sample.trial.integerAt(entryOf(sample, table, sample.rank + next));
            if (!value)
                return std::nullopt;
            values.push_back(*value);
        }
        return values;
    }

    void collect()
    {
        for (size_t i = 0; i < analysis.prologue.size(); i++)
            for (const Write &write : analysis.prologue[i].effects.writes)
                add(write.place, i);
        for (const Item &item : analysis.prologue)
            if (analysis.runsAgain(item.step, item.statement))
                candidates.erase(
                    std::remove_if(candidates.begin(), candidates.end(),
                                   [&](const Candidate &one) { return goesOn(item, one.place); }),
                    candidates.end());
    }

    /* ITEM, in a loop around the adaptive one, changes PLACE by its old value: it has been what it
     * is found to be at first only. */
    bool goesOn(const Item &item, const Place &place) const
    {
        return std::any_of(
            item.effects.writes.begin(), item.effects.writes.end(), [&](const Write &write) {
                return overlap(write.place, place) &&
                       (analysis.finder.addsTo(write) ||
                        (write.how == Write::How::Assigned && !item.effects.setsAnew(write)));
            });
    }

    void add(const Place &place, size_t item)
    {
        if (place.behind || place.element)
            return;
        if (place.field == nullptr && place.type->isRecordType()) {
            for (const FieldDecl *field : place.type->getAsRecordDecl()->fields())
                if (!field->isBitField())
                    add({place.base, field, false, false, field->getType()}, item);
            return;
        }
        const Step &step = analysis.path[analysis.prologue[item].step];
        if (!isCountable(analysis, place.type) || !canBeWritten(analysis, place.base) ||
            (place.field != nullptr && place.type.isConstQualified()) ||
            analysis.rangeAt(place) != nullptr ||
            !analysis.structure.alive(place.base, step.function, step.anchor) ||
            !analysis.structure.visible(place.base, step.function, step.anchor))
            return;
        for (Candidate &known : candidates)
            if (overlap(known.place, place) && known.place.field == place.field) {
                known.item = item;
                return;
            }
        std::optional<Values> values = survey.valuesOf(place);
        if (values)
            candidates.push_back({place, *values, item, ""});
    }

    /* How many rows OTHER says that sample I has, when it is of KIND. */
    static long long rows(const Values &displ, const Values &other, RangeKind kind, size_t i)
    {
        if (kind == RangeKind::Count)
            return other[i];
        return other[i] - displ[i] + (kind == RangeKind::Last ? 1 : 0);
    }

    std::optional<Division> match(const Candidate &begin, const Candidate &other, RangeKind kind,
                                  long long base) const
    {
        Division division;
        long long whole = 0;
        Candidate displ = begin;
        for (long long &value : displ.values)
            value -= base;
        for (size_t i = 0; i < survey.samples.size(); i++) {
            const Survey::Sample &sample = survey.samples[i];
            long long own = rows(displ.values, other.values, kind, i);
            bool last = sample.rank + 1 == sample.size;
            if ((sample.rank == 0 && displ.values[i] != 0) || own < 0 ||
                (!last && displ.values[i + 1] != displ.values[i] + own))
                return std::nullopt;
            if (last && sample.size == 1)
                whole = own;
            if (last && displ.values[i] + own != whole)
                return std::nullopt;
            division.count.push_back(own);
        }
        if (!isDomain(whole) || !varies(division.count))
            return std::nullopt;
        division.first = displ.values;
        division.extent = extent(division);
        if (!begin.text.empty() || !other.text.empty())
            tell(division, begin, other, kind);
        division.displ = {base == 0 ? RangeKind::Displ : RangeKind::Begin, begin.place};
        return complete(std::max(begin.item, begin.text.empty() ? 0 : other.item), division);
    }

    /* Elements of tables have the first row, the count, or both. */
    void tell(Division &division, const Candidate &first, const Candidate &other,
              RangeKind kind) const
    {
        auto text = [&](const Candidate &candidate) {
            size_t step = analysis.prologue[candidate.item].step;
            return "(long long)" + (candidate.text.empty() ? analysis.textOf(candidate.place, step)
                                                           : candidate.text);
        };
        division.firstText = text(first);
        division.countText = text(other);
        if (kind != RangeKind::Count)
            division.countText += " - " + division.firstText;
        if (kind == RangeKind::Last)
            division.countText += " + 1";
        for (const Candidate *candidate : {&first, &other})
            if (!candidate->text.empty())
                division.tables.push_back(candidate->place);
    }

    /* Of one row there is nothing to divide: who has it is marked, as the last process may be. */
    static bool isDomain(long long rows)
    {
        return rows > 1;
    }

    /* A count whose first row no variable has: it is the sum of the counts before. */
    std::optional<Division> matchCount(const Candidate &count) const
    {
        Division division;
        long long whole = 0, first = 0;
        for (size_t i = 0; i < survey.samples.size(); i++) {
            const Survey::Sample &sample = survey.samples[i];
            if (sample.size == 1)
                whole = count.values[i];
            if (sample.rank == 0)
                first = 0;
            division.first.push_back(first);
            first += count.values[i];
            if (count.values[i] < 0 || !isDomain(whole) ||
                (sample.rank + 1 == sample.size && first != whole))
                return std::nullopt;
        }
        if (!varies(count.values) || analysis.prologue[count.item].kind != Class::Keep ||
            !endsLoop(count))
            return std::nullopt;
        division.count = count.values;
        division.extent = extent(division);
        division.counted = true;
        if (!count.text.empty()) {
            division.countText = "(long long)" + count.text;
            division.tables.push_back(count.place);
        }
        division.displ = {RangeKind::Displ, count.place};
        return complete(count.item, division);
    }

    /* A loop over the own rows ends at PLACE: it is a count, and not a share for comparison. */
    bool endsLoop(const Candidate &count) const
    {
        LoopUses uses(analysis);
        return std::any_of(uses.bodies.begin(), uses.bodies.end(),
                           [&](const Stmt *body) { return endsLoop(uses, body, count); });
    }

    bool endsLoop(const LoopUses &uses, const Stmt *statement, const Candidate &count) const
    {
        const Place &place = count.place;
        const auto *loop = dyn_cast<ForStmt>(statement);
        if (loop != nullptr && loop != analysis.loop && loop->getCond() != nullptr)
            for (const Mention &mention : analysis.finder.of(loop->getCond()).mentions)
                if (overlap(mention.place, place) ||
                    (place.field == nullptr && uses.means(mention.place.base, place.base)))
                    return true;
        for (const Stmt *child : statement->children())
            if (child != nullptr && endsLoop(uses, child, count))
                return true;
        return false;
    }

    /* Not all samples have the same: the size plays a part. */
    static bool varies(const Values &values)
    {
        return std::any_of(values.begin(), values.end(),
                           [&](long long value) { return value != values.front(); });
    }

    Values extent(const Division &division) const
    {
        Values extent;
        long long whole = 0;
        for (size_t i = 0; i < survey.samples.size(); i++) {
            if (survey.samples[i].size == 1)
                whole = division.count[i];
            extent.push_back(whole);
        }
        return extent;
    }

    /* ITEM: the last one that sets what tells the range. */
    std::optional<Division> complete(size_t item, Division division) const
    {
        division.item = item;
        std::vector<RangeKind> kinds = {RangeKind::Displ, RangeKind::Count, RangeKind::End,
                                        RangeKind::Last};
        if (division.displ.kind == RangeKind::Begin)
            kinds.push_back(RangeKind::Begin);
        for (const Candidate &candidate : candidates)
            for (RangeKind kind : kinds)
                if (isKind(candidate.values, division, kind)) {
                    division.variables.push_back({{kind, candidate.place}, candidate.item});
                    break;
                }
        dropCounters(division);
        for (const auto &[variable, last] : division.variables)
            if (analysis.prologue[last].step == analysis.prologue[item].step)
                division.item = std::max(division.item, last);
        division.step = analysis.prologue[division.item].step;
        const Step &step = analysis.path[division.step];
        division.domain =
            survey.textFor(division.extent, step.function, step.anchor, division.item);
        if (division.domain.empty())
            return std::nullopt;
        return division;
    }

    /* A counter may have ended where the range does, before the loop uses it for something else. */
    void dropCounters(Division &division) const
    {
        auto isSet = [&](const Place &place) {
            return std::any_of(analysis.inLoop.writes.begin(), analysis.inLoop.writes.end(),
                               [&](const Write &write) { return overlap(write.place, place); });
        };
        auto &all = division.variables;
        std::set<RangeKind> kept;
        for (const auto &known : all)
            if (!isSet(known.first.place))
                kept.insert(known.first.kind);
        all.erase(std::remove_if(all.begin(), all.end(),
                                 [&](const auto &known) {
                                     const Place &place = known.first.place;
                                     return isSet(place) && (kept.count(known.first.kind) != 0 ||
                                                             isDead(place.base));
                                 }),
                  all.end());
    }

    bool isDead(const VarDecl *variable) const
    {
        return variable->hasLocalStorage() &&
               variable->getDeclContext() == analysis.loopStep().function &&
               !analysis.liveAtLoop(variable);
    }

    static bool isKind(const Values &values, const Division &division, RangeKind kind)
    {
        for (size_t i = 0; i < values.size(); i++) {
            long long wanted = kind == RangeKind::Count ? division.count[i] : division.first[i];
            if (kind == RangeKind::End || kind == RangeKind::Last)
                wanted += division.count[i] - (kind == RangeKind::Last ? 1 : 0);
            wanted += kind == RangeKind::Begin ? 1 : 0;
            if (values[i] != wanted)
                return false;
        }
        return true;
    }
};

} // namespace

/* The values of what PRAGMA names, where they are a division. */
static bool readDivision(const Pragma &pragma, Survey &survey, Division &division)
{
    division.count.clear();
    division.first.clear();
    division.extent.clear();
    for (Survey::Sample &sample : survey.samples) {
        std::optional<long long> count = sample.trial.integerOf(pragma.operands[1].expression);
        std::optional<long long> first = sample.trial.integerOf(pragma.operands[2].expression);
        bool begin = sample.rank == 0;
        if (!count || !first ||
            *first != (begin ? 0 : division.first.back() + division.count.back()))
            return false;
        division.count.push_back(*count);
        division.first.push_back(*first);
    }
    for (size_t i = 0; i < division.count.size(); i++) {
        const Survey::Sample &sample = survey.samples[i];
        size_t last = i + static_cast<size_t>(sample.size - sample.rank) - 1;
        division.extent.push_back(division.first[last] + division.count[last]);
    }
    return std::any_of(division.count.begin(), division.count.end(),
                       [&](long long count) { return count != division.count.front(); });
}

static bool describeWritten(const Analysis &analysis, const Pragma &pragma, Division &division)
{
    division.written = true;
    division.domain = pragma.operands[0].text;
    auto item = std::find_if(analysis.prologue.begin(), analysis.prologue.end(),
                             [&](const Item &one) { return one.pragma == &pragma; });
    if (item == analysis.prologue.end())
        return false;
    division.item = static_cast<size_t>(item - analysis.prologue.begin());
    division.step = analysis.prologue[division.item].step;
    for (size_t i : {2, 1})
        if (std::optional<Place> place = placeOf(pragma.operands[i].expression))
            division.variables.push_back(
                {{i == 2 ? RangeKind::Displ : RangeKind::Count, *place}, division.item});
    division.displ = division.variables.front().first;
    return true;
}

/* The division that a pragma names. Where the statement that computes it cannot be tried, any
 * division serves to see what follows it. */
static bool divideAsWritten(Analysis &analysis, const Pragma &pragma, Inference &inference)
{
    const std::vector<long long> sizes = {1, 2, 3, 4, 5};
    Division division;
    for (size_t i : {1, 2})
        if (std::optional<Place> place = placeOf(pragma.operands[i].expression);
            !place || place->behind || place->element)
            return true;
    auto survey = std::make_unique<Survey>(analysis, true, sizes);
    if (!readDivision(pragma, *survey, division)) {
        analysis.divideDomains = true;
        survey = std::make_unique<Survey>(analysis, true, sizes);
        if (!readDivision(pragma, *survey, division)) {
            inference.survey = std::move(survey);
            return true;
        }
    }
    if (!describeWritten(analysis, pragma, division))
        return true;
    if (!analysis.divideDomains)
        RangeFinder(analysis, *survey).addEnds(division);
    inference.survey = std::move(survey);
    inference.division = division;
    return true;
}

/* A domain that is a constant cannot be varied: a formula that suits it with few processes only is
 * found out by more of them. */
static bool holdsForMore(Analysis &analysis, const Inference &inference, bool divisible)
{
    const Values &extent = inference.division->extent;
    if (std::any_of(extent.begin(), extent.end(), [&](long long own) { return own != extent[0]; }))
        return true;
    std::vector<long long> sizes = {1};
    for (long long size : {16, 7, 12, 8, 6})
        if (sizes.size() < 3 && size <= extent[0] && (!divisible || extent[0] % size == 0))
            sizes.push_back(size);
    Survey survey(analysis, divisible, sizes);
    std::optional<Division> division = RangeFinder(analysis, survey).find();
    return sizes.size() == 1 ||
           (division && overlap(division->displ.place, inference.division->displ.place) &&
            division->displ.place.field == inference.division->displ.place.field);
}

/* Where every number of processes that was tried divides the domain, a constant, n / size is the
 * same as the count. Others tell them apart. */
static void tryUneven(Analysis &analysis, Inference &inference)
{
    const long long extent = inference.division->extent.front();
    for (size_t i = 0; i < inference.division->extent.size(); i++)
        if (inference.division->extent[i] != extent || extent % inference.survey->samples[i].size)
            return;
    std::vector<long long> sizes = {1, 2};
    for (long long size : {7, 11, 13, 17})
        if (extent % size != 0 && size <= extent && sizes.size() < 4)
            sizes.push_back(size);
    auto survey = std::make_unique<Survey>(analysis, false, sizes);
    std::optional<Division> division = RangeFinder(analysis, *survey).find();
    if (sizes.size() == 2 || !division ||
        !overlap(division->displ.place, inference.division->displ.place) ||
        division->displ.place.field != inference.division->displ.place.field)
        return;
    inference.survey = std::move(survey);
    inference.division = division;
}

/* Some formulas are right only where the size divides the domain, which may be a constant. */
static bool findDivision(Analysis &analysis, Inference &inference)
{
    static const std::vector<long long> sizes[] = {{1, 2, 3, 4, 5}, {1, 2, 3, 4}, {1, 2, 4},
                                                   {1, 2, 5},       {1, 3, 5},    {1, 2, 3}};
    for (bool divisible : {false, true}) {
        std::unique_ptr<Survey> all; /* of which the others are parts */
        for (const std::vector<long long> &some : sizes) {
            inference.survey = all ? std::make_unique<Survey>(*all, some)
                                   : std::make_unique<Survey>(analysis, divisible, some);
            inference.division = RangeFinder(analysis, *inference.survey).find();
            if (inference.division && holdsForMore(analysis, inference, divisible)) {
                tryUneven(analysis, inference);
                return true;
            }
            inference.division.reset();
            if (inference.survey->isSpent())
                return false; /* with larger inputs it would be, too */
            if (!divisible)
                break;
            if (!all)
                all = std::move(inference.survey);
        }
    }
    return false;
}

/* What all first rows and counts are multiples of, for each sample: more than 1 where rows are
 * counted in something smaller (cells, unknowns). Blocks that a size does not divide evenly differ
 * by one row else. */
static Values unitsOf(const Survey &survey, const Division &division)
{
    std::map<size_t, long long> units; /* by round */
    std::set<size_t> uneven;
    for (size_t i = 0; i < survey.samples.size(); i++) {
        long long &unit = units[survey.samples[i].round];
        unit = std::gcd(unit, std::gcd(division.first[i], division.count[i]));
        if (division.extent[i] % survey.samples[i].size != 0)
            uneven.insert(survey.samples[i].round);
    }
    Values found;
    for (const Survey::Sample &sample : survey.samples)
        found.push_back(uneven.count(sample.round) ? units[sample.round] : 1);
    return found;
}

static bool areUnits(const Values &units)
{
    return std::all_of(units.begin(), units.end(), [](long long unit) { return unit > 1; });
}

/* With few sizes, blocks of which the last takes the rest may have a divisor in common. */
static bool areUnitsForMore(Analysis &analysis, const Inference &inference, const Values &units)
{
    const Values &extent = inference.division->extent;
    std::vector<long long> sizes = {1};
    for (long long size : {5, 7, 9, 11, 13, 19, 23})
        if (size <= extent.front() / units.front())
            sizes.push_back(size);
    Survey survey(analysis, false, sizes);
    std::optional<Division> division = Division();
    if (!inference.division->written)
        division = RangeFinder(analysis, survey).find();
    else if (!readDivision(*analysis.prologue[inference.division->item].pragma, survey, *division))
        return false;
    return division && areUnits(unitsOf(survey, *division));
}

/* The range must count what is divided: a reconfiguration would cut rows in pieces. */
static bool checkUnit(Analysis &analysis, const Inference &inference)
{
    if (!inference.division || analysis.divideDomains ||
        analysis.startsOver) /* it cuts where the program does */
        return true;
    const Values units = unitsOf(*inference.survey, *inference.division);
    if (!areUnits(units) || !areUnitsForMore(analysis, inference, units))
        return true;
    const Step &step = analysis.loopStep();
    std::string unit = inference.survey->textFor(units, step.function, step.anchor);
    const Division &division = *inference.division;
    const Place &place =
        division.variables.empty() ? division.displ.place : division.variables.back().first.place;
    analysis.diagnostics.report(
        analysis.prologue[inference.division->item].statement->getBeginLoc(), Problem::RangeUnit,
        {place.text(), unit.empty() ? std::to_string(units.front()) : unit});
    return false;
}

static bool inferDivision(Analysis &analysis, Inference &inference)
{
    const Pragma *last = nullptr;
    for (const auto &pragma : analysis.pragmas.list)
        if (pragma->directive == Directive::Domain)
            last = pragma.get();
    if (last != nullptr)
        return divideAsWritten(analysis, *last, inference);
    if (findDivision(analysis, inference))
        return true;
    std::unique_ptr<Survey> found = std::move(inference.survey);
    for (const auto &assumption : rankAssumptions(analysis)) {
        analysis.assumed = assumption;
        if (findDivision(analysis, inference))
            return true;
    }
    analysis.assumed.clear();
    inference.survey = std::move(found);
    return true;
}

bool inferRange(Analysis &analysis, Inference &inference)
{
    return inferDivision(analysis, inference) && checkUnit(analysis, inference);
}

} // namespace xmpi
