/* SPDX-License-Identifier: BSD-3-Clause
 * Lays types out, by the record layouts of clang; and tells which values may differ. */
#include "rows/elements.h"
#include "facts/first_use.h"
#include "flow/other_files.h"
#include "ranks/rank_flow.h"
#include "facts/storage.h"
#include <clang/AST/RecordLayout.h>
#include <algorithm>

namespace xmpi
{

using namespace clang;

namespace
{

enum { MaxText = 200 };

/* COUNT times BYTES of one KIND. */
struct Run {
    char kind;
    uint64_t bytes, count;
};

class Layout
{
  public:
    explicit Layout(const ASTContext &context) : context(context)
    {
    }

    void add(QualType type)
    {
        type = type.getCanonicalType().getUnqualifiedType();
        uint64_t size = sizeOf(type);
        if (size == 0)
            return;
        if (const auto *array = dyn_cast<ConstantArrayType>(type.getTypePtr()))
            return addArray(array);
        if (const auto *complex = dyn_cast<ComplexType>(type.getTypePtr())) {
            add(complex->getElementType());
            return add(complex->getElementType());
        }
        if (const auto *vector = dyn_cast<VectorType>(type.getTypePtr()))
            return addTimes(vector->getElementType(), vector->getNumElements());
        if (const auto *atomic = dyn_cast<AtomicType>(type.getTypePtr());
            atomic != nullptr && sizeOf(atomic->getValueType()) == size)
            return add(atomic->getValueType());
        const RecordDecl *record = type->getAsRecordDecl();
        if (record != nullptr && record->isStruct() && record->getDefinition() != nullptr)
            return addStruct(record->getDefinition());
        addScalar(type, size);
    }

    /* What does not fit is skipped: nobody compares it. */
    std::string text()
    {
        std::string all;
        uint64_t rest = 0;
        for (const Run &run : runs) {
            std::string word = wordFor(run);
            if (rest == 0 && all.size() + word.size() < MaxText)
                all += (all.empty() ? "" : " ") + word;
            else
                rest += run.bytes * run.count;
        }
        if (rest > 0)
            all += " x" + std::to_string(rest);
        return all;
    }

  private:
    const ASTContext &context;
    std::vector<Run> runs;

    uint64_t sizeOf(QualType type) const
    {
        if (type->isIncompleteType() || type->isFunctionType() || type->isVariablyModifiedType())
            return 0;
        return static_cast<uint64_t>(context.getTypeSizeInChars(type).getQuantity());
    }

    static std::string wordFor(const Run &run)
    {
        if (run.kind == 'x')
            return "x" + std::to_string(run.bytes * run.count);
        return (run.count > 1 ? std::to_string(run.count) : "") + run.kind +
               std::to_string(run.bytes);
    }

    void addRun(char kind, uint64_t bytes, uint64_t count = 1)
    {
        if (bytes == 0 || count == 0)
            return;
        if (kind == 'x') {
            bytes *= count;
            count = 1;
        }
        if (!runs.empty() && runs.back().kind == kind && kind == 'x')
            runs.back().bytes += bytes;
        else if (!runs.empty() && runs.back().kind == kind && runs.back().bytes == bytes)
            runs.back().count += count;
        else
            runs.push_back({kind, bytes, count});
    }

    /* A number of times, without doing it as often where it is one run. */
    void addTimes(QualType type, uint64_t count)
    {
        Layout one(context);
        one.add(type);
        if (one.runs.size() == 1)
            return addRun(one.runs[0].kind, one.runs[0].bytes, one.runs[0].count * count);
        for (uint64_t i = 0; i < count; i++) {
            if (runs.size() > MaxText) /* more than the text can say */
                return addRun('x', sizeOf(type) * (count - i));
            for (const Run &run : one.runs)
                addRun(run.kind, run.bytes, run.count);
        }
    }

    void addArray(const ConstantArrayType *array)
    {
        addTimes(array->getElementType(), array->getSize().getZExtValue());
    }

    /* A bit-field fills bytes; only whole ones are compared. */
    void addBits(uint64_t begin, uint64_t width, uint64_t &end)
    {
        uint64_t first = (begin + 7) / 8, last = (begin + width) / 8,
                 after = (begin + width + 7) / 8;
        pad(std::min(first, after), end);
        if (last > end && first <= end) {
            addRun('i', 1, last - end);
            end = last;
        }
        pad(after, end);
    }

    void pad(uint64_t offset, uint64_t &end)
    {
        if (offset > end)
            addRun('x', offset - end);
        end = std::max(end, offset);
    }

    void addStruct(const RecordDecl *record)
    {
        const ASTRecordLayout &layout = context.getASTRecordLayout(record);
        uint64_t end = 0; /* of what has been laid out, in bytes */
        for (const FieldDecl *field : record->fields()) {
            uint64_t begin = layout.getFieldOffset(field->getFieldIndex());
            if (field->isBitField()) {
                addBits(begin, field->getBitWidthValue(context), end);
                continue;
            }
            pad(begin / 8, end);
            add(field->getType(), isHandle(field->getType()));
            end += sizeOf(field->getType());
        }
        pad(static_cast<uint64_t>(layout.getSize().getQuantity()), end);
    }

  public:
    /* HANDLE: what it means it means in one process. */
    void add(QualType type, bool handle)
    {
        if (handle)
            addRun('x', sizeOf(type));
        else
            add(type);
    }

  private:
    void addScalar(QualType type, uint64_t size)
    {
        bool floating = type->isRealFloatingType();
        if (floating && (size == 4 || size == 8 || isLongDouble(type)))
            return addRun('f', size);
        if (!floating && type->isIntegralOrEnumerationType())
            return size <= 8 ? addRun('i', size) : addRun('i', 8, size / 8);
        addRun('x', size);
    }

    static bool isLongDouble(QualType type)
    {
        const auto *builtin = dyn_cast<BuiltinType>(type.getTypePtr());
        return builtin != nullptr && builtin->getKind() == BuiltinType::LongDouble;
    }
};

} // namespace

std::string elementsOf(const ASTContext &context, QualType type)
{
    if (type.isNull())
        return "";
    bool handle = isHandle(type);
    while (const ArrayType *array = context.getAsArrayType(type)) {
        bool plain = isa<ConstantArrayType>(array) &&
                     !context.getBaseElementType(type)->isRecordType() &&
                     !type->isVariablyModifiedType();
        if (plain)
            break;
        type = array->getElementType();
    }
    Layout layout(context);
    layout.add(type, handle);
    return layout.text();
}

namespace
{

class Marker
{
  public:
    explicit Marker(Analysis &analysis)
        : analysis(analysis), ranks(followRanks(analysis, analysis.distributed()))
    {
        bool unseen = false;
        for (const Effects *effects : statements())
            for (const CallExpr *call : effects->calls)
                unseen = unseen || isUnseen(analysis, call);
        clocks = followClocks(analysis, unseen).values;
    }

    void mark()
    {
        for (Site &site : analysis.program.sites)
            mark(site.what);
        for (Guarded &guarded : analysis.program.guarded)
            mark(guarded.after);
        mark(analysis.program.loop.before);
        mark(analysis.program.loop.inside);
    }

  private:
    Analysis &analysis;
    RankFlow ranks;
    Ranked clocks;

    std::vector<const Effects *> statements() const
    {
        std::vector<const Effects *> all = {&analysis.inLoop};
        for (const Item &item : analysis.prologue)
            all.push_back(&item.effects);
        return all;
    }

    void mark(Registrations &what)
    {
        for (Live &live : what.lives)
            if (!live.elements.empty())
                live.elements = markOf(analysis.livePlaces.at(live.name)) + live.elements;
        for (Data &data : what.data)
            if (!data.elements.empty() && data.scheme == Scheme::Replicated && !isFilled(data.name))
                data.elements = "? " + data.elements;
    }

    std::string markOf(const Place &place) const
    {
        const VarDecl *variable = place.base->getCanonicalDecl();
        if (differs(place, ranks.atEntry) || differs(place, ranks.carried) ||
            differs(place, clocks) || analysis.rootOnly.count(variable) != 0)
            return "~ ";
        return isSet(place) ? "" : "? ";
    }

    static bool differs(const Place &place, const Ranked &ranked)
    {
        return llvm::any_of(ranked, [&](const auto &known) {
            const auto &[variable, field] = known.first;
            return variable == place.base->getCanonicalDecl() &&
                   (field == nullptr || place.field == nullptr || field == place.field);
        });
    }

    /* -- what has a value before the first iteration */

    bool isSet(const Place &place) const
    {
        const VarDecl *variable = place.base;
        bool member = analysis.members.contains(variable);
        const VarDecl *owner = member ? analysis.members.owner(variable) : variable;
        if (owner != nullptr && (owner->hasGlobalStorage() || isa<ParmVarDecl>(owner) ||
                                 (owner->getInit() != nullptr && isWhole(owner->getInit()))))
            return true;
        if (place.type->isArrayType())
            return isAnySetting([&](const Stmt *statement) { return fills(statement, place); });
        const RecordDecl *record = place.type->getAsRecordDecl();
        if (record == nullptr)
            return isAnySetting([&](const Stmt *statement) {
                return setsAll(analysis, statement, variable, place.field);
            });
        return place.field == nullptr &&
               std::all_of(record->field_begin(), record->field_end(), [&](const FieldDecl *field) {
                   return !isPlainValue(field->getType()) ||
                          isSet({variable, field, false, false, field->getType()});
               });
    }

    /* A function may hand back a struct of which not all is set. */
    static bool isWhole(const Expr *value)
    {
        return !value->getType()->isRecordType() || isa<InitListExpr>(value->IgnoreParenImpCasts());
    }

    bool isAnySetting(const std::function<bool(const Stmt *)> &sets) const
    {
        const auto *counted = dyn_cast<ForStmt>(analysis.loop);
        if (counted != nullptr && counted->getInit() != nullptr && sets(counted->getInit()))
            return true;
        return llvm::any_of(analysis.prologue,
                            [&](const Item &item) { return sets(item.statement); });
    }

    /* All elements, from the first to the last: memset(a, 0, sizeof a), for (i = 0; i < 3; i++). */
    bool fills(const Stmt *statement, const Place &place) const
    {
        const auto *array = analysis.context.getAsConstantArrayType(place.type);
        if (const auto *call = dyn_cast<CallExpr>(statement))
            return calleeName(call) == "memset" && call->getNumArgs() == 3 &&
                   constant(call->getArg(2)) ==
                       analysis.context.getTypeSizeInChars(place.type).getQuantity() &&
                   setsAll(analysis, statement, place.base, place.field);
        const auto *counted = dyn_cast<ForStmt>(statement);
        return counted != nullptr && array != nullptr && !array->getElementType()->isArrayType() &&
               runsFromTo(counted, static_cast<long long>(array->getSize().getZExtValue())) &&
               setsAll(analysis, statement, place.base, place.field);
    }

    std::optional<long long> constant(const Expr *expression) const
    {
        Expr::EvalResult value;
        if (expression == nullptr || expression->isValueDependent() ||
            !expression->EvaluateAsInt(value, analysis.context))
            return std::nullopt;
        return value.Val.getInt().getExtValue();
    }

    bool runsFromTo(const ForStmt *loop, long long end) const
    {
        const Expr *first = nullptr;
        if (const auto *declaration = dyn_cast_or_null<DeclStmt>(loop->getInit()))
            if (const auto *counter = dyn_cast<VarDecl>(*declaration->decl_begin()))
                first = counter->getInit();
        if (const auto *assigned = dyn_cast_or_null<BinaryOperator>(loop->getInit()))
            first = assigned->getRHS();
        const auto *compared = dyn_cast_or_null<BinaryOperator>(loop->getCond());
        return constant(first) == 0 && compared != nullptr && compared->getOpcode() == BO_LT &&
               constant(compared->getRHS()) == end;
    }

    /* -- arrays that all have in full */

    /* Somebody sets them before the loop, or each iteration does; else rooms may be left. */
    bool isFilled(const std::string &name) const
    {
        for (const auto &[variable, known] : analysis.data)
            if (known == name &&
                (isAnySetting([&, array = variable](const Stmt *statement) {
                     return setsAll(analysis, statement, array, nullptr);
                 }) ||
                 setsBeforeReading(analysis, variable, nullptr, true) || isCleared(variable)))
                return true;
        return false;
    }

    bool isCleared(const VarDecl *variable) const
    {
        auto clears = [](const Expr *value) { return callsOneOf(value, {"calloc"}); };
        if (variable->hasInit() && clears(variable->getInit()))
            return true;
        for (const Item &item : analysis.prologue)
            for (const Write &write : item.effects.writes)
                if (write.place.base->getCanonicalDecl() == variable && clears(write.value))
                    return true;
        return false;
    }
};

} // namespace

void markElements(Analysis &analysis)
{
    Marker(analysis).mark();
}

} // namespace xmpi
