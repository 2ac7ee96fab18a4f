import DiaryCore
import FoundationEssentials

/// Something that a zip should hold of an entry and does not. Raw values are those of the manifest.
struct ExportGap: Sendable, Equatable {
    enum Missing: String, Sendable {
        case audio, txt, md, srt, transcript_json, metadata_json
        case personal, machine, segments, corrections, revision, waveform
    }

    enum Reason: String, Error, Sendable {
        /// By its owner or by age; the texts were kept.
        case removed
        /// It stays on the device that made it.
        case onDevice = "on_device"
        /// It has not been uploaded, or its check has not ended.
        case notArrived = "not_arrived"
        /// It never arrived, or failed its check.
        case refused
        /// Not recognised yet.
        case noTranscript = "no_transcript"
        /// There are texts, none of the layer that was asked for.
        case layerMissing = "layer_missing"
        /// The entry has no words.
        case noText = "no_text"
        /// It was altered where it is stored and cannot be read.
        case damaged
        /// A recording that was stored, and that the store does not have any more.
        case missing
    }

    var missing: Missing
    var reason: Reason
    /// Of a revision.
    var layer: TextLayer?
    /// Of a revision.
    var number: Int64?

    init(_ missing: Missing, _ reason: Reason, layer: TextLayer? = nil, number: Int64? = nil) {
        self.missing = missing
        self.reason = reason
        self.layer = layer
        self.number = number
    }

    /// The stored parts of an entry that do not open.
    static func damaged(_ exported: ExportedEntry) -> [ExportGap] {
        var gaps: [ExportGap] = []
        // An entry whose parts name another key counts as damaged as a whole, also the part that it does not have.
        if exported.entry.damage.contains(.personal), exported.versions.personal != nil { gaps.append(ExportGap(.personal, .damaged)) }
        if exported.entry.damage.contains(.machine), exported.versions.machine != nil { gaps.append(ExportGap(.machine, .damaged)) }
        for part in exported.damaged {
            switch part {
            case .segments: gaps.append(ExportGap(.segments, .damaged))
            case .corrections: gaps.append(ExportGap(.corrections, .damaged))
            case .waveform: gaps.append(ExportGap(.waveform, .damaged))
            }
        }
        for revision in exported.revisions where revision.content == nil {
            gaps.append(ExportGap(.revision, .damaged, layer: revision.layer, number: revision.number))
        }
        return gaps
    }
}

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
