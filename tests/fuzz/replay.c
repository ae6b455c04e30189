/* FILE...: hands each file to a fuzzer's function, as libFuzzer would. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The memory has exactly the size of the file, so that the address sanitizer sees a read past its end. */
static int replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) return 1;
    long size = ftell(file);
    rewind(file);
    uint8_t *data = size >= 0 ? malloc(size ? (size_t)size : 1) : NULL;
    int failed = !data || fread(data, 1, (size_t)size, file) != (size_t)size;
    if (!failed) LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    fclose(file);
    return failed;
}

int main(int count, char **path)
{
    for (int i = 1; i < count; i++)
        if (replay(path[i])) {
            fprintf(stderr, "cannot read %s\n", path[i]);
            return 1;
        }
    printf("%d inputs\n", count - 1);
    return count > 1 ? 0 : 1;
}
