import BlockingCalls

/// The file calls of all jobs, one at a time because they share one disk, and off the cooperative pool (decision D5).
enum BlockingWork {
    private static let pool = BlockingPool(threads: 1)

    /// Makes the thread. Called at start, because a refused thread ends the process.
    static func prepare() { _ = pool }

    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await pool.run(work)
    }
}
