/// What a connection may cost (F4, F5).
package struct ListenerLimits: Sendable {
    /// All header lines of a request, without the request line.
    package var headerBytes = 16 * 1024
    package var headerCount = 100
    package var uriBytes = 8 * 1024
    /// Open connections of the listener. Over it the one longest without progress is closed.
    package var connections = 2000
    /// The same for the connections of one address (IPv6: one /64); not for those of a trusted proxy.
    package var connectionsPerAddress = 2000
    /// Seconds without a request on a kept connection.
    package var idle = 60.0
    /// Seconds from a head's first byte to its last.
    package var head = 10.0
    /// Seconds a body may take before its rate counts; only time spent waiting for the client counts.
    package var bodyGrace = 10.0
    package var bodyBytesPerSecond = 1024.0
    /// Seconds a body may take that is held in memory until it is whole; only time spent waiting for the client counts.
    package var collectedBody = 120.0
    /// Seconds without any byte of a body that the server waits for.
    package var bodyStall = 60.0
    /// Seconds in which a client takes nothing of an answer.
    package var writeStall = 60.0
    /// Seconds a client may take for an answer before its rate counts, by `bodyBytesPerSecond`.
    package var writeGrace = 60.0
    /// Bytes of answers that wait in memory for their clients, over all connections. Over it the slowest reader is closed.
    package var answerBytes = 64 * 1024 * 1024
    /// Unsent bytes that the kernel buffers for one connection.
    package var notSentBytes = 64 * 1024
    /// After a refusal the rest of a request is read and dropped, so that the client sees the answer: at most so many seconds and bytes.
    package var lingerSeconds = 2.0
    package var lingerBytes = 256 * 1024

    /// After the order to stop: seconds in which a connection without a request may still send one.
    package var drainWait = 1.0

    package init(
        headerBytes: Int = 16 * 1024, headerCount: Int = 100, uriBytes: Int = 8 * 1024, connections: Int = 2000,
        connectionsPerAddress: Int = 2000, idle: Double = 60.0, head: Double = 10.0, bodyGrace: Double = 10.0,
        bodyBytesPerSecond: Double = 1024.0, collectedBody: Double = 120.0, bodyStall: Double = 60.0, writeStall: Double = 60.0,
        writeGrace: Double = 60.0, answerBytes: Int = 64 * 1024 * 1024, notSentBytes: Int = 64 * 1024, lingerSeconds: Double = 2.0,
        lingerBytes: Int = 256 * 1024, drainWait: Double = 1.0
    ) {
        self.headerBytes = headerBytes
        self.headerCount = headerCount
        self.uriBytes = uriBytes
        self.connections = connections
        self.connectionsPerAddress = connectionsPerAddress
        self.idle = idle
        self.head = head
        self.bodyGrace = bodyGrace
        self.bodyBytesPerSecond = bodyBytesPerSecond
        self.collectedBody = collectedBody
        self.bodyStall = bodyStall
        self.writeStall = writeStall
        self.writeGrace = writeGrace
        self.answerBytes = answerBytes
        self.notSentBytes = notSentBytes
        self.lingerSeconds = lingerSeconds
        self.lingerBytes = lingerBytes
        self.drainWait = drainWait
    }
}
