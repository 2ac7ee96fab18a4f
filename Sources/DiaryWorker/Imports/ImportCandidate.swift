import DiaryCore
import FoundationEssentials

/// One element of a zip's list, read: an entry as it would be made here.
struct ImportCandidate: Sendable {
    var id: EntryID
    var recordedAt: Date
    /// Size, type and digest of a recording are not here: they are its file's.
    var facts: GivenFacts
    var createdAt: Date? = nil
    var personal = PersonalPart()
    var personalVersion: Int64 = 1
    var machine: MachinePart?
    var machineVersion: Int64 = 1
    var segments: [SpeechSegment]?
    var segmentsVersion: Int64 = 1
    var corrections = SegmentCorrections()
    var correctionsVersion: Int64 = 1
    var revisions: [Revision] = []
    var recording: Recording?
    /// What an own export says of the recording, for when the zip does not have it, or not whole.
    var lost: LostRecording?
    /// The recording stays on the device that made it.
    var isOnDevice = false
    /// What else is to be said of it.
    var notes: [Note] = []

    struct File: Sendable {
        var member: String
        /// Size and hash that the zip's list states.
        var size: Int64?
        var sha256: [UInt8]?
    }

    struct Recording: Sendable {
        var file: File
        var format: AudioFormat
        /// The entry of the zip that named the file before this one, and has it (`ImportedFiles`).
        var holder: EntryID?
    }

    struct LostRecording: Sendable {
        var contentType: String
        var sizeBytes: Int64
        var sha256: [UInt8]?
        var removedAt: Date?
    }

    struct Revision: Sendable {
        var layer: TextLayer
        var number: Int64
        var replacedAt: Date
        var part: RevisionPart
    }

    struct Note: Sendable, Equatable {
        var outcome = ImportItem.Outcome.skipped
        var code: ImportItem.Code
        var count = 1
        var name: String?
    }

    var hasWords: Bool { personal.edited != nil || machine?.raw != nil || machine?.clean != nil }

    /// Without its recording.
    mutating func becomeText() { (facts.kind, facts.durationSeconds, recording) = (.text, nil, nil) }

    /// Gives up a recording that could not be read, where the entry has words without it.
    /// - Returns: whether something is left.
    mutating func giveUpRecording(after code: ImportItem.Code) -> Bool {
        guard [.fileMissing, .fileDamaged, .fileNotSupported, .recordingTooLarge].contains(code), facts.kind == .voice, recording != nil
        else { return false }
        if lost != nil, hasWords {
            recording = nil
            // Its owner may find the file and upload it, which is no duplicate then.
            lost?.sha256 = nil
            return true
        }
        guard lost == nil, personal.edited != nil else { return false }
        becomeText()
        return true
    }
}

/// What an element of the list is.
enum ImportElement: Sendable {
    /// Several for an element with several recordings.
    case entries([ImportCandidate])
    case refused(ImportItem.Code, EntryID?)
}
