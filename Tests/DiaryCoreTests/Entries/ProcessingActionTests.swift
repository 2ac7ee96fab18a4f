import Testing

@testable import DiaryCore

/// What waits has a next step, what failed has a reason and a way on.
@Suite("What can be done about an entry")
struct ProcessingActionTests {
    /// Of no way on but another recording: the bytes themselves are the reason.
    private static let final: Set<ProcessingCode> = [
        .mediaUnreadable, .mediaUnsupported, .mediaTooLong, .mediaLimits, .contentTypeMismatch, .textTooLong, .gone,
    ]

    /// No entry ends with these: they are of mails and of imports.
    private static let others: Set<ProcessingCode> = [.addressSuppressed, .zipUnreadable, .zipUnsafe, .zipUnknown, .zipTooLarge]

    @Test(
        "every stage and code that an entry can fail with has an action, and `retry` where and only where a retry is let through",
        arguments: JobCatalogue.diary.stages)
    func failed(stage: JobKind) {
        for code in ProcessingCode.allCases where !Self.others.contains(code) {
            for hasDigest in [true, false] {
                let action = ProcessingAction(.failed, stage: stage, code: code, hasDigest: hasDigest)
                #expect(action != .wait, "\(stage) \(code)")
                #expect([.retry, .giveConsent].contains(action) == code.retryableByOwner, "\(stage) \(code)")
                if action == .none {
                    let uploads: Set<ProcessingCode> = [.uploadMissing, .uploadSizeMismatch, .uploadHashMismatch]
                    // Only the check of the upload itself ends with these.
                    #expect(Self.final.contains(code) || uploads.contains(code) && stage != .verify, "\(stage) \(code)")
                }
            }
        }
        #expect(ProcessingAction(.failed, stage: stage, code: nil, hasDigest: true) == .retry)
    }

    @Test("the actions are those that the operations let through: an upload again, another language")
    func ways() {
        func action(_ code: ProcessingCode, _ stage: JobKind = .verify, hasDigest: Bool = true) -> ProcessingAction {
            ProcessingAction(.failed, stage: stage, code: code, hasDigest: hasDigest)
        }

        #expect(action(.uploadExpired) == .uploadAgain && action(.uploadMissing) == .uploadAgain)
        #expect(action(.mediaUnreadable, hasDigest: false) == .uploadAgain && action(.mediaUnreadable) == .none)
        #expect(action(.languageUnsupported, .transcribe) == .changeLanguage)
        #expect(action(.storageUnavailable) == .retry)
    }

    @Test(
        "whatever does not stand still is waited for, and has the stage that the catalogue awaits",
        arguments: [EntryStatus.uploaded, .transcribing, .cleaning])
    func waits(status: EntryStatus) throws {
        for code in ProcessingCode.allCases.map(Optional.some) + [nil] {
            #expect(ProcessingAction(status, stage: .verify, code: code, hasDigest: true) == .wait)
        }
        let stage = try #require(JobCatalogue.diary.awaited(status, stage: nil))
        #expect(JobCatalogue.diary.stage(stage).map { $0.waiting == status || $0.running == status } == true)
        #expect(JobCatalogue.diary.awaited(status, stage: .clean) == .clean)
        #expect(JobCatalogue.diary.awaited(status, stage: JobKind(rawValue: "later")) == nil)
    }

    @Test("an entry that stands still awaits no job", arguments: [EntryStatus.awaitingUpload, .transcribed, .failed])
    func still(status: EntryStatus) {
        #expect(JobCatalogue.diary.awaited(status, stage: nil) == nil)
        #expect(JobCatalogue.diary.awaited(status, stage: .verify) == nil)
    }
}
