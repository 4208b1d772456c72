/* SPDX-License-Identifier: BSD-3-Clause
 * A walk through a program as it runs: through the calls, with what each pointer may lead to at
 * each place. It passes an adaptive loop and what follows, and tells what iterations may change and
 * what may be read before anybody surely sets it anew. */
#ifndef XMPI_REWRITER_WALK_H
#define XMPI_REWRITER_WALK_H

#include "facts/points_to.h"
#include "walk/memory.h"
#include <clang/AST/Stmt.h>
#include <functional>

namespace xmpi
{

class Walk
{
  public:
    using Id = Memory::Id;
    using Ids = Memory::Ids;

    /* What is another value: on each process; or where the loop is come to again, than in a start
     * that passes it by when it comes there before; or, of what is followed (Trail), than it would
     * be with another value there. */
    enum class Other { ByProcess, ByTime, ByTrail };

    struct Change {
        Id object;
        clang::QualType type;
        clang::SourceLocation where; /* the first */
    };

    /* To LOOP with POINT at its begin, where it is come to the TIME-th time, from 0. IGNORED: what
     * is set there by such a place does not count. */
    Walk(clang::ASTContext &context, const PointsTo &pointsTo, const clang::Stmt *loop,
         const clang::IfStmt *point, unsigned time,
         std::function<bool(const clang::Expr *)> ignored, Other other = Other::ByProcess);

    /* Where goes what earlier iterations have left (Other::ByTrail): by what values are made of,
     * in the program, not by messages, and not by functions of other files. */
    struct Trail {
        /* Asked where an iteration begins: what is followed. */
        std::function<Ids(Walk &)> begins;
        bool ofRank = false; /* what tells a process its rank is followed, from there on */
        Ids scratch;         /* what a start makes anew, with what is set by that */
        Ids followed;        /* in the iteration at hand */
        Marks ended;         /* what is made of it where one has ended */
        struct Together {    /* by a reduction */
            std::string operation;
            clang::SourceLocation where;
        };
        std::vector<Together> together;
        /* In iterations: by what is followed, by whether something is that goes by it. */
        std::map<Id, clang::SourceLocation> made, governed;
        clang::SourceLocation shown, shownBehind; /* put out; behind the loop */
        struct Step {                             /* of iterations, in what is followed */
            const clang::Expr *by;
            bool always; /* in each iteration, once */
        };
        std::vector<Step> steps;
        bool filled = false; /* calls set it, too */
        bool anew = false;   /* it is set where iterations find that nobody has yet */
    };
    Trail trail;
    /* OBJECT is made of what is followed where an iteration begins, or the loop has ended. */
    bool isOnTrail(Id object) const;

    std::set<const clang::Stmt *> adaptive; /* all loops of which a start leaves iterations out */

    /* From the begin of ROOT on; false: it does not come to the loop so often, or there is too much
     * to walk. */
    bool from(const clang::FunctionDecl *root);
    bool isTooMuch() const;

    /* What the loop has changed when it was come to before, and what was made of that since: by
     * a walk with Other::ByTime. In another walk of the same program to the same time it counts as
     * changed by iterations. */
    std::vector<Change> earlier() const;
    void count(const std::vector<Change> &earlier);

    std::vector<Change> needed() const;
    /* An iteration may read of OBJECT before it has set, or received, anything of it. */
    bool isReadFirst(Id object) const;
    /* Iterations do nothing but add to OBJECT, and all that is read of it is the sum of all
     * processes. */
    bool isSummed(Id object) const;
    /* Whether something else than OBJECT is set in an iteration goes by what an earlier one has
     * left there. */
    bool decides(Id object) const;
    /* Pointers that iterations set to lead elsewhere, and go by before they set them again, to what
     * none of them changes, or further on in what they lead to: the start lets them lead to where
     * they did at first. */
    std::vector<Change> strayed() const;
    /* A handle that nobody makes ahead of the loop, and iterations only behind conditions that not
     * all of them come to alike, and one goes by that has not made it: a start, which the state
     * tells that it has been made, is without it. GUARDS: what these conditions go by. */
    struct Kept {
        Change handle;
        Ids guards;
    };
    std::vector<Kept> keptHandles() const;

    Memory memory;
    std::vector<Moment> begins; /* of iterations */
    Moment begin;               /* of the one that is looked at, of the first to begin with */
    int wayThere = 0;           /* of calls */

    /* Looked at in the moment that is `begin`: the objects that are at PLACE, an lvalue, or behind
     * POINTER. */
    Ids placeAt(const clang::Expr *place);
    Ids behind(const clang::Expr *pointer);
    Ids led(Id pointer); /* where it leads then */

    /* When an iteration begins, OBJECT, or what is in it, may be another value (Other); so may what
     * is at PLACE, or behind it if that is a pointer, and a member of a member of a struct
     * VARIABLE, or of the one that it leads to. Unknown may be. */
    bool diverges(Id object) const;
    bool diverges(const clang::Expr *place);
    bool diverges(const clang::VarDecl *variable,
                  const std::vector<const clang::FieldDecl *> &members);

  private:
    template <class Look> Ids atBegin(const Look &look);

    /* A loop or switch that may be left. */
    struct Exits {
        Moment left, again;
        bool parted = false;   /* some processes have left it, or leave it earlier */
        bool unsteady = false; /* some iterations do */
    };
    struct Frame {
        const clang::FunctionDecl *function;
        const clang::CallExpr *call; /* or null */
        Moment returns;
        Ids value;
        std::vector<Exits *> loops, choices; /* for continue; for break */
        Marks floor;                         /* what was set at its begin */
        bool parted = false;                 /* some processes have returned from it */
        bool divergent = false;              /* so may be what it hands back */
        bool unsteady = false;               /* some iterations return from it */
    };
    /* Of a call: where they lead, and whether they may be other ones on each process. */
    struct Arguments {
        std::vector<Ids> led;
        std::vector<bool> divergent;
        size_t size() const
        {
            return led.size();
        }
        const Ids &operator[](size_t i) const
        {
            return led[i];
        }
    };
    enum class Phase { Before, Iterating, After };

    clang::ASTContext &context;
    const PointsTo &pointsTo;
    const clang::Stmt *const loop;
    const clang::IfStmt *const point;
    const unsigned time;
    const std::function<bool(const clang::Expr *)> ignored;
    const Other other;

    Phase phase = Phase::Before;
    Moment now;
    std::vector<Frame> frames;
    int way = 0;
    unsigned met = 0, depth = 0;           /* of loops, in an iteration */
    std::vector<const clang::Stmt *> open; /* loops, in an iteration */
    /* Variables and members, by what they are set to, or what is added. */
    using Numbers = std::map<const clang::ValueDecl *, std::vector<const clang::Expr *>>;
    mutable std::map<const clang::Stmt *, Numbers> written;
    mutable std::set<const clang::ValueDecl *> asked;
    unsigned long steps = 0; /* that have been walked */
    bool looking = false;    /* nothing is noted */
    Ids fresh;               /* what iterations have made */
    Ids exposed;
    Ids untouched; /* those of them of which nothing has been set where they are read */
    Ids supposed;  /* what messages have brought, and is read */
    Ids stored;    /* arrays of which iterations set elements themselves */
    Ids summed;    /* put together by MPI_SUM */
    Ids otherwise; /* read or set by something else than that, and additions of iterations */
    std::vector<std::pair<Ids, Id>> copies;  /* of numbers, in what a variable begins with */
    bool adding = false;                     /* what is read or set is by one of these */
    const clang::Expr *alone = nullptr;      /* a statement: nobody uses what it comes to */
    std::map<Id, clang::QualType> requested; /* by persistent requests */
    std::map<Id, Change> changed;
    std::map<Id, Change> others; /* that have been set to another value before the loop */
    /* A pass of a loop ahead of it: what it has read before it has set it, and what it has set,
     * all of it or some. */
    struct Pass {
        Ids read, set;
        std::map<Id, Change> touched;
    };
    std::vector<Pass> passes;
    std::map<Id, Change> moved; /* pointers, by iterations */
    Ids stepped;                /* those of them that go on in what they lead to, */
    Ids advanced;               /* from where they are */
    Ids aimed;                  /* pointers that are read before they are set */
    Ids seen;                   /* what is read at all, or called */
    std::vector<Ids> guards;    /* what conditions around go by, as iterations find it */
    Ids *asking = nullptr;      /* of the one that is evaluated; or null */
    Ids deciding;               /* what iterations go by in setting something else */
    Ids ready;                  /* handles that are made ahead of the loop, or by all iterations */
    Ids grasped;                /* handles that are read where this iteration has not made them */
    std::vector<Kept> guarded;  /* each making of a handle by iterations */
    Ids maySet;                 /* of what is followed: in this iteration, by something else */
    size_t conditions = 0;      /* around the adaptive loop */
    unsigned chosen = 0;        /* operands around that are evaluated in some cases alone */
    Moment left;                /* the adaptive loop, where it ends */
    bool divergent = false;     /* what is evaluated may be another value (Other) */
    unsigned apart = 0;         /* conditions around that may hold on some processes (or in some
                                   starts) alone */
    unsigned unsteady = 0;      /* conditions around that may hold in some iterations alone */
    bool drawsApart = false;    /* random numbers of the library may differ */
    void move(const Ids &pointers, const clang::Expr *by, bool steps, bool anew);

    /* -- walk.cpp: statements */
    void walk(const clang::Stmt *statement);
    void walkIf(const clang::IfStmt *choice);
    void walkSwitch(const clang::SwitchStmt *choice);
    bool isUnsteady(const clang::Expr *condition) const;
    void walkLoop(const clang::Stmt *loop);
    void pass(const clang::Stmt *loop, Exits &exits);
    void leave(bool again);
    void walkAdaptive();
    void walkBefore(const clang::Stmt *loop);
    void passBefore(const clang::Stmt *loop, Exits &exits);
    Id known(Id part, const Moment &moment) const;
    void age();
    Id older(Id id);
    void walkReturn(const clang::ReturnStmt *statement);
    void declare(const clang::VarDecl *variable);
    void readAllBehind();

    /* -- expressions.cpp */
    Ids value(const clang::Expr *expression); /* of a pointer: where it leads */
    Ids valueOf(const clang::CastExpr *cast);
    Ids valueOf(const clang::UnaryOperator *unary);
    Ids valueOf(const clang::BinaryOperator *binary);
    Ids assign(const clang::BinaryOperator *binary, const Ids &places, const Ids &values);
    Ids either(const clang::Expr *one, const clang::Expr *other);
    Ids place(const clang::Expr *lvalue);
    Ids placeOf(const clang::ArraySubscriptExpr *element);
    Ids carve(const Ids &blocks, const clang::Expr *by, const clang::Expr *distance);
    Ids load(const Ids &pointers);
    void store(const Ids &pointers, const Ids &values, bool weak);
    void copy(const Ids &to, const Ids &from, clang::QualType type);
    bool noteCopy(Id object, clang::QualType type, const clang::Expr *init);
    void initialise(Id object, clang::QualType type, const clang::Expr *value);
    void read(const Ids &objects, clang::QualType type);
    void write(const Ids &objects, clang::QualType type, bool whole, const clang::Expr *by);
    static bool isValue(clang::QualType type);
    bool hasParts(clang::QualType type) const;
    void overParts(const Ids &objects, clang::QualType type,
                   const std::function<void(const Ids &, clang::QualType)> &act);
    void setAnew(Id object);
    void noteStored(const Ids &objects, bool whole);
    bool isNumber(Id object) const;
    bool isSet(Id object) const;
    bool isSet(Id object, clang::QualType type);
    bool isTouched(Id object, clang::QualType type, const Marks &marks);
    Ids untouchedOf(const Ids &objects, clang::QualType type);
    void noteUse(const Ids &objects);
    bool isAddition(const clang::Expr *expression) const;
    bool sumsUp(const clang::CallExpr *call, unsigned index) const;

    /* -- handles.cpp */
    bool askGuard(const clang::Expr *condition, Ids &goesBy);
    bool askTurn(const clang::Expr *condition);
    void noteDecided(const Ids &objects);
    void makeHandle(const Ids &handles, clang::QualType type, const clang::Expr *by);
    void useHandle(const Ids &handles, clang::QualType type);
    void makeHandles(const clang::CallExpr *call, const Arguments &arguments);
    static bool isHeld(clang::QualType type);

    /* -- trail.cpp */
    void beginTrail();
    void noteEnded();
    bool isFollowed(Id object) const;
    bool isSometimes() const;
    bool areOther(const Ids &objects) const;
    void noteMade(const Ids &objects, const clang::Expr *by);
    void leaveTrail(const Ids &objects);
    void noteStep(const Ids &objects, const clang::Expr *step);
    void noteTogether(const clang::CallExpr *call, const Arguments &arguments);
    void noteShown(const clang::CallExpr *call, const Arguments &arguments);

    /* -- divergence.cpp */
    bool isDivergent(const Moment &moment, Id object) const;
    bool isDivergent(const Moment &moment, const Ids &objects) const;
    bool holdsDivergent(const Moment &moment, Id object) const;
    bool areDivergent(const Ids &objects) const;
    bool isApart() const;
    bool asks(const clang::Expr *expression);
    bool isScalar(Id id) const;
    void settle(const Ids &objects, bool whole);
    void noteOther(const Ids &objects, clang::QualType type, const clang::Expr *by);
    void noteRead(const Ids &objects);
    void noteSet(const Ids &objects, clang::QualType type, bool whole, const clang::Expr *by);
    bool fillsAll(const clang::CallExpr *call, unsigned index) const;
    bool leavesDivergent(const clang::CallExpr *call, bool given);
    bool makesDivergent(const clang::CallExpr *call, bool given);

    /* -- whole.cpp */
    bool isWhole(const clang::Expr *place) const;
    /* LEVEL: of the frames whose variables it may be about, all but those from there on. */
    bool isWhole(const clang::Expr *place, size_t level) const;
    bool isWholeBehind(const clang::Expr *pointer, size_t level) const;
    bool isWholeBehind(const clang::VarDecl *pointer, size_t level) const;
    bool runsThrough(const clang::Expr *index, size_t level) const;
    bool runsThrough(const clang::ValueDecl *number, size_t level) const;
    const clang::Expr *givenFor(const clang::VarDecl *parameter, size_t &level) const;
    const Numbers &writtenIn(const clang::Stmt *loop) const;
    bool isCounted(const clang::ValueDecl *number, std::vector<const clang::Expr *> &values) const;
    bool goesOn(const clang::ValueDecl *number, size_t level) const;
    bool followsIterations(const clang::Expr *value, size_t level) const;
    bool isOneOfMany(const clang::Expr *pointer, size_t level) const;

    /* -- calls.cpp */
    Ids valueOf(const clang::CallExpr *call);
    Ids enter(const clang::FunctionDecl *function, const clang::CallExpr *call,
              const Arguments *arguments);
    void bind(const clang::FunctionDecl *function, const clang::CallExpr *call,
              const Arguments *arguments, int inside);
    Ids enterAny(const clang::CallExpr *call, const Ids &callees, const Arguments &arguments);
    Ids callForeign(const clang::CallExpr *call, const Arguments &arguments);
    void handOut(const Ids &objects, clang::QualType type, const clang::CallExpr *call,
                 unsigned level);
    void request(const clang::CallExpr *call, const Arguments &arguments);
    void copyBehind(const clang::CallExpr *call, const Arguments &arguments);
    Ids callLibrary(const clang::CallExpr *call, const Arguments &arguments);
    void bring(const Ids &objects);
    bool readsBehind(const clang::CallExpr *call, unsigned index) const;
    bool isGivenDivergent(const clang::CallExpr *call, const Arguments &arguments) const;
    void useArgument(const clang::CallExpr *call, unsigned index, const Ids &objects, bool made);
    Ids makeAt(const clang::CallExpr *call, bool foreign);
};

/* POINTER is u + m or &u[m]: somewhere in what u leads to. */
bool isSum(const clang::Expr *pointer);

/* CALL puts something out, or reads it, by a stream or a file. */
bool isOnStream(const clang::CallExpr *call);

} // namespace xmpi
#endif
