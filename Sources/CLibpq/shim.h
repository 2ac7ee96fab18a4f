#pragma once
#include <libpq-fe.h>
#include <poll.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

/// An eventfd that wakes a thread from `poll` or `epoll_wait`; it never blocks and is not inherited.
static inline int wakeup_descriptor(void) {
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

static inline int ready_list_descriptor(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

/// Adds `fd` or changes its events; `token` is returned with each event. With `once`, one event until it is watched again.
static inline int ready_list_watch(int list, int fd, uint32_t token, int writing, int once) {
    struct epoll_event event = {.events = EPOLLIN | (writing ? EPOLLOUT : 0) | (once ? EPOLLONESHOT : 0), .data = {.u32 = token}};
    return epoll_ctl(list, EPOLL_CTL_MOD, fd, &event) == 0 ? 0 : epoll_ctl(list, EPOLL_CTL_ADD, fd, &event);
}

static inline int ready_list_forget(int list, int fd) {
    return epoll_ctl(list, EPOLL_CTL_DEL, fd, NULL);
}

// OpenSSL's, by which libpq speaks TLS: bytes of a record that are decrypted and not read yet.
struct ssl_st;
int SSL_pending(const struct ssl_st *tls);

/// What is left in the TLS layer after a read. It has left the socket, so `poll` does not report it. 0 without TLS.
static inline int pending_in_tls(PGconn *connection) {
    const struct ssl_st *tls = (const struct ssl_st *)PQsslStruct(connection, "OpenSSL");
    return tls ? SSL_pending(tls) : 0;
}
