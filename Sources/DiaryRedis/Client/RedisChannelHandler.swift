import NIOCore

/// One connection's codec and its queue of commands in flight; replies are matched first in, first out. Used on the event loop only.
final class RedisChannelHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// A command in flight. After its timeout it keeps its slot, so that its late reply is not taken for another command's.
    private struct Slot {
        var complete: RedisCompletion?
        let deadline: NIODeadline
    }

    private let reader: RedisReplyReader
    private let onSlotsFreed: (Int) -> Void
    private let onReadOnly: () -> Void
    private let onClosed: () -> Void
    private var slots = CircularBuffer<Slot>()
    private var context: ChannelHandlerContext?
    private var isClosed = false

    /// - Parameters:
    ///   - onSlotsFreed: receives the number of commands that were just answered or failed.
    ///   - onReadOnly: called when a command was refused because the server is a replica.
    ///   - onClosed: called once, after every command in flight has failed.
    init(
        reader: RedisReplyReader, onSlotsFreed: @escaping (Int) -> Void, onReadOnly: @escaping () -> Void, onClosed: @escaping () -> Void
    ) {
        self.reader = reader
        self.onSlotsFreed = onSlotsFreed
        self.onReadOnly = onReadOnly
        self.onClosed = onClosed
    }

    var inFlight: Int { slots.count }
    /// Replies come in order, so the oldest command shows how long the server has been silent.
    var oldestDeadline: NIODeadline? { slots.first?.deadline }

    func write(_ commands: [RedisPendingCommand]) {
        guard !isClosed, let context else {
            for command in commands { command.complete(.failure(.unavailable)) }
            onSlotsFreed(commands.count)
            return
        }
        for command in commands {
            slots.append(Slot(complete: command.complete, deadline: command.deadline))
            context.write(wrapOutboundOut(command.bytes), promise: nil)
        }
        context.flush()
    }

    /// Fails the commands that are past their deadline.
    func expire(_ now: NIODeadline) {
        var late: [RedisCompletion] = []
        for index in slots.indices where slots[index].deadline <= now {
            guard let complete = slots[index].complete else { continue }
            slots[index].complete = nil
            late.append(complete)
        }
        // After the loop: a completion may close this handler.
        for complete in late { complete(.failure(.timeout)) }
    }

    func close(_ reason: RedisError = .closed) {
        guard !isClosed else { return }
        isClosed = true
        let abandoned = slots
        slots = CircularBuffer()
        for slot in abandoned { slot.complete?(.failure(reason)) }
        onSlotsFreed(abandoned.count)
        context?.close(promise: nil)
        onClosed()
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        close()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosed else { return }
        var answered = 0
        defer { if answered > 0 { onSlotsFreed(answered) } }
        do throws(RedisError) {
            try reader.feed(unwrapInboundIn(data))
            while !isClosed, let value = try reader.next() {
                // A reply without a command: the stream is out of step.
                guard let slot = slots.popFirst() else { throw .protocolError }
                answered += 1
                if case .error(let code) = value {
                    // First, so that the caller's next command is refused at once.
                    if code == RedisError.readOnlyCode { onReadOnly() }
                    slot.complete?(.failure(.server(code: code)))
                } else {
                    slot.complete?(.success(value))
                }
            }
        } catch {
            close(error)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        close()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { close() }
}
