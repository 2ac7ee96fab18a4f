/// How a worker's slots of one queue are shared out.
struct SlotShares: Equatable {
    let slots: Int
    /// Slots for short jobs of accounts that recently used little of the queue.
    var light = 0
    /// Slots more while the queue's jobs are quick (`BusySlots`): a claim of many jobs costs each less.
    var quick = 0

    /// The most jobs of one account at a time: half of the slots, so that one account never fills the queue. At least one.
    var accountMost: Int { max(1, slots / 2) }

    /// The most long jobs at a time: all slots that are not light but one, so that short jobs soon find a free slot. At least one.
    var longMost: Int { max(1, slots - light - 1) }

    /// The most heavy jobs at a time: long ones, and those of accounts that recently used much of the queue.
    var heavyMost: Int { max(1, slots - light) }
}
