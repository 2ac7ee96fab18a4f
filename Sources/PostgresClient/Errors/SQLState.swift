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
