import DiaryCore
import FoundationEssentials
import WireFormats

/// The fields of an entry that clients write, and their limits.
enum EntryFields {
    /// Unicode code points. The JSON limit (256 KiB) may end a text earlier.
    static let textLength = 200_000
    static let titleLength = 200
    static let tagCount = 20
    static let tagLength = 50
    static let moodLength = 50

    static func draft(_ f: inout Fields, idempotencyKey: String?, limits: Limits) -> EntryDraft {
        let kind = f.required("kind", EntryKind.voice) { $0.choice("kind", of: EntryKind.self) }
        let personal = PersonalPart(
            title: f.filledText("title", max: titleLength), edited: f.filledText("text", max: textLength),
            tags: f.texts("tags", maxCount: tagCount, maxEach: tagLength) ?? [], mood: f.filledText("mood", max: moodLength))
        if kind == .text {
            if personal.edited == nil, !f.errors.contains(where: { $0.pointer == "/text" }) {
                f.refuse("text", "is required for a text entry")
            }
            for name in ["content_type", "size_bytes", "duration_s", "sha256"] where f.value(name) != nil {
                f.refuse(name, "belongs to recordings")
            }
        }
        return EntryDraft(
            id: f.id("id"), idempotencyKey: idempotencyKey, kind: kind, recordedAt: f.recordingTime("recorded_at"),
            timeZone: f.timeZone("time_zone"),
            durationSeconds: f.number("duration_s", in: 0...limits.maxAudioSeconds), sizeBytes: f.integer("size_bytes"),
            contentType: f.text("content_type", max: 100, min: 1), sha256: f.hex("sha256", count: 32), language: f.languageTag("language"),
            personal: personal)
    }

    /// A merge patch (RFC 7396). Unknown members are refused: a misspelt one would otherwise look like a change that was made.
    static func patch(_ f: inout Fields) -> EntryPatch {
        let known: Set<String> = ["title", "text", "tags", "mood", "language"]
        for name in f.members.names.sorted() where !known.contains(name) {
            if name.unicodeScalars.count <= 64 {
                f.refuse(name, "cannot be changed here")
            } else {
                f.errors.append(.init("", "has a member that cannot be changed here"))
            }
        }
        var patch = EntryPatch.unchanged
        patch.title = f.patchText("title", max: titleLength)
        patch.edited = f.patchText("text", max: textLength)
        patch.tags = f.patch("tags") { $0.texts("tags", maxCount: tagCount, maxEach: tagLength) }
        patch.mood = f.patchText("mood", max: moodLength)
        patch.language = f.members["language"] == .string("") ? .clear : f.patch("language") { $0.languageTag("language") }
        return patch
    }
}
