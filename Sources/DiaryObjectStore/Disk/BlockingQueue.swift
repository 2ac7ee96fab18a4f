import Glibc

/// Jobs for `BlockingPool`'s threads. `Mutex` has no condition variable, hence pthread's pair; both live as long as the queue.
final class BlockingQueue: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let filled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    // Guarded by `mutex`: jobs in order of arrival are those of `outgoing` from its end, then those of `incoming`.
    private var incoming: [@Sendable () -> Void] = []
    private var outgoing: [@Sendable () -> Void] = []
    private var closed = false

    init() {
        mutex.initialize(to: pthread_mutex_t())
        filled.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(filled, nil)
    }

    deinit {
        pthread_cond_destroy(filled)
        pthread_mutex_destroy(mutex)
        filled.deallocate()
        mutex.deallocate()
    }

    func add(_ job: @escaping @Sendable () -> Void) {
        pthread_mutex_lock(mutex)
        incoming.append(job)
        pthread_cond_signal(filled)
        pthread_mutex_unlock(mutex)
    }

    func close() {
        pthread_mutex_lock(mutex)
        closed = true
        pthread_cond_broadcast(filled)
        pthread_mutex_unlock(mutex)
    }

    /// A thread's life: runs jobs until the queue is closed and empty.
    func work() {
        while let job = next() { job() }
    }

    private func next() -> (@Sendable () -> Void)? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while incoming.isEmpty && outgoing.isEmpty {
            if closed { return nil }
            pthread_cond_wait(filled, mutex)
        }
        if outgoing.isEmpty {
            outgoing = incoming.reversed()
            incoming = []
        }
        return outgoing.popLast()
    }
}
