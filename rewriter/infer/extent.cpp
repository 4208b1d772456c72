/* SPDX-License-Identifier: BSD-3-Clause
 * Compares what data pragmas say about arrays with the memory that the program makes for them. */
#include "infer/infer.h"
#include "rows/own_rows.h"
#include "facts/uses.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

namespace
{

class ExtentChecker
{
  public:
    ExtentChecker(Analysis &analysis, const Inference &inference)
        : analysis(analysis), inference(inference)
    {
    }

    bool check(const ArrayOperand &array)
    {
        Need need;
        QualType element = array.variable.expression->getType()->getPointeeType();
        if (array.shape.size() > 1 && element->isVariableArrayType())
            return refuse(
                array, {array.variable.text, "an array of single elements",
                        "each of its elements is a row",
                        "write the number of rows only, as in " + array.variable.text + "[rows]"});
        if (pointsToFixed(array))
            return refuse(array, {array.variable.text, "an array",
                                  "it points to an array of fixed size, which cannot move",
                                  "name that array itself, before the call that hands it over, or "
                                  "let it point to memory from malloc or calloc"});
        if (array.csr != 0 || array.shape.empty())
            return true; /* one pointer more than rows, and as many elements as they say */
        for (size_t i = 0; i < inference.survey->samples.size(); i++)
            if (!add(array, i, need))
                return true; /* not known */
        return checkMemory(array, need) && checkWhole(array, need) &&
               (array.scheme != Scheme::Distributed || checkParts(array, need)) &&
               checkRoom(array, need);
    }

  private:
    Analysis &analysis;
    const Inference &inference;

    struct Need {
        size_t parts = 0;    /* samples in which a process has some of the rows only */
        size_t whole = 0;    /* samples (for a distributed array: of those) with room for all */
        size_t small = 0;    /* samples without room for the process's own rows */
        size_t own = 0;      /* samples in which the extent is the number of own rows */
        size_t parted = 0;   /* samples with fewer own rows than the domain has */
        size_t more = 0;     /* samples with room for further elements */
        size_t rows = 0;     /* samples with room for a further row in front and one behind */
        bool inside = false; /* it begins in the middle of its memory */
        long long width = 0; /* ghost rows on each side */
        Values length;       /* elements of a row, for each sample */
    };

    /* Whose memory it is. */
    bool checkMemory(const ArrayOperand &array, const Need &need)
    {
        const std::string &name = array.variable.text;
        if (const VarDecl *other = sharedWith(array))
            return refuse(array, {name, "an array",
                                  "'" + other->getNameAsString() + "' leads to the same memory",
                                  "use '" + name + "' in the place of '" +
                                      other->getNameAsString() + "', also where it is freed"});
        if (need.inside)
            return refuse(array, {name, "an array",
                                  "it begins inside memory that was made for something else, too",
                                  "give it memory of its own, from malloc or calloc"});
        return true;
    }

    /* Which rows a process holds, and which of them are its own. */
    bool checkWhole(const ArrayOperand &array, const Need &need)
    {
        const std::string &name = array.variable.text;
        if (array.scheme == Scheme::Owned && setsOthers(array, need))
            return refuse(array, {name, "owned", "the loop sets other rows than the process's own",
                                  "let the rows from its first one to its last one be those with "
                                  "the same indices in " +
                                      name});
        if (need.own == inference.survey->samples.size() && need.parted > 0)
            return refuse(array, {name, "'" + array.shape[0].text + "' rows long",
                                  "these are the process's own rows only",
                                  "write the number of rows of all processes: the domain"});
        if (array.scheme == Scheme::Distributed && need.parts > 0 && need.whole == need.parts &&
            isIndexedGlobally(array))
            return refuse(array, {name, "distributed", "every process holds all of its rows",
                                  "make room for the process's own rows only, with indices from 0 "
                                  "to its count, or write owned(" +
                                      name + "[...])"});
        return true;
    }

    /* The own rows, and ghost rows, of an array that is distributed. */
    bool checkParts(const ArrayOperand &array, const Need &need)
    {
        const std::string &name = array.variable.text;
        if (!array.halo.empty() && need.small > 0)
            return refuse(array,
                          {name, "distributed with a halo", "a process makes room for fewer rows",
                           "make room for the process's own rows and the ghost rows, as many in "
                           "front of them as behind"});
        if (!array.halo.empty() && setsGhosts(array, need))
            return refuse(array, {name, "distributed with a halo",
                                  "the loop sets its ghost rows like the process's own",
                                  "let the own rows begin behind as many ghost rows as there are "
                                  "at the end"});
        if (need.more == inference.survey->samples.size() && touchesMore(array, need))
            return refuse(array,
                          {name, array.halo.empty() ? "distributed" : "distributed with a halo",
                           "the loop touches further rows that a process makes room for",
                           remedyOfMore(array)});
        if (array.halo.empty() && need.rows == inference.survey->samples.size() &&
            isHandedOver(array))
            return refuse(array, {name, "distributed",
                                  "a process makes room for further rows, which functions of other "
                                  "files may touch",
                                  "write halo(" + name +
                                      "[...]: width), with the ghost rows in front of the "
                                      "process's own ones and behind, or 0"});
        return true;
    }

    /* Where the number of ghost rows is said, it is not the remedy. */
    static std::string remedyOfMore(const ArrayOperand &array)
    {
        const std::string &name = array.variable.text;
        return array.halo.empty()
                   ? "write halo(" + name +
                         "[...]: width) where as many ghost rows lie in front of the process's own "
                         "ones as behind, and keep others in variables of their own"
                   : "keep rows that are no ghost rows, such as the last one of count + 1, in "
                     "variables of their own, or leave '" +
                         name +
                         "' out here and name the state of the loop: '#pragma xmpi loop "
                         "state(...)' (docs/startover.md)";
    }

    /* There is room for what a process has of it. */
    bool checkRoom(const ArrayOperand &array, const Need &need)
    {
        const std::string &name = array.variable.text;
        const bool distributed = array.scheme == Scheme::Distributed;
        if (distributed ? need.small > 0 : need.whole < inference.survey->samples.size())
            return refuse(array,
                          {name, distributed ? "distributed" : "replicated or owned",
                           "a process makes room for fewer elements",
                           "write the array's global extents, as in " + name + "[rows][columns]"});
        return true;
    }

    static const VarDecl *variableOf(const ArrayOperand &array)
    {
        return cast<VarDecl>(cast<DeclRefExpr>(array.variable.expression)->getDecl());
    }

    /* Another variable's memory, that no function has allocated. */
    bool pointsToFixed(const ArrayOperand &array) const
    {
        const VarDecl *own = variableOf(array)->getCanonicalDecl();
        if (array.shape.empty() || analysis.arrays.contains(own))
            return false;
        return llvm::any_of(inference.survey->samples, [&](const Survey::Sample &sample) {
            const Value value = sample.trial.valueAt(Cell{own});
            return value.kind == Value::Kind::Pointer && value.target.base != nullptr &&
                   (!sample.trial.bytesOf(value.target.base) ||
                    analysis.arrays.bytesOf(value.target.base) > 0);
        });
    }

    /* A further variable that is used later leads to the memory of ARRAY, which moves away. (One
     * that comes from the array's own variable is looked at elsewhere.) */
    const VarDecl *sharedWith(const ArrayOperand &array) const
    {
        const VarDecl *own = variableOf(array)->getCanonicalDecl();
        for (const Item &item : analysis.prologue)
            for (const Write &write : item.effects.writes) {
                const VarDecl *other = write.place.base->getCanonicalDecl();
                Place place = Place::of(other);
                SourceLocation where;
                bool known = analysis.isData(other) ? isAlias(other, own) : comesFrom(write, own);
                if (other == own || known || write.place.element ||
                    !other->getType()->isPointerType() || analysis.laterUse(place, where).empty())
                    continue;
                if (llvm::any_of(inference.survey->samples, [&](const Survey::Sample &sample) {
                        return leadTogether(sample.trial, own, other);
                    }))
                    return other;
            }
        return nullptr;
    }

    /* Both are known to hold the pointer of one array. */
    bool isAlias(const VarDecl *one, const VarDecl *other) const
    {
        return analysis.data.at(one) == analysis.data.at(other);
    }

    bool comesFrom(const Write &write, const VarDecl *own) const
    {
        const Effects effects =
            write.value != nullptr ? analysis.finder.of(write.value) : Effects();
        return llvm::any_of(effects.mentions, [&](const Mention &mention) {
            return mention.place.base->getCanonicalDecl() == own;
        });
    }

    static bool leadTogether(const Trial &trial, const VarDecl *one, const VarDecl *other)
    {
        Value first = trial.valueAt(Cell{one}), second = trial.valueAt(Cell{other});
        return first.kind == Value::Kind::Pointer && second.kind == Value::Kind::Pointer &&
               first.target.base == second.target.base && first.target.index == second.target.index;
    }

    bool touchesMore(const ArrayOperand &array, const Need &need) const
    {
        LoopUses uses(analysis);
        OwnRows own(analysis, *inference.survey, *inference.division, uses);
        return own.touchesMore(variableOf(array), need.length, static_cast<int>(2 * need.width));
    }

    bool isHandedOver(const ArrayOperand &array) const
    {
        LoopUses uses(analysis);
        OwnRows own(analysis, *inference.survey, *inference.division, uses);
        return own.isHandedOver(variableOf(array));
    }

    bool setsGhosts(const ArrayOperand &array, const Need &need) const
    {
        LoopUses uses(analysis);
        OwnRows own(analysis, *inference.survey, *inference.division, uses);
        return own.setsGhosts(variableOf(array), need.length, static_cast<int>(need.width));
    }

    bool setsOthers(const ArrayOperand &array, const Need &need) const
    {
        if (!inference.division)
            return false;
        LoopUses uses(analysis);
        OwnRows own(analysis, *inference.survey, *inference.division, uses);
        return own.setsOthers(variableOf(array), need.length);
    }

    bool refuse(const ArrayOperand &array, std::initializer_list<llvm::StringRef> arguments)
    {
        return analysis.diagnostics.report(array.variable.where, Problem::DataExtent, arguments);
    }

    /* The loop reaches its elements by global indices: they start at the first own row. */
    bool isIndexedGlobally(const ArrayOperand &array) const
    {
        LoopUses uses(analysis);
        const VarDecl *variable = variableOf(array);
        return llvm::any_of(uses.accesses, [&](const Access &access) {
            return uses.touches(access, variable) && isGlobal(uses, access.index);
        });
    }

    bool isGlobal(const LoopUses &uses, const Expr *index) const
    {
        if (subtracts(uses, index))
            return false;
        if (uses.mentionsRange(index, RangeKind::Displ))
            return true;
        for (const Mention &mention : analysis.finder.of(index).mentions)
            for (const Stmt *body : uses.bodies)
                for (const Write &write : analysis.finder.of(body).writes)
                    if (overlap(write.place, mention.place) && write.value != nullptr &&
                        uses.mentionsRange(write.value, RangeKind::Displ))
                        return true;
        return false;
    }

    /* i - displ */
    static bool subtracts(const LoopUses &uses, const Stmt *index)
    {
        const auto *binary = dyn_cast<BinaryOperator>(index);
        if (binary != nullptr && binary->getOpcode() == BO_Sub &&
            uses.mentionsRange(binary->getRHS(), RangeKind::Displ))
            return true;
        return llvm::any_of(partsIn(index),
                            [&](const Stmt *child) { return subtracts(uses, child); });
    }

    bool add(const ArrayOperand &array, size_t index, Need &need)
    {
        Trial &trial = inference.survey->samples[index].trial;
        const auto *name = cast<DeclRefExpr>(array.variable.expression);
        Value pointer = trial.valueAt(Cell{name->getDecl()->getCanonicalDecl()});
        if (pointer.kind != Value::Kind::Pointer)
            return false;
        std::optional<long long> bytes = trial.bytesOf(pointer.target.base);
        long long length = 1, rows = 0;
        for (size_t i = 0; i < array.shape.size(); i++) {
            std::optional<long long> extent = trial.integerOf(array.shape[i].expression);
            if (!extent)
                return false;
            if (i == 0)
                rows = *extent;
            else
                length *= *extent;
        }
        QualType element = name->getType()->getPointeeType();
        long long size = analysis.context.getTypeSizeInChars(element).getQuantity();
        if (!bytes || size == 0)
            return false;
        need.inside = need.inside || pointer.target.index != 0;
        std::optional<long long> width =
            array.halo.empty() ? 0 : trial.integerOf(array.halo.front().expression);
        if (!width)
            return false;
        need.width = *width;
        return compare(array, index, need, *bytes / size, rows, length);
    }

    bool compare(const ArrayOperand &array, size_t index, Need &need, long long elements,
                 long long rows, long long length)
    {
        bool whole = elements >= rows * length;
        need.length.push_back(length);
        if (array.scheme != Scheme::Distributed) {
            need.whole += whole;
            return true;
        }
        if (!inference.division)
            return false;
        long long own = inference.division->count[index];
        need.own += rows == own;
        need.parted += own < inference.division->extent[index];
        need.small += elements < (own + 2 * need.width) * length;
        need.more += elements > (own + 2 * need.width) * length;
        need.rows += elements >= (own + 2) * length;
        if (own < rows) {
            need.parts++;
            need.whole += whole;
        }
        return true;
    }
};

} // namespace

bool checkExtents(Analysis &analysis, const Inference &inference)
{
    if (inference.survey == nullptr)
        return true;
    for (const auto &pragma : analysis.pragmas.list)
        for (const ArrayOperand &array : pragma->arrays)
            if (array.element.empty() && /* else no memory is made for it */
                !ExtentChecker(analysis, inference).check(array))
                return false;
    return true;
}

} // namespace xmpi
