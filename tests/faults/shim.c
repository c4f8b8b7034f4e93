/* Counts the calls that change files below one folder, and makes one of them fail or be the last.
 *
 * Preloaded (LD_PRELOAD) into the process under test, which arms it with fault_arm(). Calls on paths and
 * descriptors elsewhere pass through uncounted, so a run with the same work gives the same numbers.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* The same numbers as in fault_shim.py. */
enum action { NOTHING, FAIL_ONCE, FAIL_FROM, KILL_BEFORE, KILL_AFTER, KILL_TORN };
/* The same order as in fault_shim.py. */
enum kind { WRITE, SYNC, TRUNCATE, CREATE, RENAME, REMOVE, MAKE_FOLDER };

static char root[PATH_MAX];
static size_t root_size;
static atomic_long calls;
static long fault_at;
static int action, error_number, only_kind = -1;
static atomic_int fired = -1;

void fault_arm(const char *folder, long at, int what, int error) {
    root_size = strlen(folder);
    memcpy(root, folder, root_size + 1);
    fault_at = at, action = what, error_number = error, only_kind = -1;
    atomic_store(&calls, 0);
    atomic_store(&fired, -1);
}

/* Makes every call of one kind fail from now on, and no other. */
void fault_arm_kind(const char *folder, int kind, int error) {
    fault_arm(folder, 1, FAIL_FROM, error);
    only_kind = kind;
}

long fault_calls(void) { return atomic_load(&calls); }
int fault_fired(void) { return atomic_load(&fired); } /* the kind that was hit first, or -1 */

static int is_below(const char *path) {
    return root_size && !strncmp(path, root, root_size) && (path[root_size] == '/' || !path[root_size]);
}

static int is_file_below(int descriptor) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return is_below(path);
}

static int is_name_below(int folder, const char *path) {
    return path[0] == '/' || folder == AT_FDCWD ? is_below(path) : is_file_below(folder);
}

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

/* Returns 1 when the call must fail, 2 when the process must die after (half of) it. */
static int decide(enum kind kind) {
    if (action == NOTHING || (only_kind >= 0 && only_kind != (int)kind)) return 0;
    long number = atomic_fetch_add(&calls, 1) + 1;
    int is_due = action == FAIL_FROM ? number >= fault_at : number == fault_at;
    if (!is_due) return 0;
    int none = -1;
    atomic_compare_exchange_strong(&fired, &none, kind);
    if (action == KILL_BEFORE) die();
    if (action == FAIL_ONCE || action == FAIL_FROM) {
        errno = error_number;
        return 1;
    }
    return 2;
}

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

#define AROUND(type, kind, concerned, call) \
    int verdict = (concerned) ? decide(kind) : 0; \
    if (verdict == 1) return -1; \
    type result = call; \
    if (verdict == 2) die(); \
    return result

/* A torn write: only the first half arrives. On a full disk the same happens before the failure. */
static size_t torn(int verdict, size_t size) { return verdict == 2 && action == KILL_TORN ? size / 2 : size; }

ssize_t write(int file, const void *bytes, size_t size) {
    REAL(ssize_t, "write", int, const void *, size_t);
    int verdict = is_file_below(file) ? decide(WRITE) : 0;
    if (verdict == 1) {
        if (error_number == ENOSPC && action == FAIL_FROM && atomic_load(&calls) == fault_at && size > 1)
            return real(file, bytes, size / 2);
        return -1;
    }
    ssize_t result = real(file, bytes, torn(verdict, size));
    if (verdict == 2) die();
    return result;
}

static ssize_t write_at(ssize_t (*real)(int, const void *, size_t, off_t), int file, const void *bytes,
                        size_t size, off_t offset) {
    int verdict = is_file_below(file) ? decide(WRITE) : 0;
    if (verdict == 1) return -1;
    ssize_t result = real(file, bytes, torn(verdict, size), offset);
    if (verdict == 2) die();
    return result;
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
    REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
    return write_at(real, file, bytes, size, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off_t);
    return write_at(real, file, bytes, size, offset);
}

ssize_t writev(int file, const struct iovec *pieces, int count) {
    REAL(ssize_t, "writev", int, const struct iovec *, int);
    AROUND(ssize_t, WRITE, is_file_below(file), real(file, pieces, count));
}

ssize_t pwritev(int file, const struct iovec *pieces, int count, off_t offset) {
    REAL(ssize_t, "pwritev", int, const struct iovec *, int, off_t);
    AROUND(ssize_t, WRITE, is_file_below(file), real(file, pieces, count, offset));
}

int fsync(int file) {
    REAL(int, "fsync", int);
    AROUND(int, SYNC, is_file_below(file), real(file));
}

int fdatasync(int file) {
    REAL(int, "fdatasync", int);
    AROUND(int, SYNC, is_file_below(file), real(file));
}

int ftruncate(int file, off_t size) {
    REAL(int, "ftruncate", int, off_t);
    AROUND(int, TRUNCATE, is_file_below(file), real(file, size));
}

int ftruncate64(int file, off64_t size) {
    REAL(int, "ftruncate64", int, off64_t);
    AROUND(int, TRUNCATE, is_file_below(file), real(file, size));
}

int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    AROUND(int, RENAME, is_below(to), real(from, to));
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    REAL(int, "renameat", int, const char *, int, const char *);
    AROUND(int, RENAME, is_name_below(to_folder, to), real(from_folder, from, to_folder, to));
}

int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    AROUND(int, REMOVE, is_below(path), real(path));
}

int unlinkat(int folder, const char *path, int flags) {
    REAL(int, "unlinkat", int, const char *, int);
    AROUND(int, REMOVE, is_name_below(folder, path), real(folder, path, flags));
}

int rmdir(const char *path) {
    REAL(int, "rmdir", const char *);
    AROUND(int, REMOVE, is_below(path), real(path));
}

int mkdir(const char *path, mode_t mode) {
    REAL(int, "mkdir", const char *, mode_t);
    AROUND(int, MAKE_FOLDER, is_below(path), real(path, mode));
}

int mkdirat(int folder, const char *path, mode_t mode) {
    REAL(int, "mkdirat", int, const char *, mode_t);
    AROUND(int, MAKE_FOLDER, is_name_below(folder, path), real(folder, path, mode));
}

/* Opening counts when it may make the file: that needs room for a name. */
#define OPEN(concerned, ...) \
    mode_t mode = 0; \
    if (flags & O_CREAT) { \
        va_list rest; \
        va_start(rest, flags); \
        mode = va_arg(rest, mode_t); \
        va_end(rest); \
    } \
    AROUND(int, CREATE, (flags & O_CREAT) && concerned, real(__VA_ARGS__))

int open(const char *path, int flags, ...) {
    REAL(int, "open", const char *, int, ...);
    OPEN(is_below(path), path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    REAL(int, "open64", const char *, int, ...);
    OPEN(is_below(path), path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    REAL(int, "openat", int, const char *, int, ...);
    OPEN(is_name_below(folder, path), folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
    REAL(int, "openat64", int, const char *, int, ...);
    OPEN(is_name_below(folder, path), folder, path, flags, mode);
}
