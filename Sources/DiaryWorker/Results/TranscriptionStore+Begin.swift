import DiaryCore

extension TranscriptionStore {
    /// `beginEntry`, its errors mapped to outcomes.
    func begin(_ job: LeasedJob) async throws(JobStop) -> HeardEntry {
        do throws(WorkError) { return try await beginEntry(job) } catch { throw JobStop(beginning: error) }
    }
}
