#pragma once
#include <linux/falloc.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>
#include <zip.h>
#include <zlib.h>

/* Twice as fast as zlib's default of 6, for texts that are a sixteenth longer; recordings are most of a zip. */
#define DIARY_DEFLATE_LEVEL 3

/* Raw deflate (RFC 1951), as a zip holds it; deflateInit2 is a macro. */
static inline int diary_deflate_begin(z_stream *stream) {
    memset(stream, 0, sizeof *stream);
    return deflateInit2(stream, DIARY_DEFLATE_LEVEL, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY);
}

/* Frees a range of a file on the disk; glibc declares fallocate for GNU sources only. */
static inline int diary_free_range(int descriptor, off_t offset, off_t length) {
    return (int)syscall(SYS_fallocate, descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, length);
}
