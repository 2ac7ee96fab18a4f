package import DiaryCore

/// Signals never come: the loop polls.
package struct PollingOnly: JobSignals {
    package init() {}
    package func jobCommitted(_ kind: JobKind) {}
    package func waitForWork(_ kinds: [JobKind], timeout: Double) async { try? await Task.sleep(for: .seconds(timeout)) }
}
