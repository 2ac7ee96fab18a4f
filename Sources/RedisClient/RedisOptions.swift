/// Limits of one Redis connection.
package struct RedisOptions: Sendable {
    /// Time allowed for a command without a deadline of its own.
    package var deadline: Duration = .milliseconds(500)
    package var connectTimeout: Duration = .seconds(1)
    /// Full jitter: each wait is random between the floor and a ceiling that doubles up to the cap.
    package var backoffFloor: Duration = .milliseconds(50)
    package var backoffCap: Duration = .seconds(5)
    package var maximumInFlight = 10_000
    /// Bytes of one reply on the wire.
    package var maximumReply = 32 << 20
}
