#pragma once
#include <libpq-fe.h>
#include <poll.h>
#include <sys/eventfd.h>

/// An eventfd that never blocks and is not inherited: what wakes a connection's thread out of `poll`.
static inline int wakeup_descriptor(void) {
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

#include <sys/prctl.h>

/// What `top` and a debugger show; at most 15 bytes.
static inline void name_current_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}
