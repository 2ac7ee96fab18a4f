import DiaryCore
import FoundationEssentials

@testable import DiaryDatabase

extension PostgresEntryStore {
    /// As `completeUpload` for the recording that the entry waits for at this moment.
    func completeUpload(
        _ id: EntryID, size: Int64, keyID: UUID, job: NewJob, by member: Member
    ) async throws(DiaryError) -> CompleteOutcome {
        let object = try await entry(id, of: member)?.facts.object
        return try await completeUpload(id, object: object ?? UUID(), size: size, keyID: keyID, job: job, by: member)
    }
}
