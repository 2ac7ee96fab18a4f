import DiaryCore
import FoundationEssentials
import WireFormats

/// The fields of an entry that clients write.
enum EntryFields {
    /// Refuses members that belong to the other kind. Which values the app allows is decided by `CreateEntry`.
    static func draft(_ f: inout Fields, idempotencyKey: String?) -> EntryDraft {
        let faults = f.errors.count
        let kind = f.required("kind", EntryKind.voice) { $0.choice("kind", of: EntryKind.self) }
        let isKindKnown = f.errors.count == faults
        var personal = PersonalPart()
        for text in PersonalText.all { personal[text] = f.filledText(text.name, max: text.length) }
        personal.tags = f.keptTags() ?? []
        for change in f.metadata() { personal.metadata[change.key] = change.value }
        if personal.metadata.pairs.count > EntryMetadata.most { f.refuse("metadata", "must have at most \(EntryMetadata.most) pairs") }
        let transcript = f.nested("transcript", TranscriptFields.read)
        let recognise = f.choice("recognise", of: Recognition.self)
        let isOnDevice = f.choice("audio", of: AudioPlace.self) == .device
        let textPointer = f.pointer("text")
        if kind == .text {
            if personal.edited == nil, !f.errors.contains(where: { $0.pointer == textPointer }) {
                f.refuse("text", "is required for a text entry")
            }
            for name in ["duration_s", "transcript", "recognise", "audio"] + upload where f.value(name) != nil {
                f.refuse(name, "belongs to recordings")
            }
        } else if isKindKnown, personal.edited != nil {
            f.refuse("text", "belongs to text entries")
        }
        if isOnDevice, kind == .voice {
            for name in upload where f.value(name) != nil { f.refuse(name, "belongs to recordings that are uploaded") }
        }
        return EntryDraft(
            id: f.id("id"), idempotencyKey: idempotencyKey, recordedAt: f.recordingTime("recorded_at"),
            facts: GivenFacts(
                kind: kind, timeZone: f.deviceZone("time_zone"), durationSeconds: f.number("duration_s"),
                sizeBytes: f.integer("size_bytes"),
                contentType: f.text("content_type", max: 100, min: 1), sha256: f.hex("sha256", count: 32),
                language: f.languageTag("language"), favorite: f.bool("favorite") ?? false, keepAudio: f.bool("keep_audio") ?? false),
            allowsDuplicate: f.bool("allow_duplicate") ?? false, wantsParts: f.bool("parts") ?? false, personal: personal,
            transcript: transcript, recognise: recognise, isOnDevice: isOnDevice)
    }

    /// Members of a recording that is uploaded.
    private static let upload = ["content_type", "size_bytes", "sha256", "allow_duplicate", "parts"]

    /// A merge patch (RFC 7396).
    static func patch(_ f: inout Fields) -> EntryPatch {
        for name in ["recorded_at", "time_zone", "metadata"] where f.has(name) && f.value(name) == nil {
            f.refuse(name, "cannot be cleared")
        }
        var patch = EntryPatch.unchanged
        for text in PersonalText.all { patch[text] = f.patchText(text.name, max: text.length) }
        patch.tags = f.patch("tags") { $0.keptTags() }
        patch.metadata = f.metadata()
        patch.facts.recordedAt = f.recordingTime("recorded_at")
        patch.facts.timeZone = f.changedZone("time_zone")
        patch.facts.language = f.patchWord("language") { $0.languageTag("language") }
        // null clears, as it does for the others.
        patch.facts.favorite = f.isNull("favorite") ? false : f.bool("favorite")
        patch.facts.keepAudio = f.isNull("keep_audio") ? false : f.bool("keep_audio")
        return patch
    }
}

extension Fields {
    mutating func tags(_ name: String = "tags") -> [String]? {
        texts(name, maxCount: PersonalPart.tagCount, maxEach: PersonalPart.tagLength)
    }

    /// Of an entry: `PersonalPart.tidied`.
    mutating func keptTags(_ name: String = "tags") -> [String]? {
        guard let tags = self.tags(name) else { return nil }
        for (index, tag) in tags.enumerated() where tag.allSatisfy(\.isWhitespace) {
            errors.append(.init("\(pointer(name))/\(index)", "must not be blank"))
        }
        return PersonalPart.tidied(tags)
    }

    /// Null and `""` take a pair away. All may be replaced at once.
    mutating func metadata(_ name: String = "metadata") -> [EntryMetadata.Change] {
        let most = 2 * EntryMetadata.most
        if let count = value(name)?.object?.count, count > most {
            refuse(name, "must have at most \(most) members")
            return []
        }
        let changes = nested(name) { (f: inout Fields) -> [EntryMetadata.Change] in
            var changes: [EntryMetadata.Change] = []
            for key in f.members.names.sorted() {
                if EntryMetadata.isKey(key) {
                    changes.append(EntryMetadata.Change(key: key, value: f.filledText(key, max: EntryMetadata.valueLength)))
                } else {
                    _ = f.has(key)
                    f.errors.append(
                        .init(f.prefix, "has a key that is not 1 to \(EntryMetadata.keyLength) of A to Z, a to z, 0 to 9, _, - and ."))
                }
            }
            return changes
        }
        return changes ?? []
    }
}
