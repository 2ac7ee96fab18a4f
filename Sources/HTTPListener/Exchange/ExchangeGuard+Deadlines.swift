import NIOCore

extension ExchangeGuard {
    /// One timer per connection, set for the nearest deadline; a later one needs no call.
    func arm(_ context: ChannelHandlerContext) {
        guard let next = nextDeadline, context.channel.isActive else { return }
        guard timer == nil || next < timerAt else { return }
        timer?.cancel()
        timerAt = next
        let here = NIOLoopBound((guardian: self, context: context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: next) {
            let (guardian, context) = here.value
            guardian.timer = nil
            guardian.timerAt = .distantFuture
            guardian.check(context)
            guardian.arm(context)
        }
    }

    private var nextDeadline: NIODeadline? {
        var next: NIODeadline?
        func consider(_ deadline: NIODeadline?) {
            if let deadline { next = min(next ?? deadline, deadline) }
        }
        if case .lingering(let until) = ending { return until }
        consider(looksUntil)
        consider(taking.nextCheck(limits, from: .now()))
        if case .writing = ending { return next }
        if let since = connection.headSince {
            consider(since + seconds(limits.head))
        } else if inFlight.isEmpty {
            consider(idleEnd)
        }
        if receiving { consider(pace.nextCheck(limits)) }
        return next
    }

    /// When a connection without a request ends.
    private var idleEnd: NIODeadline {
        let end = idleSince + seconds(limits.idle)
        guard let drainsUntil else { return end }
        return min(end, max(drainsUntil, idleSince + seconds(limits.drainWait)))
    }

    private func check(_ context: ChannelHandlerContext) {
        let now = NIODeadline.now()
        if let looksUntil, now >= looksUntil { self.looksUntil = nil }
        if case .lingering(let until) = ending {
            if now >= until { context.close(promise: nil) }
            return
        }
        lookAtWaiting(context)
        if taking.isTooSlow(limits, at: now) { return context.close(promise: nil) }
        if case .writing = ending { return }
        if let since = connection.headSince, now >= since + seconds(limits.head) { return refuse(.requestTimeout, context) }
        if receiving, pace.isTooSlow(limits, at: now) { return breakBody(BodyTooSlow(), context) }
        if inFlight.isEmpty, connection.headSince == nil, taking.since == nil, now >= idleEnd { end(nil, context) }
    }

    /// How much of our answers the client has not taken.
    func lookAtWaiting(_ context: ChannelHandlerContext) {
        let waiting = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        taking.look(sent: connection.sent, waiting: waiting, at: .now())
        if let tracked { table.holds(waiting, tracked) }
        tellStanding()
    }

    /// Tells the table whose turn it is and how long the client has kept us waiting.
    func tellStanding() {
        guard let tracked else { return }
        if case .lingering = ending { return tracked.isDone() }
        if let since = taking.standing(limits) { return tracked.waitsForClient(since: since) }
        if case .writing = ending { return tracked.isOurTurn() }
        if receiving, let since = pace.standing(limits) { return tracked.waitsForClient(since: since) }
        guard inFlight.isEmpty, looksUntil == nil else { return tracked.isOurTurn() }
        tracked.waitsForClient(since: connection.headSince ?? idleSince)
    }
}
