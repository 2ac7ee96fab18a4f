#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*one)(const uint8_t *bytes, size_t count));
