// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.

extension RedisEndpoint {
    package init(address: Address, user: String? = nil, password: String? = nil, database: Int = 0, _: Void = ()) {
        self.address = address
        self.user = user
        self.password = password
        self.database = database
    }
}

extension RedisOptions {
    package init(
        deadline: Duration = .milliseconds(500), connectTimeout: Duration = .seconds(1), backoffFloor: Duration = .milliseconds(50),
        backoffCap: Duration = .seconds(5), maximumInFlight: Int = 10_000, maximumReply: Int = 32 << 20, _: Void = ()
    ) {
        self.deadline = deadline
        self.connectTimeout = connectTimeout
        self.backoffFloor = backoffFloor
        self.backoffCap = backoffCap
        self.maximumInFlight = maximumInFlight
        self.maximumReply = maximumReply
    }
}
