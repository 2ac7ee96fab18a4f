package import DiaryCore

/// Forgets signals; waiting ends at once.
package struct NoJobSignals: JobSignals {
    package init() {}
    package func jobCommitted(_ kind: JobKind) {}
    package func waitForWork(_ kinds: [JobKind], timeout: Double) async {}
}
