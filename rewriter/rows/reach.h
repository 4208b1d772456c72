/* SPDX-License-Identifier: BSD-3-Clause
 * Which elements of an array the loop touches: indices are computed, in the trials of the prologue,
 * at the ends of what the counters around them run through. */
#ifndef XMPI_REWRITER_REACH_H
#define XMPI_REWRITER_REACH_H

#include "trial/survey.h"
#include "facts/uses.h"

namespace xmpi
{

/* From LOW to HIGH, both included; empty where HIGH is less. */
struct Reach {
    long long low = LLONG_MAX, high = LLONG_MIN;

    bool empty() const
    {
        return high < low;
    }
    void add(long long value);
    void add(const Reach &other);
};

/* RANGE becomes what of it compares by KIND with VALUE. */
void narrow(clang::BinaryOperatorKind kind, long long value, Reach &range);

/* The row, of BY elements, that the element VALUE is in; both may lie in front of the first one. */
inline long long floorOf(long long value, long long by)
{
    return value / by - (value % by < 0 ? 1 : 0);
}

/* An assignment to an element of an array. */
struct Store {
    const clang::VarDecl *variable; /* named there; perhaps a parameter, or a further pointer */
    const clang::Expr *base;        /* what INDEX counts from */
    const clang::Expr *index;
    const clang::Expr *value; /* that is assigned; null where it is changed otherwise */
    const clang::Expr *given; /* that is assigned, or that it is changed by; or null */
};

class Reaches
{
  public:
    Reaches(Analysis &analysis, const Survey &survey, const LoopUses &uses);

    std::vector<Store> stores; /* in the loop and the functions that it may call */

    /* Which elements of the array behind BASE the element INDEX from there is, in the loop or in a
     * function that it may call, for each sample of the survey; nothing where that is not known. */
    std::optional<std::vector<Reach>> of(const clang::Expr *base, const clang::Expr *index) const;
    /* The same of what POINTER itself leads to. */
    std::optional<std::vector<Reach>> of(const clang::Expr *pointer) const
    {
        return of(pointer, nullptr);
    }

    /* The same, where a number that is compared with bounds, `if (row >= first && row < last)`, may
     * be any that they let through. */
    std::optional<std::vector<Reach>> anyOf(const clang::Expr *base,
                                            const clang::Expr *index) const;

    /* Both on the ways alone on which BASE may lead to one of ARRAYS: a function that is called
     * with several gets to elements of each. */
    using Arrays = std::set<const clang::VarDecl *>;
    std::optional<std::vector<Reach>> of(const clang::Expr *base, const clang::Expr *index,
                                         const Arrays &arrays) const;
    std::optional<std::vector<Reach>> anyOf(const clang::Expr *base, const clang::Expr *index,
                                            const Arrays &arrays) const;

    /* The same for each way there, through the calls of the function that it is in. Without BASE:
     * of INDEX as a number. With ARRAYS: on the ways on which BASE may lead to one of them. With
     * CHOICES: where numbers that are compared may be any. */
    using Ways = std::vector<std::vector<Reach>>;
    std::optional<Ways> onEachWay(const clang::Expr *base, const clang::Expr *index,
                                  const Arrays *arrays = nullptr, bool choices = false) const;

    /* As OF, but for processes that conditions keep from it: those that are known to hold, or not,
     * when an iteration begins. */
    std::optional<std::vector<Reach>> exactly(const clang::Expr *base,
                                              const clang::Expr *index) const;

    /* The elements are not seen to be those of rows of LENGTH elements (for each sample) that lie
     * together: there is a way on which they are in several rows, and no counter goes through these
     * one by one, nor a single one through all elements of whole rows. */
    bool isAcross(const clang::Expr *base, const clang::Expr *index, const Values &length) const;

  private:
    /* What COUNTER runs through in a loop: from FIRST (null: not known), while CONDITION holds for
     * TESTED, which is COUNTER or what gives it its value. */
    struct Head {
        const clang::VarDecl *counter = nullptr, *tested = nullptr;
        const clang::Expr *first = nullptr, *condition = nullptr;
        bool falls = false;
    };
    /* Something around an expression. */
    struct Frame {
        enum class Kind { Counter, Guard, Parameter, Set } kind;
        const clang::VarDecl *variable; /* counter, parameter, or what a statement in front sets */
        const clang::Stmt *loop;
        const clang::Expr *value; /* condition of a guard, argument for a parameter, what is set */
        bool holds;               /* of a guard: whether the condition is true */
        Head head = {};           /* of a counter */
    };
    using Frames = std::vector<Frame>; /* the outermost first */
    /* A counter that stays at its least or its greatest value. */
    struct Pin {
        const clang::Stmt *loop = nullptr;
        bool high = false;
    };
    struct Walk;

    Analysis &analysis;
    const Survey &survey;
    const LoopUses &uses;
    std::map<const clang::VarDecl *, std::vector<const clang::Stmt *>> writes;
    mutable std::vector<std::unique_ptr<Trial>> tries; /* of the samples, with counters set */
    mutable std::map<const clang::Expr *, std::optional<std::vector<Reach>>> known, knownAny;
    mutable std::map<std::pair<const clang::Expr *, Arrays>, std::optional<std::vector<Reach>>>
        knownOfArrays;
    mutable std::map<const clang::VarDecl *, const clang::Expr *> onlyValues;

    Trial &trialOf(size_t sample) const;
    std::optional<std::vector<Reach>> find(const clang::Expr *base, const clang::Expr *index,
                                           bool choices, const Arrays *arrays = nullptr) const;
    std::optional<std::vector<Reach>> along(const Frames &frames, const clang::Expr *base,
                                            const clang::Expr *index, Pin pin,
                                            std::vector<long long> *turns = nullptr,
                                            bool choices = false) const;
    std::optional<std::vector<Reach>> together(const Ways &ways) const;
    bool mayLeadTo(const Arrays &arrays, const clang::Expr *base, const Frames &frames) const;
    bool goesThroughRows(const Frames &frames, const clang::Expr *base, const clang::Expr *index,
                         const clang::Stmt *loop, const Values &length) const;

    const clang::Expr *onlyValueOf(const clang::VarDecl *variable) const;
    bool isReadBehind(const clang::VarDecl *variable,
                      const std::vector<const clang::Stmt *> &settings) const;
    const clang::Stmt *settingBy(const clang::Stmt *write) const;
    std::vector<const clang::Stmt *> settingsOf(const clang::VarDecl *variable) const;
    bool isDeclaredBeside(const clang::VarDecl *variable, const clang::Stmt *setting) const;
    void collect(const clang::Stmt *statement);
    void addStore(const clang::Expr *target, const clang::Expr *value, const clang::Expr *given);
    std::vector<Frames> waysTo(const clang::Stmt *place, int depth) const;
    void addSet(const clang::CompoundStmt *block, const clang::Stmt *inner, Frames &frames) const;
    void addFrames(const clang::Stmt *inner, const clang::Stmt *outer, Frames &frames) const;
    const clang::VarDecl *counterOf(const clang::ForStmt *loop) const;
    Head headOf(const clang::ForStmt *loop) const;
    Head headOf(const clang::WhileStmt *loop) const;
};

} // namespace xmpi
#endif
