import DiaryCore
import ZipArchive

/// Checks that a job's temporary files fit on the disk.
enum TempSpace {
    /// Beside what is needed: other jobs write too.
    static let margin: Int64 = 64 << 20

    /// - Parameter needed: bytes that are about to be written.
    /// - Throws: a retry whose cause says how much is missing.
    static func require(_ needed: Int64, in folder: String) async throws(JobStop) {
        let free: Int64
        do {
            free = try await BlockingWork.run { try UnlinkedTempFile.freeBytes(in: folder) }
        } catch {
            throw (error as? ZipError).map { JobStop($0) } ?? JobStop(any: error)
        }
        if let refusal = refusal(of: needed, free: free) { throw refusal }
    }

    /// nil when there is enough.
    static func refusal(of needed: Int64, free: Int64) -> JobStop? {
        let wanted = min(needed, Int64.max - margin) + margin
        guard wanted > free else { return nil }
        return .retry(.storageUnavailable, cause: "temporary folder: \(wanted - free) bytes missing of \(wanted)")
    }
}
