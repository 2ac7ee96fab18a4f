/// What can go wrong between a store and Postgres.
///
/// Holds a kind, the SQLSTATE and names of the schema; never a value, never a message of the server (those quote values).
package struct DatabaseError: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// Not connected: refused, lost, shutting down, out of connections or of disk (SQLSTATE 08, 53, 57P01–57P05).
        case unavailable
        /// No free connection within the deadline, or the statement ran too long (57014, 55P03).
        case timeout
        /// Two transactions conflicted (40001, 40P01). Nothing was written; the same request may be sent again.
        case serialization
        /// A constraint refused the write (class 23). Not-null columns, which have no name, are `<table>_<column>_not_null`.
        case constraint(String)
        /// Raised by a function of the application's schema: a five-character SQLSTATE of class `DI`.
        case raised(code: String)
        /// Any other error of the server: a fault in the statement or in its parameters.
        case statement(sqlstate: String)
        /// A column is missing, NULL, or not of the type asked for.
        case decoding
        /// A parameter has no representation in Postgres (a date outside its range).
        case encoding
        /// The pool or the connection was closed by its owner.
        case closed
        /// The waiting task was cancelled.
        case cancelled
        /// The connection string does not parse.
        case configuration
    }

    package let kind: Kind
    /// Five characters; nil when the error is not the server's.
    package var sqlstate: String?
    /// Which statement of the pipeline failed, from 0; nil for the commit and for errors without a statement.
    package var statementIndex: Int?
    /// The column that did not decode, from 0.
    package var column: Int?
    /// Where in the SQL text the error is, in characters from 1.
    package var position: Int?
    /// The statements were sent but no answer came: they may have been committed.
    package var outcomeUnknown: Bool

    package init(
        _ kind: Kind, sqlstate: String? = nil, statementIndex: Int? = nil, column: Int? = nil, position: Int? = nil,
        outcomeUnknown: Bool = false
    ) {
        self.kind = kind
        self.sqlstate = sqlstate
        self.statementIndex = statementIndex
        self.column = column
        self.position = position
        self.outcomeUnknown = outcomeUnknown
    }

    /// The same request may succeed later. With `outcomeUnknown` it may also have succeeded already.
    package var retryable: Bool {
        switch kind {
        case .unavailable, .timeout, .serialization: true
        default: false
        }
    }
}

extension DatabaseError: CustomStringConvertible {
    package var description: String {
        var text: String
        switch kind {
        case .unavailable: text = "database unavailable"
        case .timeout: text = "database timeout"
        case .serialization: text = "serialization failure"
        case .constraint(let name): text = "constraint \(name)"
        case .raised(let code): text = "raised \(code)"
        case .statement: text = "statement refused"
        case .decoding: text = "column does not decode"
        case .encoding: text = "parameter does not encode"
        case .closed: text = "database connection closed"
        case .cancelled: text = "cancelled"
        case .configuration: text = "connection string does not parse"
        }
        if let sqlstate { text += " [\(sqlstate)]" }
        if let statementIndex { text += ", statement \(statementIndex)" }
        if let column { text += ", column \(column)" }
        if let position { text += ", position \(position)" }
        if outcomeUnknown { text += ", outcome unknown" }
        return text
    }
}

/// The server's error code (PostgreSQL documentation, appendix A) and its meaning for a caller.
struct SQLState: Sendable, Equatable {
    let code: String

    func kind(constraint: String?, table: String?, column: String?) -> DatabaseError.Kind {
        switch code {
        case "57014", "55P03": return .timeout
        case "40001", "40P01": return .serialization
        case "57P01", "57P02", "57P03", "57P04", "57P05", "25P03": return .unavailable
        default: break
        }
        switch code.prefix(2) {
        case "08", "53": return .unavailable
        case "23":
            if let constraint { return .constraint(constraint) }
            return .constraint([table, column, "not_null"].compactMap { $0 }.joined(separator: "_"))
        case "DI": return .raised(code: code)
        default: return .statement(sqlstate: code)
        }
    }

    /// The schema changed under a prepared statement: "cached plan must not change result type", or a name unknown to the server.
    var isStalePlan: Bool { code == "0A000" || code == "26000" }
}
