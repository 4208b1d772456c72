/* A string that does not end takes the end of the line with it (found by make fuzz). */
int main(void) { double *a;
#pragma xmpi data distributed(a[_Pragma("xmpi lle f = 0.5;
#pragma xmpi loop
for (int i = 0; i < 2; i++) ;
return 0; }
