/// What one connection has prepared: by SQL text and parameter types.
struct PreparedStatements {
    struct Plan {
        let name: String
        let types: [UInt32]
    }

    /// Above this many the rest runs unnamed: texts are constants of the program, so this is never reached in earnest.
    static let limit = 512

    private var plans: [String: [Plan]] = [:]
    private var count = 0
    private var serial = 0

    func name(of statement: Statement) -> String? {
        guard let known = plans[statement.sql] else { return nil }
        return known.first { $0.matches(statement.parameters) }?.name
    }

    /// A name for a statement about to be parsed; the empty name is the unnamed statement.
    mutating func newName() -> String {
        guard count < Self.limit else { return "" }
        serial += 1
        return "s\(serial)"
    }

    /// Called at the statement's own ParseComplete, never before.
    mutating func insert(_ name: String, for statement: Statement) {
        guard !name.isEmpty else { return }
        plans[statement.sql, default: []].append(Plan(name: name, types: statement.parameters.map(\.type.rawValue)))
        count += 1
    }

    /// Names stay taken on the server, so numbering goes on.
    mutating func forgetAll() {
        plans = [:]
    }
}

extension PreparedStatements.Plan {
    func matches(_ parameters: [Parameter]) -> Bool {
        guard types.count == parameters.count else { return false }
        for (type, parameter) in zip(types, parameters) where type != parameter.type.rawValue { return false }
        return true
    }
}
