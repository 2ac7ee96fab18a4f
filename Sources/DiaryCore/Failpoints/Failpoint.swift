/// Kill points by the names that `DIARY_FAIL` takes (docs/reliability.md). Compiled into debug builds only (`DIARY_FAILPOINTS`).
package enum Failpoint: String, Sendable {
    case createBeforeCommit = "P01", createAfterCommit = "P02"
    case putHalfBody = "P03", putBeforeFsync = "P04", putAfterLink = "P05"
    case completeAfterHead = "P06", completeAfterCommit = "P07", completeAfterSignal = "P08"
    case rescueBetween = "P11"
    case claimed = "P12", downloaded = "P13", decoding = "P14", recognitionSent = "P15", recognitionAnswered = "P16"
    case rawBeforeCommit = "P17", rawAfterCommit = "P18"
    case cleanClaimed = "P19", cleanSent = "P20", cleanAnswered = "P21", cleanBeforeCommit = "P22", cleanAfterCommit = "P23"
    case refreshAfterRotate = "P27"
    case exportClaimed = "P30", exportMidZip = "P31", exportZipClosed = "P32", exportStored = "P34"
    // Its checkpoint is stored, and saved, if it has several parts; a part is stored, and kept; an object of an ended export is deleted.
    case exportCheckpointStored = "X01", exportCheckpointSaved = "X02", exportPartStored = "X03", exportPartKept = "X04",
        exportCheckpointDeleted = "X05"
    case mailBeforeSend = "P35", mailAfterSend = "P36", mailAfterMark = "P37"
    case erasureClaimed = "P38", erasureKeyGone = "P39", erasureHalfObjects = "P40"
    // A recording's copy is stored, and no row names it yet.
    case copyStored = "S03"
    // An import: its job is claimed; a recording of the zip is stored, and no row names it yet; an entry is committed.
    case importClaimed = "I01", importStored = "I02", importWritten = "I03"
    case reprocessAfterCommit = "P41"
    // A call of an engine that has answered: before and after what it used is counted.
    case callAnswered = "P42", callCounted = "P43"
    // A part of a long recording: before and after it is stored, and what it used counted.
    case partHeard = "S01", partStored = "S02"
    // A batch of the entries of a tag that is renamed or taken away is committed.
    case tagBatchWritten = "P44"
    // Rotating the master key, before and after a batch.
    case rewrapOpened = "K01", rewrapCommitted = "K02"

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
    package func hitAsDiaryError() throws(DiaryError) {
        do { try hit() } catch { throw DiaryError(.internalError, cause: "failpoint") }
    }
}
