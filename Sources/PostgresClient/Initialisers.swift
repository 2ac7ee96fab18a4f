// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.

extension LocalTimestamp {
    package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, microsecond: Int = 0, _: Void = ()) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.microsecond = microsecond
    }
}

extension ConnectionSettings {
    package init(
        conninfo: String, applicationName: String = "diary", searchPath: String? = nil, statementTimeout: Duration = .seconds(5),
        connectTimeout: Duration = .seconds(5), idleInTransactionTimeout: Duration = .seconds(10), _: Void = ()
    ) {
        self.conninfo = conninfo
        self.applicationName = applicationName
        self.searchPath = searchPath
        self.statementTimeout = statementTimeout
        self.connectTimeout = connectTimeout
        self.idleInTransactionTimeout = idleInTransactionTimeout
    }
}

extension ConnectionPool.Status {
    package init(connected: Int, idle: Int, busy: Int, waiting: Int, isClosing: Bool, _: Void = ()) {
        self.connected = connected
        self.idle = idle
        self.busy = busy
        self.waiting = waiting
        self.isClosing = isClosing
    }
}

extension LentBytes {
    package init(bytes: UnsafeRawBufferPointer, owner: any AnyObject & Sendable, _: Void = ()) {
        self.bytes = bytes
        self.owner = owner
    }
}
