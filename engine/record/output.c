#include "record/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 18 };

// realpath, and the other calls that allocate, fail for lack of memory with errno set: one message serves all.
static bool fail_errno(failure *why, const char *path, const char *what) {
    return fail(why, "%s: %s: %s", path, what, strerror(errno));
}

static void forget(output_name *name) {
    if (name->temporary != name->final) free(name->temporary);
    free(name->final);
    *name = (output_name){0};
}

// mkstemp makes the file for its owner only; the finished file should have the mode that any new file gets.
static bool set_usual_mode(int descriptor, const struct stat *target, bool exists) {
    mode_t mask = umask(0);
    umask(mask);
    mode_t mode = exists ? target->st_mode & 07777 : 0666 & ~mask;
    return fchmod(descriptor, mode) == 0;
}

// The descriptor among standard output and error that writes to this file; -1: none.
static int standard_descriptor(const struct stat *file) {
    for (int descriptor = STDOUT_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        struct stat own;
        if (fstat(descriptor, &own) == 0 && own.st_dev == file->st_dev && own.st_ino == file->st_ino) return descriptor;
    }
    return -1;
}

bool output_is_standard(const char *path) {
    struct stat file;
    return stat(path, &file) == 0 && standard_descriptor(&file) == STDOUT_FILENO;
}

bool output_name_create(output_name *name, const char *path, failure *why) {
    *name = (output_name){0};
    struct stat target;
    bool exists = stat(path, &target) == 0;
    if (!exists && errno != ENOENT) return fail_errno(why, path, "cannot write here");
    if (exists && S_ISDIR(target.st_mode)) return fail(why, "%s: is a folder, a file name is needed", path);
    name->in_place = exists && (!S_ISREG(target.st_mode) || standard_descriptor(&target) >= 0);
    // A symbolic link to a file goes on pointing to it: its target is replaced. Those of /proc to pipes name no file.
    name->final = exists && !name->in_place ? realpath(path, NULL) : strdup(path);
    if (!name->final) return fail_errno(why, path, "cannot write here");
    if (name->in_place) {
        name->temporary = name->final;
        return true;
    }
    if (exists && access(name->final, W_OK) != 0) {
        fail_errno(why, path, "cannot be replaced");
        forget(name);
        return false;
    }
    const char *slash = strrchr(name->final, '/');
    size_t folder = slash ? (size_t)(slash - name->final) + 1 : 0;
    size_t size = strlen(name->final) + sizeof "..XXXXXX";
    name->temporary = malloc(size);
    if (!name->temporary) {
        fail_errno(why, path, "cannot write here");
        forget(name);
        return false;
    }
    snprintf(name->temporary, size, "%.*s.%s.XXXXXX", (int)folder, name->final, name->final + folder);
    int descriptor = mkstemp(name->temporary);
    if (descriptor < 0) {
        fail_errno(why, path, "cannot write in this folder");
        forget(name);
        return false;
    }
    if (!set_usual_mode(descriptor, &target, exists)) {
        fail_errno(why, path, "cannot set the mode");
        close(descriptor);
        output_name_discard(name);
        return false;
    }
    close(descriptor);
    return true;
}

bool output_name_commit(output_name *name, failure *why) {
    if (!name->in_place && rename(name->temporary, name->final) != 0) {
        fail_errno(why, name->final, "cannot be given its name");
        output_name_discard(name);
        return false;
    }
    forget(name);
    return true;
}

void output_name_discard(output_name *name) {
    if (name->temporary && !name->in_place) unlink(name->temporary);
    forget(name);
}

// The folder of a path, resolved; the caller frees. Null where it does not exist.
static char *folder_of(const char *path) {
    char *copy = strdup(path);
    char *folder = copy ? realpath(dirname(copy), NULL) : NULL;
    free(copy);
    return folder;
}

static bool same_base_name(const char *a, const char *b) {
    const char *slash_a = strrchr(a, '/'), *slash_b = strrchr(b, '/');
    return strcmp(slash_a ? slash_a + 1 : a, slash_b ? slash_b + 1 : b) == 0;
}

bool output_same_file(const char *a, const char *b) {
    struct stat at_a, at_b;
    bool exists_a = stat(a, &at_a) == 0, exists_b = stat(b, &at_b) == 0;
    if (exists_a && exists_b) return at_a.st_dev == at_b.st_dev && at_a.st_ino == at_b.st_ino;
    if (exists_a != exists_b || !same_base_name(a, b)) return false;
    char *folder_a = folder_of(a), *folder_b = folder_of(b);
    bool same = folder_a && folder_b && strcmp(folder_a, folder_b) == 0;
    free(folder_a);
    free(folder_b);
    return same;
}

// What a standard stream writes to is shared with it: opened anew, one would overwrite the other.
static int open_or_share(const char *path) {
    struct stat file;
    const int standard = stat(path, &file) == 0 ? standard_descriptor(&file) : -1;
    if (standard < 0) return open(path, O_WRONLY | O_CLOEXEC | O_TRUNC);
    fflush(standard == STDOUT_FILENO ? stdout : stderr);
    return dup(standard);
}

bool output_open(output_file *file, const char *path, failure *why) {
    *file = (output_file){.descriptor = -1};
    file->buffer = malloc(BUFFER_BYTES);
    if (!file->buffer) return fail(why, "no memory to write with");
    file->descriptor = open_or_share(path);
    if (file->descriptor < 0) {
        fail(why, "cannot be opened for writing: %s", strerror(errno));
        output_abandon(file);
        return false;
    }
    return true;
}

static bool flush(output_file *file, failure *why) {
    size_t done = 0;
    while (done < file->used) {
        ssize_t written = write(file->descriptor, file->buffer + done, file->used - done);
        if (written < 0) {
            if (errno == EINTR) continue;
            return fail(why, "writing failed: %s", strerror(errno));
        }
        done += (size_t)written;
    }
    file->used = 0;
    return true;
}

char *output_room(output_file *file, failure *why) {
    if (file->used + OUTPUT_ROOM > BUFFER_BYTES && !flush(file, why)) return NULL;
    return file->buffer + file->used;
}

void output_advance(output_file *file, size_t bytes) {
    file->used += bytes;
}

bool output_text(output_file *file, const char *text, failure *why) {
    size_t left = strlen(text);
    while (left > 0) {
        char *room = output_room(file, why);
        if (!room) return false;
        size_t part = left < OUTPUT_ROOM ? left : OUTPUT_ROOM;
        memcpy(room, text, part);
        output_advance(file, part);
        text += part;
        left -= part;
    }
    return true;
}

bool output_finish(output_file *file, failure *why) {
    bool done = flush(file, why);
    // Pipes and devices cannot be synced and say EINVAL (or EROFS); a disk that is full may say so only here.
    if (done && fsync(file->descriptor) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP) {
        done = fail(why, "writing failed: %s", strerror(errno));
    }
    if (close(file->descriptor) != 0 && done) done = fail(why, "writing failed: %s", strerror(errno));
    file->descriptor = -1;
    output_abandon(file);
    return done;
}

void output_abandon(output_file *file) {
    if (file->buffer && file->descriptor >= 0) close(file->descriptor);
    free(file->buffer);
    *file = (output_file){.descriptor = -1};
}
