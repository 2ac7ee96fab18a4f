import BlockingCalls
import DiaryCore
import FoundationEssentials

/// Folders for plain recordings while a job works on them: one per attempt (0700), below a root that this process alone uses.
struct JobFolders: Sendable {
    /// An empty folder (0700) of this process alone. Its maker also deletes the folders of killed processes (decision D15).
    let root: String

    /// Runs `body` with the job's folder, and removes the folder afterwards in any case.
    func withFolder<Value: Sendable>(
        of job: LeasedJob, _ body: @Sendable (String) async throws -> Value
    ) async throws -> Value {
        let folder = "\(root)/\(job.id)-\(job.attempt)"
        do {
            try await BlockingWork.run {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            }
        } catch {
            // The disk is full, or the root is gone: this machine fails every job alike, and the name is the attempt's alone.
            throw JobStop(outcome: .outage(.storageUnavailable), cause: "job folder")
        }
        let result: Result<Value, any Error>
        do { result = .success(try await body(folder)) } catch { result = .failure(error) }
        try? await BlockingWork.run { try FileManager.default.removeItem(atPath: folder) }
        return try result.get()
    }
}

/// The file calls of all jobs, one at a time because they share one disk, and off the cooperative pool (decision D5).
enum BlockingWork {
    private static let pool = BlockingPool(threads: 1)

    /// Makes the thread. Called at start, because a refused thread ends the process.
    static func prepare() { _ = pool }

    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await pool.run(work)
    }
}
