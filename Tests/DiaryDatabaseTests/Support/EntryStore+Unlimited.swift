import FoundationEssentials

@testable import DiaryCore

/// Restarts in an app without limits on what engines use.
extension EntryStore {
    func retry(_ id: EntryID, keyID: UUID, job: JobID, claim: KeyClaim?, by member: Member) async throws(DiaryError) -> CompleteOutcome {
        try await retry(id, within: UsageLimits(), keyID: keyID, job: job, claim: claim, by: member)
    }

    func reprocess(
        _ id: EntryID, _ run: NewRun, keyID: UUID, job: JobID, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> CompleteOutcome {
        try await reprocess(id, run, within: UsageLimits(), keyID: keyID, job: job, claim: claim, by: member)
    }
}
