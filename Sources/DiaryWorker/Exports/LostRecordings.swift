import DiaryCore
import FoundationEssentials

/// Recordings, by their objects, that could not be read while a zip was packed, and why. Thrown to make the export plan again without them.
struct LostRecordings: Error, Sendable, Equatable {
    var reasons: [UUID: ExportGap.Reason] = [:]
}

extension ExportGap.Reason {
    /// Why a recording is missing, when the store has said so; nil for other errors, such as a store that is down.
    init?(recording error: any Error) {
        switch error {
        case ObjectStoreError.missing: self = .missing
        case ObjectStoreError.damaged: self = .damaged
        default: return nil
        }
    }
}
