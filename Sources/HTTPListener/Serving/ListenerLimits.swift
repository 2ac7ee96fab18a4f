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
}
