/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the variables that hold the local range: those whose values, over all ranks, are the parts
 * of one whole. */
#include "infer/infer.h"
#include "infer/infer_tables.h"
#include "facts/uses.h"
#include "trial/expressions.h"
#include "source/loops.h"
#include <algorithm>
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
    std::string text; /* of an element of the table PLACE, or of what follows from the variable */
    std::set<long long> limits; /* beyond which it may be something else */
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
        for (bool named : {false, true})
            if (analysis.startsOver)
                if (std::optional<Division> division = matchWithin(named))
                    return division;
        if (analysis.startsOver)
            if (std::optional<Division> division = matchTables(all))
                return division;
        return analysis.startsOver ? matchComputed() : std::nullopt;
    }

    /* Adds what the statement of DIVISION sets beside what its pragma names: the ends. */
    void addEnds(Division &division)
    {
        collect();
        addKinds(division, {RangeKind::End, RangeKind::Last}, true);
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
                                   (next ? " + 1]" : "]"),
                               survey.limitsOf(table)});
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
        return llvm::any_of(item.effects.writes, [&](const Write &write) {
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
            candidates.push_back({place, *values, item, "", survey.limitsOf(place)});
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
        if (!division.isWithin(begin.limits) || !division.isWithin(other.limits))
            return std::nullopt;
        if (!begin.text.empty() || !other.text.empty())
            tell(division, begin, other, kind, base);
        division.displ = {base == 0 ? RangeKind::Displ : RangeKind::Begin, begin.place};
        return complete(std::max(begin.item, begin.text.empty() ? 0 : other.item), division);
    }

    /* Elements of tables have the first row, the count, or both. */
    void tell(Division &division, const Candidate &first, const Candidate &other, RangeKind kind,
              long long base) const
    {
        auto text = [&](const Candidate &candidate) {
            size_t step = analysis.prologue[candidate.item].step;
            return "(long long)" + (candidate.text.empty() ? analysis.textOf(candidate.place, step)
                                                           : candidate.text);
        };
        division.firstText = text(first) + (base == 0 ? "" : " - 1");
        division.countText = text(other);
        if (kind != RangeKind::Count)
            division.countText +=
                base == 0 ? " - " + division.firstText : " - (" + division.firstText + ")";
        if (kind == RangeKind::Last)
            division.countText += " + 1";
        for (const Candidate *candidate : {&first, &other})
            if (!candidate->text.empty() && !isCountable(analysis, candidate->place.type))
                division.tables.push_back(candidate->place);
        division.atLoop = isSteady(first) && isSteady(other);
    }

    /* Of one row there is nothing to divide: who has it is marked, as the last process may be. */
    static bool isDomain(long long rows)
    {
        return rows > 1;
    }

    /* A count whose first row no variable has: it is the sum of the counts before. */
    std::optional<Division> matchCount(const Candidate &count, bool named = false) const
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
            !(named || endsLoop(count)))
            return std::nullopt;
        division.count = count.values;
        division.extent = extent(division);
        if (!division.isWithin(count.limits))
            return std::nullopt;
        division.counted = true;
        if (!count.text.empty()) {
            division.countText = "(long long)" + count.text;
            if (!isCountable(analysis, count.place.type))
                division.tables.push_back(count.place);
            division.atLoop = isSteady(count);
        }
        division.displ = {RangeKind::Displ, count.place};
        return complete(count.item, division);
    }

    /* -- counts in variables with something else */

    /* A count that a variable has with ghost rows, or in elements: nothing is to be written into
     * it where the program starts over. NAMED: loops over the own rows need not go by it, as the
     * arrays have to show that it is one. */
    std::optional<Division> matchWithin(bool named) const
    {
        const Step &step = analysis.loopStep();
        for (const Candidate &one : candidates) {
            const bool set = analysis.inLoop.changes(one.place);
            if (set || !analysis.structure.visible(one.place.base, step.function, step.anchor))
                continue;
            for (const auto &within :
                 {std::optional(one), withoutGhosts(one, 2), withoutGhosts(one, 4), inRows(one)})
                if (within)
                    if (std::optional<Division> division = matchCount(*within, named))
                        return division;
        }
        return std::nullopt;
    }

    /* It is called the same at the loop, and is the same there. */
    bool isSteady(const Candidate &one) const
    {
        const Step &step = analysis.loopStep();
        return !analysis.framed && analysis.prologue[one.item].step == analysis.lastStep() &&
               analysis.structure.visible(one.place.base, step.function, step.anchor) &&
               !analysis.inLoop.changes(one.place);
    }

    /* Of rows that are counted from 1, or entries with a count and ghost rows: nothing is to be
     * written into them where the program starts over. */
    std::optional<Division> matchTables(const std::vector<Candidate> &all) const
    {
        std::vector<Candidate> steady;
        llvm::copy_if(all, std::back_inserter(steady),
                      [&](const Candidate &one) { return isSteady(one); });
        if (std::optional<Division> division = matchAny(steady, 1))
            return division;
        for (const Candidate &one : steady) {
            if (one.text.empty())
                continue;
            for (const auto &within : {withoutGhosts(one, 2), withoutGhosts(one, 4)})
                for (const Candidate &first : steady)
                    for (long long base : {0, 1})
                        if (std::optional<Division> division =
                                match(first, *within, RangeKind::Count, base))
                            return division;
        }
        return std::nullopt;
    }

    /* First rows, counts and ends that the program computes wherever it needs them. */
    std::optional<Division> matchComputed() const
    {
        std::vector<Candidate> all = candidates;
        for (const Computed &one : computedNumbers(analysis, survey))
            all.push_back({one.place, one.values, one.item, "(" + one.text + ")", one.limits});
        if (std::optional<Division> division = matchAny(all, 0))
            return division;
        for (const Candidate &count : all)
            if (!count.text.empty())
                if (std::optional<Division> division = matchCount(count, true))
                    return division;
        return std::nullopt;
    }

    std::optional<Candidate> withoutGhosts(const Candidate &one, long long ghosts) const
    {
        Candidate count = one;
        for (long long &value : count.values)
            value -= ghosts;
        count.text =
            (one.text.empty() ? analysis.textOf(one.place, analysis.lastStep()) : one.text) +
            " - " + std::to_string(ghosts);
        return count;
    }

    /* What all values of a round are multiples of are the elements of a row, where blocks differ.
     */
    std::optional<Candidate> inRows(const Candidate &one) const
    {
        const Step &step = analysis.loopStep();
        std::map<size_t, long long> units; /* by round */
        for (size_t i = 0; i < one.values.size(); i++) {
            long long &unit = units[survey.samples[i].round];
            unit = std::gcd(unit, one.values[i]);
        }
        Candidate count = one;
        Values length;
        for (size_t i = 0; i < one.values.size(); i++) {
            length.push_back(units[survey.samples[i].round]);
            if (length.back() <= 1)
                return std::nullopt;
            count.values[i] /= length.back();
        }
        const std::string unit = survey.textFor(length, step.function, step.anchor);
        if (unit.empty())
            return std::nullopt;
        count.text = analysis.textOf(one.place, analysis.lastStep()) + " / (" + unit + ")";
        return count;
    }

    /* A loop over the own rows ends at PLACE: it is a count, and not a share for comparison. */
    bool endsLoop(const Candidate &count) const
    {
        LoopUses uses(analysis);
        return llvm::any_of(uses.bodies,
                            [&](const Stmt *body) { return endsLoop(uses, body, count); });
    }

    bool endsLoop(const LoopUses &uses, const Stmt *statement, const Candidate &count) const
    {
        const Expr *condition =
            isLoop(statement) && statement != analysis.loop ? conditionIn(statement) : nullptr;
        if (condition != nullptr && comesFrom(uses, condition, count.place, 0))
            return true;
        return llvm::any_of(partsIn(statement),
                            [&](const Stmt *child) { return endsLoop(uses, child, count); });
    }

    /* EXPRESSION, in the adaptive loop, is computed with PLACE, or with variables that are. */
    bool comesFrom(const LoopUses &uses, const Expr *expression, const Place &place,
                   int depth) const
    {
        enum { MaxDepth = 4 };
        for (const Mention &mention : analysis.finder.of(expression).mentions) {
            const VarDecl *variable = mention.place.base;
            if (overlap(mention.place, place) ||
                (place.field == nullptr && uses.means(variable, place.base)))
                return true;
            if (depth == MaxDepth || mention.place.field != nullptr)
                continue;
            for (const Expr *value : valuesOf(uses, variable))
                if (comesFrom(uses, value, place, depth + 1))
                    return true;
        }
        return false;
    }

    /* What the adaptive loop sets VARIABLE to: assigned there, or handed over for a parameter. */
    std::vector<const Expr *> valuesOf(const LoopUses &uses, const VarDecl *variable) const
    {
        std::vector<const Expr *> values;
        const auto *parameter = dyn_cast<ParmVarDecl>(variable);
        for (const Stmt *body : uses.bodies) {
            const Effects effects = analysis.finder.of(body);
            for (const Write &write : effects.writes)
                if (write.value != nullptr && write.place.field == nullptr &&
                    write.place.base->getCanonicalDecl() == variable->getCanonicalDecl())
                    values.push_back(write.value);
            for (const CallExpr *call : effects.calls)
                if (const Expr *given = parameter ? argumentFor(call, parameter) : nullptr)
                    values.push_back(given);
        }
        return values;
    }

    /* Not all samples have the same: the size plays a part. */
    static bool varies(const Values &values)
    {
        return llvm::any_of(values, [&](long long value) { return value != values.front(); });
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

    /* Adds what is the first of KINDS that it may be; THERE: where DIVISION is made. */
    void addKinds(Division &division, const std::vector<RangeKind> &kinds, bool there) const
    {
        for (const Candidate &candidate : candidates)
            for (RangeKind kind : kinds)
                if ((!there || candidate.item == division.item) &&
                    division.isKind(candidate.values, kind) &&
                    division.isWithin(candidate.limits)) {
                    division.variables.push_back({{kind, candidate.place}, candidate.item});
                    break;
                }
        dropCounters(division);
    }

    /* ITEM: the last one that sets what tells the range. */
    std::optional<Division> complete(size_t item, Division division) const
    {
        division.item = item;
        std::vector<RangeKind> kinds = {RangeKind::Displ, RangeKind::Count, RangeKind::End,
                                        RangeKind::Last};
        if (division.displ.kind == RangeKind::Begin)
            kinds.push_back(RangeKind::Begin);
        addKinds(division, kinds, false);
        for (const auto &[variable, last] : division.variables)
            if (analysis.prologue[last].step == analysis.prologue[item].step)
                division.item = std::max(division.item, last);
        division.step = analysis.prologue[division.item].step;
        const Step &step = analysis.path[division.step];
        division.domain = domainOf(division, survey, step);
        if (division.domain.empty())
            return std::nullopt;
        return division;
    }

    /* A counter may have ended where the range does, before the loop uses it for something else. */
    void dropCounters(Division &division) const
    {
        auto isSet = [&](const Place &place) { return analysis.inLoop.changes(place); };
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
};

} // namespace

std::optional<Division> findDivision(Analysis &analysis, const Survey &survey)
{
    return RangeFinder(analysis, survey).find();
}

/* Each is the initializer of a variable that nobody sees. */
static void addComputed(Analysis &analysis, RangeKind kind, const Computed &one)
{
    ASTContext &context = analysis.context;
    for (const Expr *expression : one.where) {
        const SourceLocation where = expression->getBeginLoc();
        auto *variable =
            VarDecl::Create(context, context.getTranslationUnitDecl(), where, where,
                            &context.Idents.get(one.text), expression->getType(), nullptr, SC_None);
        variable->setImplicit();
        variable->setInit(const_cast<Expr *>(expression));
        analysis.ranges.push_back({kind, Place::of(variable)});
    }
}

void noteComputed(Analysis &analysis, const Inference &inference)
{
    if (!analysis.startsOver || !inference.division)
        return;
    for (const Computed &one : computedNumbers(analysis, *inference.survey))
        for (RangeKind kind : {RangeKind::Count, RangeKind::Displ, RangeKind::End, RangeKind::Last})
            if (inference.division->isKind(one.values, kind) &&
                inference.division->isWithin(one.limits)) {
                addComputed(analysis, kind, one);
                break;
            }
}

void addEnds(Analysis &analysis, const Survey &survey, Division &division)
{
    RangeFinder(analysis, survey).addEnds(division);
}

} // namespace xmpi
