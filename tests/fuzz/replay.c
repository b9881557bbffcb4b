// Gives every file of some folders to a fuzz target once: what fuzzing found stays found, in builds without libFuzzer.
//
// usage: replay FOLDER...
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return -1;
    static uint8_t data[1 << 22];
    size_t size = fread(data, 1, sizeof data, file);
    (void)fclose(file);
    // A copy of the exact size, so that the sanitizer sees a read past the end.
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact) return -1;
    for (size_t i = 0; i < size; i++) exact[i] = data[i];
    (void)LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 0;
}

int main(int argc, char **argv) {
    int files = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (!folder) {
            perror(argv[i]);
            return 1;
        }
        for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
            char path[4096];
            if (entry->d_name[0] == '.') continue;
            (void)snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
            if (replay_file(path) == 0) files++;
        }
        (void)closedir(folder);
    }
    (void)printf("%d files\n", files);
    return files == 0;
}
