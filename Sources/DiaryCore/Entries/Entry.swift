package import DiaryCrypto
package import FoundationEssentials

package enum EntryKind: String, Sendable, CaseIterable { case voice, text }

package enum EntryStatus: String, Sendable, CaseIterable {
    case awaitingUpload = "awaiting_upload"
    case uploaded, transcribing, cleaning, transcribed, failed
}

/// What the owner wrote: the API alone writes this part (D15).
package struct PersonalPart: Sendable, Equatable {
    package var title: String?
    /// The text a person typed or corrected; machine text never overwrites it.
    package var edited: String?
    package var tags: [String]
    package var mood: String?

    package init(title: String? = nil, edited: String? = nil, tags: [String] = [], mood: String? = nil) {
        self.title = title
        self.edited = edited
        self.tags = tags
        self.mood = mood
    }
}

/// What the machine made of the recording: the worker alone writes this part.
package struct MachinePart: Sendable, Equatable {
    package var raw: String?
    package var clean: String?

    package init(raw: String? = nil, clean: String? = nil) {
        self.raw = raw
        self.clean = clean
    }
}

/// Where the work on a recording stands.
package struct Processing: Sendable, Equatable {
    package var stage: JobKind
    package var attempt: Int
    package var nextAttemptAt: Date?
    package var code: ProcessingCode?
    package var retryable: Bool

    package init(stage: JobKind, attempt: Int, nextAttemptAt: Date?, code: ProcessingCode?, retryable: Bool) {
        self.stage = stage
        self.attempt = attempt
        self.nextAttemptAt = nextAttemptAt
        self.code = code
        self.retryable = retryable
    }
}

/// The plain columns of an entry: what must be sorted, counted or filtered. A class, because a page's entries are handed on several times on their way
/// from row to answer, and seventeen columns are not copied then.
package final class EntryFacts: Sendable {
    package let id: EntryID
    package let kind: EntryKind
    package let status: EntryStatus
    package let processing: Processing?
    package let recordedAt: Date
    package let timeZone: String
    package let localTime: LocalTime
    package let createdAt: Date
    package let updatedAt: Date
    package let deletedAt: Date?
    package let durationSeconds: Double?
    package let sizeBytes: Int64?
    package let contentType: String?
    package let sha256: [UInt8]?
    package let language: String?
    /// The object that holds the recording, in staging and after.
    package let object: UUID?
    package let changeNumber: Int64

    package init(
        id: EntryID, kind: EntryKind, status: EntryStatus, processing: Processing?, recordedAt: Date, timeZone: String,
        localTime: LocalTime,
        createdAt: Date, updatedAt: Date, deletedAt: Date?, durationSeconds: Double?, sizeBytes: Int64?, contentType: String?,
        sha256: [UInt8]?,
        language: String?, object: UUID?, changeNumber: Int64
    ) {
        self.id = id
        self.kind = kind
        self.status = status
        self.processing = processing
        self.recordedAt = recordedAt
        self.timeZone = timeZone
        self.localTime = localTime
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.deletedAt = deletedAt
        self.durationSeconds = durationSeconds
        self.sizeBytes = sizeBytes
        self.contentType = contentType
        self.sha256 = sha256
        self.language = language
        self.object = object
        self.changeNumber = changeNumber
    }

    /// `YYYY-MM-DD_HH-mm-ss_<uuid8>`; uuid8 is the id's *last* eight digits (a UUIDv7's first eight change once in 65 s).
    package var stem: String { "\(localTime.stem)_\(Substring(id.description.utf8.suffix(8)))" }

    package var filename: String? {
        guard kind == .voice else { return nil }
        return "\(stem).\(AudioFormat(contentType: contentType ?? "")?.fileExtension ?? "m4a")"
    }
}

/// An entry as it lies in the database: facts in the clear, words sealed.
package struct StoredEntry: Sendable {
    package var facts: EntryFacts
    package var personal: SealedColumn?
    package var machine: SealedColumn?

    package init(facts: EntryFacts, personal: SealedColumn?, machine: SealedColumn?) {
        self.facts = facts
        self.personal = personal
        self.machine = machine
    }

    /// What If-Match compares: grows with the owner's own changes only (DESIGN D15).
    package var version: Int64 { personal?.version ?? 0 }
}

/// A sealed part and the content version its additional data names.
package struct SealedColumn: Sendable, Equatable {
    package var sealed: SealedBytes
    package var version: Int64

    package init(_ sealed: SealedBytes, version: Int64) {
        self.sealed = sealed
        self.version = version
    }

    package init(bytes: [UInt8], version: Int64) { self.init(SealedBytes(bytes), version: version) }

    package var bytes: [UInt8] { sealed.array }
}

/// An entry with its words, for its owner.
package struct Entry: Sendable {
    package var facts: EntryFacts
    package var personal: PersonalPart
    package var machine: MachinePart
    package var version: Int64
    package var damage: Damage

    /// Sealed parts that were altered where they lie and do not open any more: their words are missing here, which is not the same as having none.
    package struct Damage: OptionSet, Sendable {
        package static let personal = Damage(rawValue: 1)
        package static let machine = Damage(rawValue: 2)
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }
    }

    package init(facts: EntryFacts, personal: PersonalPart, machine: MachinePart, version: Int64, damage: Damage = []) {
        self.facts = facts
        self.personal = personal
        self.machine = machine
        self.version = version
        self.damage = damage
    }

    package var isDamaged: Bool { !damage.isEmpty }

    package enum Transcript: Sendable { case edited, clean, raw }

    /// Which to show: a person's words before the machine's, clean before raw.
    package var shown: Transcript { personal.edited != nil ? .edited : machine.clean != nil ? .clean : .raw }

    package var text: String? {
        switch shown {
        case .edited: personal.edited
        case .clean: machine.clean
        case .raw: machine.raw
        }
    }
}
