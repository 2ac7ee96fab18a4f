import DiaryCore

extension TranscriptionStore {
    /// `beginEntry`, its errors mapped to outcomes.
    func begin(_ job: LeasedJob) async throws(JobStop) -> StoredEntry {
        do throws(WorkError) { return try await beginEntry(job) } catch { throw JobStop(beginning: error) }
    }

    /// `beginHeardEntry`, likewise.
    func beginHeard(_ job: LeasedJob) async throws(JobStop) -> HeardEntry {
        do throws(WorkError) { return try await beginHeardEntry(job) } catch { throw JobStop(beginning: error) }
    }
}
