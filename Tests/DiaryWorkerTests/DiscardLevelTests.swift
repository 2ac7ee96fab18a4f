import DiaryCore
import Logging
import Testing

@testable import DiaryWorker

@Suite("Levels of jobs that ended for good")
struct DiscardLevelTests {
    @Test("what a client can cause is no line of level error; what asks for an operator is")
    func levels() {
        let ofRecordings = ProcessingCode.allCases.filter { !$0.retryableByOwner }
        let ofOperators: [ProcessingCode] = [
            .speechUnavailable, .cleanupUnavailable, .storageUnavailable, .databaseUnavailable, .mailUnavailable, .crashed, .unexpected,
        ]

        #expect(ofRecordings.allSatisfy { $0.discardLevel == .notice })
        #expect(ofOperators.allSatisfy { $0.discardLevel == .error })
        #expect([.speechTimeout, .mailRefused].allSatisfy { (code: ProcessingCode) in code.discardLevel == .warning })
        #expect(ofRecordings.count + ofOperators.count + 2 == ProcessingCode.allCases.count)
    }
}
