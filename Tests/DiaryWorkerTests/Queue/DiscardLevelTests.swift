import DiaryCore
import Logging
import Testing

@testable import DiaryWorker

@Suite("Levels of jobs that ended for good")
struct DiscardLevelTests {
    @Test("what a client can cause is no line of level error; what asks for an operator is")
    func levels() {
        let ofRecordings = ProcessingCode.allCases.filter { !$0.retryableByOwner }
        // The member, or the next day, helps.
        let ofLimits: [ProcessingCode] = [.consentRequired, .budgetExceeded]
        let ofOperators: [ProcessingCode] = [
            .speechUnavailable, .engineRefused, .cleanupUnavailable, .storageUnavailable, .databaseUnavailable, .mailUnavailable, .crashed,
            .unexpected,
        ]

        #expect((ofRecordings + ofLimits).allSatisfy { $0.discardLevel == .notice })
        #expect(ofOperators.allSatisfy { $0.discardLevel == .error })
        #expect(
            [.speechTimeout, .speechUnreadable, .cleanupRejected, .mailRefused, .engineBusy, .enginePaused].allSatisfy {
                (code: ProcessingCode) in
                code.discardLevel == .warning
            })
        #expect(ofRecordings.count + ofLimits.count + ofOperators.count + 6 == ProcessingCode.allCases.count)
    }
}
