import DiaryCore
import PostgresClient

/// Statements that run as one transaction in one round trip, and the reading of their rows. Errors of either become the store's here.
struct Transaction<Failure: DatabaseFailure>: Sendable {
    let pool: ConnectionPool
    /// Come first; their rows are not the caller's.
    var opening: [Statement] = []

    /// For callers that handle a constraint.
    /// - Returns: one `Rows` per given statement.
    @discardableResult
    func send(_ statements: [Statement]) async throws(DatabaseError) -> [Rows] {
        Array(try await pool.run(opening + statements).dropFirst(opening.count))
    }

    @discardableResult
    func run(_ statements: [Statement]) async throws(Failure) -> [Rows] {
        do { return try await send(statements) } catch { throw Failure(error) }
    }

    /// - Parameter read: may also throw a `Failure`.
    func run<Value>(_ statements: [Statement], _ read: ([Rows]) throws -> Value) async throws(Failure) -> Value {
        do { return try read(try await send(statements)) } catch { throw Failure(any: error) }
    }

    @discardableResult
    func run(_ sql: String, _ parameters: [Parameter] = []) async throws(Failure) -> Rows {
        try await run([Statement(sql, parameters)])[0]
    }

    /// - Returns: of the first row; nil without one.
    func one<Value>(_ statement: Statement, _ read: (inout Row) throws -> Value) async throws(Failure) -> Value? {
        try await run([statement]) { try $0.one(0, read) }
    }

    func one<Value>(
        _ sql: String, _ parameters: [Parameter] = [], _ read: (inout Row) throws -> Value
    ) async throws(Failure) -> Value? {
        try await one(Statement(sql, parameters), read)
    }

    func all<Value>(_ statement: Statement, _ read: (inout Row) throws -> Value) async throws(Failure) -> [Value] {
        try await run([statement]) { try $0[0].all(read) }
    }

    func all<Value>(
        _ sql: String, _ parameters: [Parameter] = [], _ read: (inout Row) throws -> Value
    ) async throws(Failure) -> [Value] {
        try await all(Statement(sql, parameters), read)
    }
}

/// Transactions across accounts, and those that no account owns.
extension ConnectionPool {
    var forClient: Transaction<DiaryError> { Transaction(pool: self) }
    var forWorker: Transaction<WorkError> { Transaction(pool: self) }
}

extension Rows {
    func all<Value, Failure: Error>(_ read: (inout Row) throws(Failure) -> Value) throws(Failure) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        for var row in self { values.append(try read(&row)) }
        return values
    }
}

extension [Rows] {
    /// The first row of statement `index`, if there is one.
    func first(_ index: Int) -> Row? {
        indices.contains(index) ? self[index].first : nil
    }

    /// Reads the first row of statement `index`, if there is one.
    func one<Value, Failure: Error>(_ index: Int, _ read: (inout Row) throws(Failure) -> Value) throws(Failure) -> Value? {
        guard var row = first(index) else { return nil }
        return try read(&row)
    }
}
