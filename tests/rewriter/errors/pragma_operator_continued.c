/* The word _Pragma goes on in the next line, and its string does not end (found by make fuzz). */
int main(void)
{
    double *a;
#pragma xmpi data distributed(a[_P\
ragma("xmpi lle
    return a != 0;
}
