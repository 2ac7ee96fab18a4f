/// The statements one connection has prepared, by number or text and by the parameters' types.
struct PreparedStatements {
    struct Plan {
        let name: String
        let types: [UInt32]
    }

    /// Further statements run unnamed. Texts are constants of the program, so the limit is not reached in practice.
    static let limit = 512

    private var numbered: [Plan?] = []
    private var plans: [String: [Plan]] = [:]
    private var count = 0
    private var serial = 0

    func name(of statement: Statement) -> String? {
        if let number = statement.number, number < numbered.count, let plan = numbered[number], plan.matches(statement.parameters) {
            return plan.name
        }
        // A numbered text is here too when it was first sent with other types.
        guard !plans.isEmpty, let known = plans[statement.sql] else { return nil }
        return known.first { $0.matches(statement.parameters) }?.name
    }

    /// A name for a statement about to be parsed; the empty name is libpq's unnamed statement.
    mutating func newName() -> String {
        guard count < Self.limit else { return "" }
        serial += 1
        return "s\(serial)"
    }

    /// Called at the statement's own ParseComplete, never before.
    mutating func insert(_ name: String, for statement: Statement) {
        guard !name.isEmpty else { return }
        let plan = Plan(name: name, types: statement.parameters.map(\.type.rawValue))
        count += 1
        if let number = statement.number {
            while numbered.count <= number { numbered.append(nil) }
            if numbered[number] == nil {
                numbered[number] = plan
                return
            }
        }
        plans[statement.sql, default: []].append(plan)
    }

    /// The server keeps the old names, so numbering continues.
    mutating func forgetAll() {
        numbered = []
        plans = [:]
    }
}

extension PreparedStatements.Plan {
    func matches(_ parameters: [Parameter]) -> Bool {
        guard types.count == parameters.count else { return false }
        for index in types.indices where types[index] != parameters[index].type.rawValue { return false }
        return true
    }
}
