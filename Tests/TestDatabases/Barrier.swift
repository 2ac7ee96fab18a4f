package import PostgresClient
import TestSupport

/// Holds calls on the server until it is lowered.
package struct Barrier: Sendable {
    private static let key: Int64 = 77
    private let holder: DedicatedConnection
    /// Waits while the barrier is up.
    package static let statement = Statement("select pg_advisory_xact_lock($1)", [.int(key)])

    package static func raise(in database: TestDatabase) async throws -> Barrier {
        let holder = try DedicatedConnection(database.settings(), logger: .quiet)
        _ = try await holder.run([Statement("select pg_advisory_lock($1)", [.int(key)])])
        return Barrier(holder: holder)
    }

    package func lower() {
        holder.close()
    }

    private init(holder: DedicatedConnection) {
        self.holder = holder
    }
}
