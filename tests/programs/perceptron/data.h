#ifndef DATA_H
#define DATA_H

/* Sample number K of the data set: NIN inputs to X, the target is returned. */
double data_sample(int k, double *x);

#endif
