/* SPDX-License-Identifier: BSD-3-Clause
 * The prologue tried with several inputs, sizes and ranks, and what the values have in common. */
#ifndef XMPI_REWRITER_SURVEY_H
#define XMPI_REWRITER_SURVEY_H

#include "trial/picks.h"
#include <functional>

namespace xmpi
{

using Values = std::vector<long long>;

class Survey
{
  public:
    enum { Rounds = 4 };

    /* With inputs that every size divides, or with any. */
    Survey(Analysis &analysis, bool divisible, const std::vector<long long> &sizes);

    /* What OTHER has found with SIZES, which are among its sizes. */
    Survey(const Survey &other, const std::vector<long long> &sizes);

    struct Sample {
        size_t round;
        long long size, rank;
        Trial trial;
    };
    std::vector<Sample> samples;

    /* It took too long, and little is known. */
    bool isSpent() const
    {
        return spent;
    }

    std::optional<Values> valuesOf(const Cell &cell) const;
    std::optional<Values> valuesOf(const Place &place) const;

    /* An integer that the loop goes by and that has VALUE in all samples, which the start has
     * picked by what it was given: given something else it may pick another one. Null: there is
     * none. */
    const Place *chosen(long long value) const;
    /* Numbers by which the start picks what it sets PLACE to, and of which what follows the layout
     * was on one side alone: beyond them something else comes. */
    template <class Value> std::set<long long> limitsOf(const Value &value) const;
    /* So many rows, as a text at the loop: by what the start has picked, where it has; of what is
     * PICKED, or null, by the variable that is. */
    std::string widthOf(long long rows, Picked *picked = nullptr) const;

    /* A text that yields these values on every rank, at PLACE in FUNCTION, after the statement ITEM
     * of the prologue (by default the last one) already; "". PICKED, or null, says which variables
     * it may have. */
    std::string textFor(const Values &values, const clang::FunctionDecl *function,
                        const clang::Stmt *place, size_t item = SIZE_MAX - 1,
                        Picked *picked = nullptr) const;

    /* What the memory that VARIABLE leads to is picked by, for texts of its extents; null: nothing
     * yet. */
    Picked pickedFor(const clang::VarDecl *variable) const;

  private:
    Analysis &analysis;
    bool spent = false;
    /* Trials refer to these, also those of a survey that is made of this one. */
    std::vector<std::shared_ptr<Inputs>> inputs;
    std::shared_ptr<Lookups> lookups = std::make_shared<Lookups>();
    mutable std::shared_ptr<Picks> picks; /* null: nobody has asked for them */
    /* Integer variables with the values that they have at the loop. */
    std::vector<std::pair<Place, Values>> integers;

    Trial trialOf(size_t round, long long size, long long rank) const;
    const Place *pickedWidth(long long rows, Picked &picked) const;
    const Place *variableOf(const Values &values, const std::function<bool(const Place &)> &stands,
                            const Picked *picked) const;
    std::string productFor(const Values &values, const std::function<bool(const Place &)> &stands,
                           const std::function<std::string(const Place &)> &named) const;
    bool hasExchanges() const;
    std::vector<Trial> tryHearing(Gathered &gathered, size_t round, long long size);
    std::vector<Trial> tryExchanges(size_t round, long long size);
    struct Limits {
        std::set<long long> numbers;
        std::set<const clang::VarDecl *> seen;
    };
    void addLimitsIn(const clang::Stmt *statement, Limits &limits) const;
    void addLimitsOf(const clang::Stmt *value, Limits &limits) const;
    void addLimitsOf(const Place &place, Limits &limits) const;
    void addIntegers();
    void addInteger(const Place &place);
};

/* An integer variable, or a member, that can be refreshed or named in an extent. */
bool isCountable(const Analysis &analysis, clang::QualType type);

/* The step of the path whose function declares VARIABLE; the last one for globals. */
size_t stepOfVariable(const Analysis &analysis, const clang::VarDecl *variable);

} // namespace xmpi
#endif
