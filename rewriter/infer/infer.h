/* SPDX-License-Identifier: BSD-3-Clause
 * What is found without a pragma: the range, the arrays, the class of statements. */
#ifndef XMPI_REWRITER_INFER_H
#define XMPI_REWRITER_INFER_H

#include "trial/survey.h"

namespace xmpi
{

/* The division of the rows, as the program's own formula makes it. */
struct Division {
    RangeVariable displ;
    std::vector<std::pair<RangeVariable, size_t>> variables; /* with the item that sets each last */
    Values count, first, extent;                             /* for each sample of the survey */
    std::string domain;
    bool counted = false; /* no variable has the first row: DISPL is the one with the count */
    /* The first row and the count where they are elements of TABLES, which all ranks have. */
    std::string firstText, countText;
    std::vector<Place> tables;
    bool atLoop = false;  /* they are the same at the loop, in its function */
    size_t step = 0;      /* in which function DOMAIN can be written */
    size_t item;          /* after which everything is known */
    bool written = false; /* a pragma says it */

    /* VALUES are what it has of KIND. */
    bool isKind(const Values &values, RangeKind kind) const;
    /* What has LIMITS is the same beyond them: they are the end of the domain. */
    bool isWithin(const std::set<long long> &limits) const;
};

/* The rows of DIVISION as a text in the function of STEP, which hangs on what the range does;
 * division.cpp */
std::string domainOf(const Division &division, const Survey &survey, const Step &step);

struct Inference {
    std::unique_ptr<Survey> survey; /* null where the user has written the domain */
    std::optional<Division> division;
};

bool analyseLoop(Analysis &analysis); /* analyse.cpp */
/* As much of it as a loop needs whose program starts over at a change: its state is registered, and
 * iterations repeat from it. Shown: in any layout, so that a change changes no result. */
enum class StateFacts { None, Repeats, Shown };
StateFacts analyseState(Analysis &analysis, Inference &inference); /* analyse.cpp */
bool analyseSeveral(clang::ASTContext &, const FixedArrays &, const StructMembers &, const Source &,
                    Pragmas &, Diagnostics &, std::vector<Program> &); /* several.cpp */
/* The division that SURVEY shows, or none: the same formula for all of its samples;
 * range_finder.cpp */
std::optional<Division> findDivision(Analysis &analysis, const Survey &survey);
/* Adds what the statement of DIVISION sets beside what its pragma names: the ends of blocks. */
void addEnds(Analysis &analysis, const Survey &survey, Division &division);
bool inferRange(Analysis &analysis, Inference &inference);            /* infer_range.cpp */
void registerDivision(Analysis &analysis, const Inference &, size_t); /* infer_range.cpp */
void addAgain(Analysis &analysis, const RangeVariable &variable);     /* infer_range.cpp */
bool inferData(Analysis &analysis, const Inference &inference);       /* infer_data.cpp */
std::string uniqueName(const Analysis &, const clang::VarDecl *);     /* data.cpp */
bool renewSetup(Analysis &analysis, const Inference &inference);      /* infer_tables.cpp */
/* The count and first row in variables of ours, beside the program's own. */
void hideRange(Analysis &analysis, const Division &division);
/* NAME = (type)VALUE of a range variable, from those. */
std::string rangeAgain(const Analysis &analysis, const RangeVariable &variable);
bool inferClasses(Analysis &analysis, const Inference &inference); /* infer_class.cpp */
bool checkExtents(Analysis &analysis, const Inference &inference); /* extent.cpp */
bool checkSupported(Analysis &analysis);                           /* layout.cpp */
bool checkLayout(Analysis &analysis);                              /* layout.cpp */

} // namespace xmpi
#endif
