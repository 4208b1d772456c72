#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "pragma_header.inc"

int main(void)
{
    return iterate(3);
}
