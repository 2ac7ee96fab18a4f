import DiaryCore
import FoundationEssentials

/// Where plain recordings lie while a job works on them: one folder per attempt (0700) below one root, which this process alone uses.
package struct JobFolders: Sendable {
    package let root: String

    /// - Parameter root: an empty folder (0700) of this process alone. Whoever makes it also wipes what killed processes left (D15).
    package init(root: String) { self.root = root }

    /// Runs `body` with the job's folder, which is gone afterwards, however it ends.
    func withFolder<Value: Sendable>(
        of job: LeasedJob, _ body: @Sendable (String) async throws(JobStop) -> Value
    ) async throws(JobStop) -> Value {
        let folder = "\(root)/\(job.id)-\(job.attempt)"
        do {
            try await BlockingWork.run {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            }
        } catch {
            throw .retry(.storageUnavailable, cause: "job folder")
        }
        let result: Result<Value, JobStop>
        do throws(JobStop) { result = .success(try await body(folder)) } catch { result = .failure(error) }
        try? await BlockingWork.run { try FileManager.default.removeItem(atPath: folder) }
        return try result.get()
    }
}
