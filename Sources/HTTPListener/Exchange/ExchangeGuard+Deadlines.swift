import NIOCore

extension ExchangeGuard {
    /// One timer per connection, set for the nearest deadline; a later one needs no call.
    func arm(_ context: ChannelHandlerContext) {
        guard let next = nextDeadline, context.channel.isActive else { return }
        guard timer == nil || next < timerAt else { return }
        timer?.cancel()
        timerAt = next
        let here = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(deadline: next) {
            let (handler, context) = here.value
            handler.timer = nil
            handler.timerAt = .distantFuture
            handler.check(context)
            handler.arm(context)
        }
    }

    private var nextDeadline: NIODeadline? {
        var next: NIODeadline?
        func consider(_ deadline: NIODeadline?) {
            if let deadline { next = min(next ?? deadline, deadline) }
        }
        if case .lingering(let until) = ending { return until }
        consider(notEvictableUntil)
        consider(sendPace.nextCheck(limits, from: .now()))
        if case .writing = ending { return next }
        if let since = connection.headSince {
            consider(since + seconds(limits.head))
        } else if inFlight.isEmpty {
            consider(idleEnd)
        }
        if receiving { consider(bodyPace.nextCheck(limits)) }
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
        if let notEvictableUntil, now >= notEvictableUntil { self.notEvictableUntil = nil }
        if case .lingering(let until) = ending {
            if now >= until { context.close(promise: nil) }
            return
        }
        updateUnsent(context)
        if sendPace.isTooSlow(limits, at: now) { return context.close(promise: nil) }
        if case .writing = ending { return }
        if let since = connection.headSince, now >= since + seconds(limits.head) { return refuse(.requestTimeout, context) }
        if receiving, bodyPace.isTooSlow(limits, at: now) { return breakBody(BodyTooSlow(), context) }
        if inFlight.isEmpty, connection.headSince == nil, sendPace.since == nil, now >= idleEnd { end(nil, context) }
    }

    /// Reads how much of the answers the client has not taken.
    func updateUnsent(_ context: ChannelHandlerContext) {
        let unsent = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        sendPace.update(sent: connection.sent, unsent: unsent, at: .now())
        if let tracked { table.setHeldBytes(unsent, of: tracked) }
        reportProgress()
    }

    /// Tells the table which side waits, and since when the server waits for the client.
    func reportProgress() {
        guard let tracked else { return }
        if case .lingering = ending { return tracked.setFinished() }
        if let since = sendPace.virtualStart(limits) { return tracked.setWaiting(since: since) }
        if case .writing = ending { return tracked.setBusy() }
        if receiving, let since = bodyPace.virtualStart(limits) { return tracked.setWaiting(since: since) }
        guard inFlight.isEmpty, notEvictableUntil == nil else { return tracked.setBusy() }
        tracked.setWaiting(since: connection.headSince ?? idleSince)
    }
}
