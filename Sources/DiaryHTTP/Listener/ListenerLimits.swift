/// What a connection may cost (DESIGN section 4, RELIABILITY F4 and F5).
package struct ListenerLimits: Sendable {
    /// All header lines of a request, without the request line.
    package var headerBytes = 16 * 1024
    package var headerCount = 100
    package var uriBytes = 8 * 1024
    package var jsonBytes = 256 * 1024
    package var jsonDepth = 32
    package var connections = 2000
    /// Seconds without a request on a kept connection.
    package var idle = 60.0
    /// Seconds from a head's first byte to its last.
    package var head = 10.0
    /// Seconds a body may take before its rate counts; only time spent waiting for the client counts.
    package var bodyGrace = 10.0
    package var bodyBytesPerSecond = 1024.0
    /// Seconds without any byte of a body we are waiting for.
    package var bodyStall = 60.0
    /// Seconds in which a client takes nothing of an answer.
    package var writeStall = 60.0
    /// After a refusal the rest of a request is read and dropped, so that the client sees the answer: at most so many seconds and bytes.
    package var lingerSeconds = 2.0
    package var lingerBytes = 256 * 1024

    package init() {}
}
