/// Where to connect, and the settings of every session.
package struct ConnectionSettings: Sendable {
    /// Keyword/value string or URI as libpq takes it. A secret: it may hold a password.
    package var conninfo: String
    package var applicationName: String = "diary"
    /// Value of `search_path`, unchanged; nil keeps the role's own.
    package var searchPath: String? = nil
    /// How long the server lets one statement run; zero is without limit.
    package var statementTimeout: Duration = .seconds(5)
    package var connectTimeout: Duration = .seconds(5)
    /// How long the server lets a transaction wait for its next statement before it ends the session.
    package var idleInTransactionTimeout: Duration = .seconds(10)

    package init(
        conninfo: String, applicationName: String = "diary", searchPath: String? = nil, statementTimeout: Duration = .seconds(5),
        connectTimeout: Duration = .seconds(5), idleInTransactionTimeout: Duration = .seconds(10)
    ) {
        self.conninfo = conninfo
        self.applicationName = applicationName
        self.searchPath = searchPath
        self.statementTimeout = statementTimeout
        self.connectTimeout = connectTimeout
        self.idleInTransactionTimeout = idleInTransactionTimeout
    }

    /// Sent with the start-up packet, so that no statement runs without them.
    var sessionOptions: [(name: String, value: String)] {
        var options = [
            ("statement_timeout", String(statementTimeout.wholeMilliseconds)),
            ("idle_in_transaction_session_timeout", String(idleInTransactionTimeout.wholeMilliseconds)),
            // Milliseconds within which the server ends the statement of a discarded connection.
            ("client_connection_check_interval", "500"),
            // Compiling costs more than these short statements take.
            ("jit", "off"),
            ("TimeZone", "UTC"),
        ]
        if let searchPath { options.append(("search_path", searchPath)) }
        return options
    }
}

extension Duration {
    package var wholeMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
