/* SPDX-License-Identifier: BSD-3-Clause
 * How a value follows the division of the rows. */
#ifndef XMPI_REWRITER_FORM_H
#define XMPI_REWRITER_FORM_H

#include "index/shift.h"
#include <array>
#include <clang/Basic/SourceLocation.h>
#include <optional>
#include <string>

namespace clang
{
class VarDecl;
}

namespace xmpi
{

/* The same whatever the layout is, or own * i + first * displ + count * count + rank * rank +
 * size * size + something uniform, where i counts own rows (and where these are gone through piece
 * by piece, piece * the own rows in front of the piece + length * those of the piece); else it
 * follows the number of the row (Row), tells the ends of the domain (Ends) or of the block (Edge),
 * is of all own rows together (Block), or follows the layout in another way (Local). */
struct Form {
    enum class Kind { Uniform, Row, Ends, Edge, Block, Local };
    enum Term { Own, First, Count, Rank, Size, Piece, Length, Terms };
    /* Of a test: at which end it holds, or that it is another one (Verdict); of a value that such a
     * test has chosen: Chosen. Sized: it is how many rows or processes there are, which says
     * nothing of where in the domain the process is. */
    enum End : unsigned { AtFirst = 1, AtLast = 2, Verdict = 4, Chosen = 8, Sized = 16 };

    /* How what is of all own rows together came about; 0: not known. */
    enum Gathered : unsigned {
        Added = 1,
        Counted = 2, /* whole numbers, none less than 0 */
        Multiplied = 4,
        Largest = 8,
        Smallest = 16,
        Picked = 32,      /* of a row that something in it has chosen */
        Set = 64,         /* a mark, where some row is so */
        Cleared = 128,    /* not 0, where all rows are so */
        Neighbours = 256, /* of rows beside one another, or of some of the block */
        Otherwise = 512,  /* what no reduction puts together */
        Unsaid = 1024,    /* by a function of another file */
        Any = 2048,       /* whether there are rows */
        Repeated = 4096,  /* of a test: whether a loop goes on */
        AtEdge = 8192,    /* of the row at the edge of each block */
        Toggled = 16384,  /* by exclusive or */
        Bits = 32768      /* of more marks than one in a number */
    };

    /* Varied: another value for each of them; Beyond: perhaps not the own rows alone. */
    enum Placed : unsigned { InBlock = 1, AmongAll = 2, Varied = 4, Beyond = 8 };

    /* Of a test of a row's number: it holds for rows beside one another, for some of them alone, or
     * for all others. */
    enum class Spread { None, Range, Some, Others };

    static constexpr const char *some = "?"; /* a coefficient that is not known */

    Kind kind = Kind::Uniform;
    std::array<std::string, Terms> by; /* coefficients as texts; empty: none */
    unsigned terms = 0;                /* of Local: what it follows, a bit for each term */
    unsigned ends = 0;                 /* of Ends; of Edge: at which one, as far as it is known */
    bool strided = false;              /* some of the own rows, by their place in the block */
    bool peer = false;                 /* of contents: what another rank has for its rows */
    unsigned placed = 0;  /* of contents: own rows by their place in the block, or among all */
    bool message = false; /* what another rank has sent, or from it */
    bool neighbour =
        false;            /* of a message: the row at the edge of another block, and nothing else */
    bool running = false; /* of a message: all rows before the own ones, added up */
    bool any = false;     /* of a test: whether the process has rows at all */
    bool owner = false;   /* of a test: whether it has one row, the same one on all */
    bool zero = false;    /* the constant 0 */
    bool others = false;  /* of Ends: true, or not 0, elsewhere than at the ends */
    bool begun = false;   /* of what is of all own rows together: not begun with 0 */
    bool agreed = false;  /* the same on all processes, and another one in another layout */
    bool before = false;  /* of all rows before the own ones: of the row, once they are added */
    bool counted = false; /* another one in another layout, but 0 in none or in each */
    bool data = false;    /* made of what is in rows, and not of the layout alone */
    bool pieces = false;  /* of contents: rows of a piece, by their place in it */
    bool beside = false;  /* of such contents: with rows in front of the piece and behind it */
    bool parts = false;   /* what each process has of its rows, by ranks */
    bool each = false;    /* an index that goes through all ranks; a test whether it is at one */
    std::string scanned;  /* sums over all rows up to the last own one: of what, and made where */
    unsigned gathered = 0; /* of what is of all own rows together */
    Spread spread = Spread::None;
    bool alongRows = false; /* of Local: it is made of what follows the row, too */
    int every = 0; /* of the remainder of a row's number, or a test of it: by which divisor */
    /* Of a value that follows the first row alone: where that is one row more, it is RISE more, but
     * for multiples of TURN; 0: not known. */
    int turn = 0, rise = 0;
    bool partly = false; /* such a test: of some of these rows alone */
    std::string shift;   /* how many rows, or processes, it is beyond its terms, as an index */
    std::string from; /* of rows without ghost rows: the shift of where it was read, "0", or "*" */
    unsigned comes = 0; /* of a message: of which edges of blocks, if that is known */
    /* Of a row, or what has come of one: the array that it is of, as it is there; null: something
     * is made of it, or it is not known. */
    const clang::VarDecl *stands = nullptr;
    std::string cause; /* the variable through which it is not uniform */
    clang::SourceLocation where;

    static Form of(Term term, const std::string &cause, clang::SourceLocation where);
    static Form of(Kind kind, const std::string &cause = "",
                   clang::SourceLocation where = clang::SourceLocation());

    /* Local, by where the pieces of the own rows begin and end. */
    static Form ofPieces(const std::string &cause, clang::SourceLocation where)
    {
        Form form = of(Kind::Local, cause, where);
        form.terms = 1u << Piece;
        return form;
    }
    static Form ofEnds(unsigned ends, const std::string &cause, clang::SourceLocation where)
    {
        Form form = of(Kind::Ends, cause, where);
        form.ends = ends;
        return form;
    }

    bool has(Term term) const
    {
        return !by[term].empty();
    }
    bool isUniform() const
    {
        return kind == Kind::Uniform && !isAffine();
    }
    bool isLocal() const
    {
        return judged() == Kind::Local;
    }
    /* Local, or of a test that tells more of the layout than the ends of the domain. */
    bool isOfLayout() const
    {
        return isLocal() || (judged() == Kind::Ends && (ends & (Verdict | Chosen)) != 0);
    }
    /* A test of the layout has chosen it. (Whether all processes pass a test is another question: a
     * program that asks that has a right answer in mind.) */
    bool isChosen() const
    {
        return kind == Kind::Ends && (ends & Chosen) != 0;
    }
    bool isWide() const /* of a test: of rows beside one another, too */
    {
        return spread == Spread::Range || spread == Spread::Others;
    }
    /* The ends of what this test chooses. */
    unsigned chosen() const
    {
        return (ends & Verdict) != 0 ? (ends & ~Verdict) | Chosen : ends;
    }
    bool isAffine() const; /* it has terms */
    bool isPlain() const;  /* uniform, but for terms and the ends of the domain */
    bool isBare() const    /* but for the ends */
    {
        return isPlain() && !isAffine();
    }
    bool isOnlyOf(Term term) const; /* the only term */
    bool follows(Term term) const;  /* as a term, or otherwise */
    bool isOfPiece() const          /* otherwise than by the own rows in it */
    {
        return follows(Piece) || follows(Length);
    }
    /* Of contents: the own rows and no others, each by its place in the block. */
    bool isOfOwnRows() const
    {
        return kind == Kind::Row && !isAffine() && !message && placed == (InBlock | Varied);
    }
    bool isInPiece() const; /* counts the rows of a piece from its begin on */
    /* The place in the block of a row whose number has in each layout the same remainder by MANY,
     * of the first ones. */
    bool isPhaseOf(int many) const;
    bool isOfFirst() const; /* follows the first row alone, where it does not follow its own row */
    bool isOfRanks() const; /* follows the rank and size alone */
    Kind judged() const;    /* what it is as a value: of the terms, too */
    Form asValue() const;   /* without terms: as an operand of what is not linear */
    Form ofProcess() const; /* that, of this process alone */
    /* The count, as long as a test of counts, one of those TESTED, finds it small. */
    bool isCountUpTo(unsigned tested) const
    {
        return (tested & Sized) != 0 && isOnlyOf(Count);
    }
    Form asTest() const;  /* whether it is 0 */
    Form negated() const; /* of a test: the contrary */
    bool operator==(const Form &other) const;
};

/* As two operands. */
Form join(const Form &one, const Form &other);
/* The same, where the value is made of both: no reduction puts together what was gathered. */
Form mix(const Form &one, const Form &other);
/* As two ways that lead to one place. */
Form merge(const Form &one, const Form &other);

/* What FORM, of all own rows together, is named, and where it was made. */
std::string markOf(const Form &form);
/* What all processes before have of their rows, as Exscan tells it. */
Form beforeRows(const std::string &cause, clang::SourceLocation where);

Form add(const Form &one, const Form &other, bool negative = false);
/* By something uniform, TEXT. */
Form scale(const Form &form, const std::string &text);
Form divide(const Form &form, const std::string &text, bool integer);
Form remainder(const Form &form, const std::string &text);
/* LITERAL: the uniform side is a small constant. */
Form compare(const Form &one, const Form &other, bool literal);

} // namespace xmpi
#endif
