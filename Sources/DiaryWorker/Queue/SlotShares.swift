/// How a worker's slots of one queue are shared out.
struct SlotShares: Equatable {
    let slots: Int
    /// Slots that only short jobs of light accounts get.
    var light = 0

    /// Jobs of one account at once: half of the slots, so that its jobs never fill the queue. One slot has to serve all.
    var accountMost: Int { max(1, slots / 2) }

    /// Long jobs at once: all slots of the others but one, which short jobs find free soon. One slot has to serve all.
    var longMost: Int { max(1, slots - light - 1) }

    /// Long jobs, and jobs of accounts that used much of the queue of late, at once.
    var heavyMost: Int { max(1, slots - light) }
}
