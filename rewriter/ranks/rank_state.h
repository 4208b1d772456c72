/* SPDX-License-Identifier: BSD-3-Clause
 * What is known at one place of the program about values that differ from rank to rank and follow
 * the layout, and what pointers point to. */
#ifndef XMPI_REWRITER_RANK_STATE_H
#define XMPI_REWRITER_RANK_STATE_H

#include "ranks/rank_flow.h"

namespace xmpi
{

/* A message that fills rows: where it is received, on which way, and how many. */
using Filled = std::map<std::vector<const clang::Stmt *>, int>;
constexpr int anyRows = 1 << 20; /* nobody knows how many */
int rowsOf(const Filled &filled);

/* Where own rows have been set, and when: what is set, packed or sent is counted. */
struct Changed {
    clang::SourceLocation where;
    unsigned long at = 0;
};

struct State {
    Ranked ranked;
    bool dead = false; /* no way leads here */
    /* Of variables and members, and of what is in arrays: nothing where nobody has set it. */
    std::map<Holder, Form> forms;
    std::map<const clang::VarDecl *, Form> offsets; /* of pointers into arrays */
    /* Arrays of own rows that messages have filled in the iteration, on all ways; where ranks
     * differ in it, or a loop is gone through, on some way. */
    std::map<const clang::VarDecl *, Filled> filled;
    /* Those of which own rows have been set in the iteration, and not been sent since, on some
     * way: ghost rows of others hold older ones. */
    std::map<const clang::VarDecl *, Changed> changed;
    /* Ghost rows behind the own ones (true) or in front of them that processes have set in the
     * iteration which have a neighbour there, and that no message has filled since, on some way. */
    std::map<std::pair<const clang::VarDecl *, bool>, const clang::Expr *> spoilt;

    /* Arrays of all rows, or ranks, that the iteration has set or received on all ways, beyond what
     * is of the process itself. */
    std::set<const clang::VarDecl *> whole;

    void merge(const State &other);
    bool sameForms(const State &other) const
    {
        return forms == other.forms && offsets == other.offsets;
    }
};

/* The variables of the program with their STATE. */
class RankState
{
  public:
    RankState(Analysis &analysis, const std::set<const clang::VarDecl *> &distributed, Cause cause);
    virtual ~RankState() = default;

    State state;

    static const clang::VarDecl *baseOf(const Place &place)
    {
        return place.base->getCanonicalDecl();
    }

    /* VARIABLE, and what it may point to. */
    std::set<const clang::VarDecl *> pointees(const clang::VarDecl *variable) const;
    bool differs(const Place &place) const;

    /* PLACE has a value that differs where RANKED; WHOLE: it has no other than that. */
    void set(const Place &place, bool ranked, bool whole, clang::SourceLocation where);
    void clear(const clang::VarDecl *variable, const clang::FieldDecl *field);

    /* How PLACE, or what is in the array that it is an element of, follows the layout. */
    Form formOf(const Place &place) const;
    bool isKnown(const Place &place) const; /* something has set it */
    void setForm(const Place &place, const Form &form, bool whole);
    void forgetMembers(const Place &place); /* all of the struct PLACE is set at once */
    Form offsetOf(const clang::VarDecl *pointer) const;
    void forget(const clang::VarDecl *variable); /* it is declared anew */
    /* What was made of the own rows before the adaptive loop is of other blocks behind it, but for
     * what was there, as it is, BEHIND the loop already; REST is what runs from there on. */
    void ageBlocks(const std::map<Holder, Form> &behind,
                   const std::vector<const clang::Stmt *> &rest);

    /* How the rows of what PLACE is an element of are stored; nothing where it has none. */
    struct Rows {
        const clang::VarDecl *variable;
        bool global; /* it has all rows, and the process keeps its own ones up to date */
        bool ghosts;
        std::string halo; /* the rows in front of the own ones; empty: none */
    };
    std::optional<Rows> rowsOf(const Place &place) const;
    /* Also of an array of which iterations hand nothing on. */
    std::optional<Rows> anyRowsOf(const Place &place) const;
    /* The same of an array that all processes have whole, of which each sets its own rows; or of
     * one of FIXED size that travels as a value. */
    std::optional<Rows> wholeRowsOf(const Place &place, bool fixed) const;
    /* Iterations set the own rows of PLACE, or the own entry of a table of ranks, by INDEX, and
     * this one has not set what is of others: that is what was there when rows were theirs. */
    bool lacksOthers(const Place &place) const;
    void noteOwnAmongAll(const Place &place, const Form &index);
    void makeWhole(const Place &place);
    /* Those of a file of own rows; of a parameter that files are handed over for, what all have. */
    Rows rowsOfFile(const clang::VarDecl *file) const;

    bool isOlder(const Holder &holder) const;
    bool keepsElements(const Holder &holder, const std::vector<const clang::Stmt *> &rest) const;
    /* POINTER is assigned VALUE. */
    void point(const clang::VarDecl *pointer, const clang::Expr *value);
    /* The pointer FIELD of OWNER, a struct, is VALUE, OFFSET into its array; or what it is in FROM,
     * of which OWNER is a copy. */
    void hold(const Place &owner, const clang::FieldDecl *field, const clang::Expr *value,
              const Form &offset);
    void holdAll(const Place &owner, const clang::FieldDecl *field,
                 const clang::InitListExpr *list);
    void holdSame(const Place &owner, const clang::FieldDecl *field, const Place &from);
    /* It points to nothing known; whether it points to something known. */
    void unpoint(const clang::VarDecl *pointer)
    {
        targets.erase(pointer);
    }
    bool points(const clang::VarDecl *pointer) const
    {
        return targets.count(pointer) != 0;
    }

  protected:
    const Cause cause;
    std::set<const clang::VarDecl *>
        ownAmongAll; /* of which iterations set what is of the process */

    void followChanged(const clang::VarDecl *pointer, const clang::Expr *value);

  private:
    Analysis &analysis;
    const std::set<const clang::VarDecl *> &distributed;
    std::map<std::string, Rows> rows; /* by the name of the array */
    /* What a pointer leads to; and into which member of it, null: into several, or all of it. */
    std::map<const clang::VarDecl *, std::map<const clang::VarDecl *, const clang::FieldDecl *>>
        targets;

    /* What pointers in structs lead to that are no variables of their own. */
    std::map<Holder, std::set<const clang::VarDecl *>> held;

    mutable std::map<const clang::VarDecl *, bool> scratch; /* as far as its own name tells */
    /* What follows the loop names, otherwise than to free it; what that or the loop names. */
    mutable std::optional<std::set<const clang::VarDecl *>> after, others;

    std::optional<Rows> rowsAmong(const Place &place, bool handedOn) const;
    std::set<const clang::VarDecl *> keptOf(const clang::VarDecl *target,
                                            const clang::VarDecl *pointer) const;
    /* POINTER is what CALL hands back. */
    void pointReturned(const clang::VarDecl *pointer, const clang::CallExpr *call);
    /* PLACE is an element of what a member, a pointer, leads to. */
    static bool isHeld(const Place &place);
    /* The variables that PLACE, an element or what a pointer leads to, may be of. */
    std::set<const clang::VarDecl *> reached(const Place &place) const;

    void pointTo(const clang::VarDecl *pointer, const Place &target);
    void addRows(const Registrations &what);
    const std::set<const clang::VarDecl *> &namedAfter() const;
    bool isReachedOtherwise(const clang::VarDecl *variable) const;
    bool isScratch(const clang::VarDecl *variable) const;
    std::vector<Place> membersOf(const Place &place) const;
    bool holds(const clang::VarDecl *variable, const clang::FieldDecl *field) const;
    bool differsAlways(const Place &place, const clang::VarDecl *variable, bool contents) const;
    std::optional<Form> formOfRange(const Place &place) const;
    std::optional<Form> formIn(const clang::VarDecl *variable, const clang::FieldDecl *field) const;
    std::set<const clang::VarDecl *> meant(const Place &place) const;
    const clang::FieldDecl *fieldOf(const Place &place, const clang::VarDecl *variable) const;
};

} // namespace xmpi
#endif
