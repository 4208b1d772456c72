// SPDX-License-Identifier: BSD-3-Clause
// What is usual in C++ and hard for a process that goes elsewhere: containers, virtual functions, exceptions, static
// and thread-local objects, functions that hold values, the state of std::cout, a locale in a stream that lives on, a
// file that is written and read.
#include <mpi.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
};

struct Square : Shape {
    double side;
    explicit Square(double side) : side(side) {}
    double area() const override { return side * side; }
};

struct Disc : Shape {
    double radius;
    explicit Disc(double radius) : radius(radius) {}
    double area() const override { return 3 * radius * radius; }
};

struct Odd : std::runtime_error {
    using std::runtime_error::runtime_error;
};

std::map<std::string, std::unique_ptr<Shape>> shapes;
thread_local int caught;

std::ostringstream &log()
{
    static std::ostringstream text;
    return text;
}

double sum_of_areas()
{
    double sum = 0;
    for (const auto &[name, shape] : shapes)
        sum += shape->area();
    return sum;
}

void change(int step, int rank, const std::function<double(double)> &size)
{
    std::string name = "shape " + std::to_string((step * 7 + rank) % 11);
    if (step % 2 != 0)
        shapes[name] = std::make_unique<Square>(size(step));
    else
        shapes[name] = std::make_unique<Disc>(step);
    if (step % 3 == rank % 3)
        throw Odd("at " + std::to_string(step));
}

// What the file says of one of the steps before.
int noted(std::fstream &notes, int step)
{
    int before = 0, place = 1;
    notes.seekp(0, std::ios::end);
    notes << step << '\n';
    if (step % 4 != 3)
        return 0;
    notes.seekg(0);
    while (place++ < step / 2 && notes >> before)
        ;
    notes.clear();
    return before;
}

template <class Work> std::vector<double> iterate(int steps, Work work)
{
    std::vector<double> sums;
#pragma xmpi loop
    for (int step = 0; step < steps; step++)
        sums.push_back(work(step));
    return sums;
}

} // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, ranks, steps = argc > 1 ? std::atoi(argv[1]) : 50;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::cout << std::fixed << std::setprecision(3);
    std::function<double(double)> size = [rank](double x) { return x + rank; };
    std::fstream notes("notes." + std::to_string(rank),
                       std::ios::in | std::ios::out | std::ios::trunc);
    std::vector<double> sums = iterate(steps, [&](int step) {
        try {
            change(step, rank, size);
        } catch (const Odd &odd) {
            caught++;
            log() << odd.what() << ' ' << 0.5 * step << ';';
        }
        double own = sum_of_areas(), all;
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0 && step % 20 == 0)
            std::cout << "step " << step << ' ' << all << std::endl;
        return all + caught + noted(notes, step);
    });
    double own = static_cast<double>(log().str().size()), total = 0;
    for (double sum : sums)
        own += sum;
    MPI_Reduce(&own, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        std::cout << "total " << total << ' ' << log().str().substr(0, 40) << std::endl;
    MPI_Finalize();
}
