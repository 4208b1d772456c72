/* SPDX-License-Identifier: BSD-3-Clause
 * Runs the trials, and finds names for the values that they yield. */
#include "trial/survey.h"
#include "source/within.h"
#include "trial/nests.h"

namespace xmpi
{

using namespace clang;

/* Of all trials; inputs that all sizes divide are larger. Ranks that share what the start does take
 * no more, however much each trial may take. */
enum { MaxSteps = 8000000, MaxDivisibleSteps = 20000000 };

/* Inputs of ROUND, which are larger where all sizes divide them; else neither they nor products of
 * them are multiples of each size. Of any two each is the larger one in some round, since a start
 * may go by the larger or the smaller, or by how often one is in the other. */
static std::shared_ptr<Inputs> inputsOf(size_t round, bool divisible)
{
    struct Order {
        long long first, step, turned;
    };
    static const Order any[Survey::Rounds] = {{23, 16, 0}, {57, 8, 1}, {85, 8, 2}, {40, 12, 3}},
                       divided[Survey::Rounds] = {
                           {60, 300, 0}, {120, 120, 1}, {180, 60, 2}, {240, 60, 3}};
    const Order &order = divisible ? divided[round] : any[round];
    return std::make_shared<Inputs>(order.first, order.step, order.turned);
}

/* What is filled with integers is not known any more: it may be all that takes so long. */
static std::shared_ptr<Lookups> withoutNests(const Analysis &analysis)
{
    auto lookups = std::make_shared<Lookups>();
    for (const Stmt *loop : nestsThatFill(analysis))
        lookups->integerLoops[loop] = false;
    return lookups;
}

/* With the nests a survey of this program has taken too long. The same start is surveyed again for
 * each rung and each reading of the file: those that follow do without the nests at once. */
static bool nestsTakeTooLong = false;

Survey::Survey(Analysis &analysis, bool divisible, const std::vector<long long> &sizes)
    : analysis(analysis)
{
    const int most = divisible ? MaxDivisibleSteps : MaxSteps;
    const auto tryRound = [&](size_t round, int &steps) {
        for (long long size : sizes) {
            std::vector<Trial> exchanging;
            if (!spent) /* what one does not know nobody is asked for */
                exchanging = tryExchanges(round, size);
            for (long long rank = 0; rank < size; rank++) {
                const size_t at = static_cast<size_t>(rank);
                const bool tried = !spent && at < exchanging.size();
                samples.push_back({round, size, rank,
                                   tried ? std::move(exchanging[at]) : trialOf(round, size, rank)});
                Trial &trial = samples.back().trial;
                if (!spent && !tried)
                    trial.run();
                steps += trial.stepsTaken();
                spent = spent || trial.isSpent() || steps > most;
            }
        }
    };
    for (bool more = true; more;) {
        int steps = 0;
        samples.clear();
        inputs.clear();
        lookups = nestsTakeTooLong ? withoutNests(analysis) : lookups;
        spent = false;
        for (size_t round = 0; round < Rounds; round++) {
            inputs.push_back(inputsOf(round, divisible));
            tryRound(round, steps);
        }
        more = spent && !nestsTakeTooLong;
        nestsTakeTooLong |= spent;
    }
    addIntegers();
}

Trial Survey::trialOf(size_t round, long long size, long long rank) const
{
    return Trial(analysis, *lookups, *inputs[round], rank, size);
}

Survey::Survey(const Survey &other, const std::vector<long long> &sizes)
    : analysis(other.analysis), spent(other.spent), inputs(other.inputs), lookups(other.lookups)
{
    for (const Sample &sample : other.samples)
        if (llvm::find(sizes, sample.size) != sizes.end())
            samples.push_back(sample);
    addIntegers();
}

/* Ranks hand over integers to all others before the loop. */
bool Survey::hasExchanges() const
{
    const auto exchanges = [](const Item &item) {
        return llvm::any_of(item.effects.calls, gathersIntegers);
    };
    return llvm::any_of(analysis.prologue, exchanges);
}

/* The trials of all ranks that hear what GATHERED has of the others, up to the first that takes too
 * long. */
std::vector<Trial> Survey::tryHearing(Gathered &gathered, size_t round, long long size)
{
    std::vector<Trial> trials;
    while (static_cast<long long>(trials.size()) < size &&
           (trials.empty() || !trials.back().isSpent())) {
        trials.push_back(trialOf(round, size, static_cast<long long>(trials.size())));
        trials.back().gathered = &gathered;
        trials.back().run();
        trials.back().gathered = nullptr;
    }
    return trials;
}

/* Where the program's own start is what counts, what ranks hand over is tried until it is what
 * comes of it: the trials that have heard that, or, where it comes to nothing or takes too long,
 * those that hear nothing. None where nobody hands over anything. */
std::vector<Trial> Survey::tryExchanges(size_t round, long long size)
{
    enum { Tries = 4 };
    if (!analysis.startsOver || !hasExchanges())
        return {};
    Gathered gathered;
    std::vector<Trial> alone = tryHearing(gathered, round, size);
    bool done = alone.back().isSpent() || gathered.told.empty();
    for (int i = 1; !done && i < Tries; i++) {
        gathered.heard = std::move(gathered.told);
        gathered.told.clear();
        std::vector<Trial> trials = tryHearing(gathered, round, size);
        done = trials.back().isSpent();
        if (!done && gathered.told == gathered.heard)
            return trials;
    }
    return alone;
}

std::optional<Values> Survey::valuesOf(const Cell &cell) const
{
    Values values;
    for (const Sample &sample : samples) {
        std::optional<long long> value = sample.trial.integerAt(cell);
        if (!value)
            return std::nullopt;
        values.push_back(*value);
    }
    return values;
}

std::optional<Values> Survey::valuesOf(const Place &place) const
{
    if (place.element || place.behind)
        return std::nullopt;
    return valuesOf(Cell{place.base->getCanonicalDecl(), place.field});
}

bool isCountable(const Analysis &analysis, QualType type)
{
    if (!type->isIntegerType() || type->isBooleanType() || type->isEnumeralType())
        return false;
    uint64_t bits = analysis.context.getTypeSize(type);
    return bits == 32 || bits == 64;
}

size_t stepOfVariable(const Analysis &analysis, const VarDecl *variable)
{
    for (size_t step = 0; step < analysis.path.size(); step++)
        if (variable->getDeclContext() == analysis.path[step].function)
            return step;
    return analysis.path.size() - 1;
}

void Survey::addInteger(const Place &place)
{
    if (place.field == nullptr && place.type->isRecordType() && !place.behind && !place.element) {
        for (const FieldDecl *field : place.type->getAsRecordDecl()->fields())
            if (!field->isBitField())
                addInteger({place.base, field, false, false, field->getType()});
        return;
    }
    if (!isCountable(analysis, place.type))
        return;
    for (const auto &known : integers)
        if (overlap(known.first, place) && known.first.field == place.field)
            return;
    if (std::optional<Values> values = valuesOf(place))
        integers.emplace_back(place, *values);
}

void Survey::addIntegers()
{
    for (const Item &item : analysis.prologue)
        for (const Write &write : item.effects.writes)
            addInteger(write.place);
    for (const Step &step : analysis.path)
        for (const ParmVarDecl *parameter : step.function->parameters())
            addInteger(Place::of(parameter));
    for (const Item &item : analysis.prologue)
        for (const Mention &mention : item.effects.mentions)
            addInteger(mention.place);
}

/* What the start sets VARIABLE to is picked by a condition. */
static bool isPicked(const Analysis &analysis, const Place &variable)
{
    int many = 0;
    bool choice = false;
    for (const Item &item : analysis.prologue)
        for (const Write &write : item.effects.writes) {
            if (write.value == nullptr || !overlap(write.place, variable))
                continue;
            const bool constant = write.value->isIntegerConstantExpr(analysis.context);
            many += constant;
            choice |= !constant && anyWithin(write.value, [](const Stmt *one) {
                return isa<ConditionalOperator>(one);
            });
        }
    return choice || many > 1;
}

const Place *Survey::chosen(long long value) const
{
    const auto isGoneBy = [&](const Place &place) { return analysis.inLoop.names(place); };
    for (const auto &[place, values] : integers)
        if (llvm::all_of(values, [&](long long one) { return one == value; }) && isGoneBy(place) &&
            isPicked(analysis, place))
            return &place;
    return nullptr;
}

void Survey::addLimitsIn(const Stmt *statement, Limits &limits) const
{
    eachWithin(statement, [&](const Stmt *one) {
        const auto found = lookups->comparisons.find(one);
        if (found == lookups->comparisons.end())
            return;
        if (const std::optional<long long> limit = found->second.limit())
            limits.numbers.insert(*limit);
    });
}

void Survey::addLimitsOf(const Stmt *value, Limits &limits) const
{
    addLimitsIn(value, limits);
    const Effects effects = analysis.finder.of(value);
    for (const FunctionDecl *function : analysis.finder.reachable(effects))
        addLimitsIn(function->getBody(), limits);
    for (const Mention &mention : effects.mentions)
        addLimitsOf(mention.place, limits);
}

void Survey::addLimitsOf(const Place &place, Limits &limits) const
{
    if (!limits.seen.insert(place.base->getCanonicalDecl()).second)
        return;
    for (const Item &item : analysis.prologue)
        for (const Write &write : item.effects.writes) {
            if (!overlap(write.place, place))
                continue;
            for (const Expr *condition : write.conditions)
                addLimitsIn(condition, limits);
            if (write.value != nullptr)
                addLimitsOf(write.value, limits);
        }
}

template <class Value> std::set<long long> Survey::limitsOf(const Value &value) const
{
    Limits limits;
    addLimitsOf(value, limits);
    return limits.numbers;
}

template std::set<long long> Survey::limitsOf(const Place &) const;
template std::set<long long> Survey::limitsOf(const Expr *const &) const;

/* Of the variables with that value that which is picked by most of what may pick it. */
const Place *Survey::pickedWidth(long long rows, Picked &picked) const
{
    const Values values(samples.size(), rows);
    const Place *place = variableOf(
        values, [&](const Place &one) { return picked.mayName(one) && picked.countOf(one) > 0; },
        &picked);
    if (place != nullptr)
        picked.name(*place);
    return place;
}

std::string Survey::widthOf(long long rows, Picked *picked) const
{
    const Place *place = rows > 0 && picked != nullptr ? pickedWidth(rows, *picked) : nullptr;
    place = rows > 0 && place == nullptr ? chosen(rows) : place;
    const Step &step = analysis.loopStep();
    return place != nullptr && analysis.structure.visible(place->base, step.function, step.anchor)
               ? analysis.textOf(*place, analysis.lastStep())
               : std::to_string(rows);
}

/* The text may be evaluated after the statement ITEM already, and in any iteration: what is set
 * later, or what the loop changes, has its value at the first iteration only. */
static bool canStandFor(const Analysis &analysis, const Place &variable,
                        const FunctionDecl *function, const Stmt *place, size_t item)
{
    auto sets = [&](const Effects &effects) { return effects.changes(variable); };
    for (size_t later = item + 1; later < analysis.prologue.size(); later++)
        if (sets(analysis.prologue[later].effects))
            return false;
    return analysis.rangeAt(variable) == nullptr &&
           analysis.structure.visible(variable.base, function, place) && !sets(analysis.inLoop);
}

Picked Survey::pickedFor(const VarDecl *variable) const
{
    if (picks == nullptr)
        picks = std::make_shared<Picks>(analysis, *lookups);
    Picked picked{*picks, {}, {}};
    if (variable != nullptr)
        picked.want(Place::of(variable));
    return picked;
}

/* The variable that has VALUES; of several, the one that is picked by most of what may pick it. */
const Place *Survey::variableOf(const Values &values,
                                const std::function<bool(const Place &)> &stands,
                                const Picked *picked) const
{
    const Place *best = nullptr;
    for (const auto &[variable, own] : integers)
        if (own == values && stands(variable) &&
            (best == nullptr ||
             (picked != nullptr && picked->countOf(variable) > picked->countOf(*best))))
            best = &variable;
    return best;
}

std::string Survey::textFor(const Values &values, const FunctionDecl *function, const Stmt *place,
                            size_t item, Picked *picked) const
{
    auto stands = [&](const Place &variable) {
        return canStandFor(analysis, variable, function, place, item) &&
               (picked == nullptr || picked->mayName(variable));
    };
    auto named = [&](const Place &variable) {
        if (picked != nullptr)
            picked->name(variable);
        return analysis.textOf(variable, function, place);
    };
    bool constant = llvm::all_of(values, [&](long long value) { return value == values.front(); });
    if (const Place *variable = variableOf(values, stands, picked))
        return named(*variable);
    if (constant)
        return std::to_string(values.front());
    for (const auto &[variable, own] : integers) { /* n + 2, say: with the edges */
        if (!stands(variable))
            continue;
        long long more = values.front() - own.front();
        bool equal = more != 0 && more >= -8 && more <= 8;
        for (size_t i = 0; equal && i < values.size(); i++)
            equal = values[i] - own[i] == more;
        if (equal)
            return named(variable) + (more > 0 ? " + " : " - ") + std::to_string(std::abs(more));
    }
    return productFor(values, stands, named);
}

std::string Survey::productFor(const Values &values,
                               const std::function<bool(const Place &)> &stands,
                               const std::function<std::string(const Place &)> &named) const
{
    /* (What starts over evaluates it in another layout, where each factor is to be the same.) */
    auto same = [&](const Values &factor) {
        for (size_t i = 1; analysis.startsOver && i < factor.size(); i++)
            if (samples[i].round == samples[i - 1].round && factor[i] != factor[i - 1])
                return false;
        return true;
    };
    for (size_t i = 0; i < integers.size(); i++)
        for (size_t j = i; j < integers.size(); j++) {
            const auto &[one, left] = integers[i];
            const auto &[other, right] = integers[j];
            bool equal = true;
            for (size_t k = 0; equal && k < values.size(); k++)
                equal = left[k] * right[k] == values[k];
            if (equal && stands(one) && stands(other) && same(left) && same(right))
                return "(long long)" + named(one) + " * " + named(other);
        }
    return "";
}

} // namespace xmpi
