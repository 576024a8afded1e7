/* Faults for a server that does not know of them: loaded before everything else (LD_PRELOAD), and steered while it runs
 * by a block of numbers that it shares with whoever has started it. Only files below one folder are concerned, and the
 * time of day.
 *
 * A power cut is told from a mere kill: what was written to the files and not synced is remembered, and each such write
 * is undone by the toss of a coin before the process ends. A disk that had promised more would have kept it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { TEAR = 1, POWER_CUT = 2 };

struct block { /* faults.py knows the order */
    volatile int64_t sync_ms, full, end, clock_ms, coin;         /* set from outside */
    volatile int64_t writes, syncs, clocks, refusals, ends, undone; /* counted here */
};

struct unsynced {
    dev_t dev;
    ino_t ino;
    char path[512];
    off_t at;
    size_t old_length;
    off_t old_size;
    char *old;
    struct unsynced *before;
};

static struct block idle, *faults = &idle;
static const char *folder;
static struct unsynced *last;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("CHAOS_FAULTS");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0) return;
    void *shared = mmap(NULL, sizeof(struct block), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (shared != MAP_FAILED) {
        folder = getenv("CHAOS_FOLDER");
        faults = shared;
    }
}

static int path_of(int fd, char *path, size_t room) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, room - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return 1;
}

/* Is it a file of the database? The memory that its processes share is not on any disk. */
static int concerned(int fd, char *path, size_t room) {
    if (!folder || !path_of(fd, path, room) || strncmp(path, folder, strlen(folder))) return 0;
    size_t length = strlen(path);
    return length < 4 || strcmp(path + length - 4, "-shm");
}

static int is_log(const char *path) {
    size_t length = strlen(path);
    return length > 4 && !strcmp(path + length - 4, "-wal");
}

static void remember(int fd, const char *path, off_t at, size_t length) {
    struct stat file;
    struct unsynced *one = malloc(sizeof *one);
    if (!one || fstat(fd, &file)) { free(one); return; }
    one->dev = file.st_dev, one->ino = file.st_ino, one->at = at, one->old_size = file.st_size;
    snprintf(one->path, sizeof one->path, "%s", path);
    one->old = malloc(length ? length : 1);
    /* By the same descriptor: to open the file a second time and close it would give up its locks. */
    ssize_t got = one->old ? pread(fd, one->old, length, at) : 0;
    one->old_length = got > 0 ? (size_t)got : 0;
    one->before = last;
    last = one;
}

static void forget(int fd) {
    struct stat file;
    if (fstat(fd, &file)) return;
    for (struct unsynced **link = &last; *link;) {
        struct unsynced *one = *link;
        if (one->dev == file.st_dev && one->ino == file.st_ino) {
            *link = one->before;
            free(one->old), free(one);
        } else {
            link = &one->before;
        }
    }
}

static void lose_unsynced(void) {
    REAL(pwrite64);
    uint64_t coin = (uint64_t)faults->coin * 2 + 1;
    for (struct unsynced *one = last; one; one = one->before) {
        coin = coin * 6364136223846793005u + 1442695040888963407u;
        if (coin >> 63) continue;
        int fd = open(one->path, O_RDWR | O_CLOEXEC);
        if (fd < 0) continue;
        if (one->old_length) real(fd, one->old, one->old_length, one->at);
        struct stat file;
        if (!fstat(fd, &file) && file.st_size > one->old_size) {
            /* What lay behind the old end reads as nothing: later writes there, if kept, are torn too. */
            if (ftruncate(fd, one->old_size)) {}
        }
        close(fd);
        faults->undone++;
    }
}

static ssize_t write_at(int fd, const void *data, size_t length, off_t at,
                        ssize_t (*real)(int, const void *, size_t, off_t)) {
    char path[512];
    if (faults == &idle || !concerned(fd, path, sizeof path)) return real(fd, data, length, at);
    faults->writes++;
    if (faults->full) {
        faults->refusals++;
        errno = ENOSPC;
        return -1;
    }
    pthread_mutex_lock(&guard);
    if (faults->end && is_log(path)) {
        if (faults->end == POWER_CUT) remember(fd, path, at, length);
        real(fd, data, length / 2, at);
        if (faults->end == POWER_CUT) lose_unsynced();
        faults->end = 0;
        faults->ends++;
        kill(getpid(), SIGKILL);
    }
    remember(fd, path, at, length);
    ssize_t written = real(fd, data, length, at);
    pthread_mutex_unlock(&guard);
    return written;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t at) {
    REAL(pwrite);
    return write_at(fd, data, length, at, real);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off_t at) {
    REAL(pwrite64);
    return write_at(fd, data, length, at, real);
}

ssize_t write(int fd, const void *data, size_t length) {
    static __typeof__(&write) real;
    char path[512];
    if (!real) real = (__typeof__(&write))dlsym(RTLD_NEXT, "write");
    if (faults->full && concerned(fd, path, sizeof path)) {
        faults->refusals++;
        errno = ENOSPC;
        return -1;
    }
    return real(fd, data, length);
}

int posix_fallocate(int fd, off_t at, off_t length) {
    REAL(posix_fallocate);
    char path[512];
    return faults->full && concerned(fd, path, sizeof path) ? ENOSPC : real(fd, at, length);
}

static int sync_it(int fd, int (*real)(int)) {
    char path[512];
    if (faults == &idle || !concerned(fd, path, sizeof path)) return real(fd);
    faults->syncs++;
    if (faults->sync_ms > 0) usleep((useconds_t)faults->sync_ms * 1000);
    int failed = real(fd);
    if (!failed) {
        pthread_mutex_lock(&guard);
        forget(fd);
        pthread_mutex_unlock(&guard);
    }
    return failed;
}

int fsync(int fd) {
    REAL(fsync);
    return sync_it(fd, real);
}

int fdatasync(int fd) {
    REAL(fdatasync);
    return sync_it(fd, real);
}

int clock_gettime(clockid_t which, struct timespec *now) {
    static __typeof__(&clock_gettime) real;
    if (!real) real = (__typeof__(&clock_gettime))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(which, now);
    if (!failed && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE) && faults->clock_ms) {
        faults->clocks++;
        int64_t nanos = now->tv_nsec + faults->clock_ms % 1000 * 1000000;
        now->tv_sec += faults->clock_ms / 1000 + (nanos >= 1000000000) - (nanos < 0);
        now->tv_nsec = (nanos + 1000000000) % 1000000000;
    }
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec spec;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &spec)) return -1;
    now->tv_sec = spec.tv_sec, now->tv_usec = spec.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *into) {
    struct timespec spec;
    clock_gettime(CLOCK_REALTIME, &spec);
    if (into) *into = spec.tv_sec;
    return spec.tv_sec;
}
