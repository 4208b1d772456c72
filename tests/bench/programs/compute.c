/* SPDX-License-Identifier: BSD-3-Clause
 * The computation of synthetic.c, in a file of its own as the linker puts a pace around it. */

/* FLOPS additions and multiplications with each of COUNT rows of WIDTH numbers; their sum. */
double compute(int count, int width, int flops, double *row)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double *at = row + (long)i * width;
        for (int k = 0; k < flops; k++)
            at[k % width] = 0.5 * at[k % width] + 1;
        sum += at[0];
    }
    return sum;
}
