/* Loaded into a process of the service (LD_PRELOAD): a clock that runs ahead, and a disk that fails or hangs below one folder.
   SHIM_AHEAD: seconds. SHIM_FOLDER: the folder. SHIM_SWITCH: a file whose first byte says how, read at every call:
   w writing fails, s syncing fails, r reading fails (all EIO), h writing, reading and syncing hang; anything else: all is well. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile char *how = "-";
static const char *folder;
static time_t ahead;

__attribute__((constructor)) static void begin(void) {
    const char *seconds = getenv("SHIM_AHEAD"), *path = getenv("SHIM_SWITCH");
    ahead = seconds ? atol(seconds) : 0;
    folder = getenv("SHIM_FOLDER");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *page = mmap(NULL, 1, PROT_READ, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) how = page;
    close(file);
}

/* Whether the call on this descriptor is to fail; waits while the disk hangs. */
static int fails(int descriptor, char what) {
    char link[32], path[4096];
    if ((*how != what && *how != 'h') || !folder) return 0;
    int kept = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    errno = kept;
    if (length < 0 || strncmp(path, folder, strlen(folder))) return 0;
    while (*how == 'h') usleep(20000);
    if (*how != what) return 0;
    errno = EIO;
    return 1;
}

#define REAL(type, name, ...) static type (*real)(__VA_ARGS__); if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

ssize_t write(int file, const void *bytes, size_t count) {
    REAL(ssize_t, "write", int, const void *, size_t);
    return fails(file, 'w') ? -1 : real(file, bytes, count);
}

ssize_t pread(int file, void *bytes, size_t count, off_t at) {
    REAL(ssize_t, "pread", int, void *, size_t, off_t);
    return fails(file, 'r') ? -1 : real(file, bytes, count, at);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t at) {
    REAL(ssize_t, "pread64", int, void *, size_t, off64_t);
    return fails(file, 'r') ? -1 : real(file, bytes, count, at);
}

int fsync(int file) {
    REAL(int, "fsync", int);
    return fails(file, 's') ? -1 : real(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    REAL(int, "clock_gettime", clockid_t, struct timespec *);
    int result = real(clock, now);
    if (!result && clock == CLOCK_REALTIME) now->tv_sec += ahead;
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    REAL(int, "gettimeofday", struct timeval *, void *);
    int result = real(now, zone);
    if (!result) now->tv_sec += ahead;
    return result;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}
