/// Kill points P01 … P40, as far as this design has the step. Compiled into debug builds only (`DIARY_FAILPOINTS`).
package enum Failpoint: Sendable {
    case createBeforeCommit, createAfterCommit  // P01 P02
    case putHalfBody, putBeforeFsync, putAfterRename  // P03 P04 P05
    case completeAfterHead, completeAfterCommit, completeAfterSignal  // P06 P07 P08
    case rescueBetween  // P11
    case claimed, downloaded, decoding, recognitionSent, recognitionAnswered, rawBeforeCommit, rawAfterCommit  // P12 … P18
    case cleanClaimed, cleanSent, cleanAnswered, cleanBeforeCommit, cleanAfterCommit  // P19 … P23
    case refreshAfterRotate  // P27
    case exportClaimed, exportMidZip, exportZipClosed, exportStored  // P30 P31 P32 P34
    case mailBeforeSend, mailAfterSend, mailAfterMark  // P35 P36 P37
    case erasureClaimed, erasureKeyGone, erasureHalfObjects  // P38 P39 P40
    case rewrapOpened, rewrapCommitted  // K01 K02: rotating the master key, before and after a batch

    /// Kills or stops the process, throws, or delays here when `DIARY_FAIL=name[:nth][:action]` names this point (action: kill, stop,
    /// error, delay).
    @inline(__always)
    package func hit() throws(FailpointError) {
        #if DIARY_FAILPOINTS
            try FailpointPlan.shared.reach(self)
        #endif
    }
}

package struct FailpointError: Error, Sendable {}

extension Failpoint {
    /// `hit()` for code that throws `DiaryError`.
    @inline(__always)
    package func reach() throws(DiaryError) {
        do { try hit() } catch { throw DiaryError(.internalError, cause: "failpoint") }
    }
}
