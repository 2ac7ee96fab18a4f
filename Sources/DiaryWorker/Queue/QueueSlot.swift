import DiaryCore

/// The slot of its queue that the job of this task has.
struct QueueSlot: Sendable {
    /// The slot of this task's job; nil outside a `WorkerPool`.
    @TaskLocal static var current: QueueSlot?

    let job: LeasedJob
    /// How many slots the queue has.
    let slots: Int
    let busy: BusySlots

    /// A call to a server is under way: where it takes long, the job lends its slot.
    func callBegan() { busy.callBegan(job) }
    func callEnded() { busy.callEnded(job) }
    /// Returns when the job has a slot, or the task is cancelled.
    func reclaim() async { await busy.reclaim(job) }
    /// A call waited and got no slot of its engine, so lending more queue slots would not help now.
    func wasRefused() { busy.pauseLending() }
}
