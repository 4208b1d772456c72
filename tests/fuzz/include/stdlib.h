#pragma once
#pragma GCC system_header
typedef unsigned long size_t;
#define NULL ((void *)0)
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define true 1
#define false 0
#define bool _Bool
typedef struct _IO_FILE { int fd; } FILE;
extern FILE *stdout, *stderr;
typedef int int32_t;
typedef long int64_t;
void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t);
void free(void *), exit(int);
int atoi(const char *), rand(void), abs(int);
void srand(unsigned);
int printf(const char *, ...), fprintf(FILE *, const char *, ...), puts(const char *);
FILE *fopen(const char *, const char *);
int fclose(FILE *), fscanf(FILE *, const char *, ...), fflush(FILE *);
void *memset(void *, int, size_t), *memcpy(void *, const void *, size_t);
size_t strlen(const char *);
int strcmp(const char *, const char *);
double sqrt(double), fabs(double), sin(double), cos(double), exp(double), fmax(double, double);
double ceil(double), floor(double), pow(double, double);
