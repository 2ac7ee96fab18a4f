import Dispatch

/// File calls may wait for the disk, so they run on a queue of their own and not on the cooperative pool (D5). One at a time: the disk is one.
enum BlockingWork {
    private static let queue = DispatchQueue(label: "diary.worker.files")

    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }
}
