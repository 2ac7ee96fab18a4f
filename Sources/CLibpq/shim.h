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
