import DiaryCore
import FoundationEssentials

/// Recordings, by their objects, that could not be read to their end when a zip was made of them, and why. Thrown, it means that the plan
/// begins anew without them.
struct LostRecordings: Error, Sendable, Equatable {
    var reasons: [UUID: ExportGap.Reason] = [:]
}

extension ExportGap.Reason {
    /// Why a recording is missing, where the store has answered so; nil for other errors, also of a store that is away.
    init?(recording error: any Error) {
        switch error {
        case ObjectStoreError.missing: self = .missing
        case ObjectStoreError.damaged: self = .damaged
        default: return nil
        }
    }
}
