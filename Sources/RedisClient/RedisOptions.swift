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

    package init(
        deadline: Duration = .milliseconds(500), connectTimeout: Duration = .seconds(1), backoffFloor: Duration = .milliseconds(50),
        backoffCap: Duration = .seconds(5), maximumInFlight: Int = 10_000, maximumReply: Int = 32 << 20
    ) {
        self.deadline = deadline
        self.connectTimeout = connectTimeout
        self.backoffFloor = backoffFloor
        self.backoffCap = backoffCap
        self.maximumInFlight = maximumInFlight
        self.maximumReply = maximumReply
    }
}
