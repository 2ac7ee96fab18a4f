package import DiaryCore

/// Hints inside one process.
package struct LocalWakeUps: WakeUps {
    private let room = WaitingRoom()

    package init() {}

    package func jobCommitted(_ kind: JobKind) { room.wakeOrRemember(kind) }

    package func waitForWork(_ kinds: [JobKind], timeout: Double) async { await room.wait(kinds, timeout: timeout) }
}
