#pragma once
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>

/// Starts a detached thread with a stack of `stack_size` bytes. 0, or the error number.
static inline int start_detached_thread(size_t stack_size, void *_Nullable (*_Nonnull run)(void *_Nullable), void *_Nullable argument) {
    pthread_attr_t attributes;
    int status = pthread_attr_init(&attributes);
    if (status != 0) return status;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, stack_size);
    pthread_t thread;
    status = pthread_create(&thread, &attributes, run, argument);
    pthread_attr_destroy(&attributes);
    return status;
}

/// What `top` and a debugger show; the kernel keeps at most 15 bytes.
static inline void name_current_thread(const char *_Nonnull name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

/// Leaves the process's signals to other threads. A SIGPIPE raised by OpenSSL's `write` on this thread stays pending.
/// Faults stay unblocked: a blocked one would end the process without a crash report.
static inline void block_signals_of_current_thread(void) {
    sigset_t signals;
    sigfillset(&signals);
    const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    for (size_t index = 0; index < sizeof faults / sizeof *faults; index++) sigdelset(&signals, faults[index]);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
}
