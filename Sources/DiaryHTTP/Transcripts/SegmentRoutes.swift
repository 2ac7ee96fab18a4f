import DiaryCore
import HTTPTypes
import WireFormats

/// Corrections of what was recognised.
struct SegmentRoutes: Sendable {
    /// Unicode code points.
    static let textLength = 10_000
    /// That an import may have brought.
    static let labelLength = 200
    /// Changes of a request.
    static let most = 500

    let entries: EntryFeature
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(.patch, "/v1/entries/{id}/segments", limits: policies.writes, handler: correctSeveral),
            Route(.patch, "/v1/entries/{id}/segments/{segment}", limits: policies.writes, handler: correct),
            Route(.patch, "/v1/entries/{id}/speakers", limits: policies.writes, handler: name),
        ]
    }

    private func correct(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        let place = try context.parameter("segment")
        let condition = try EntryPrecondition.required(context)
        var f = try await context.mergePatch()
        let (text, speaker) = Self.correction(&f)
        try f.finish()
        // Ids have one spelling.
        guard let segment = Int(place), segment > 0, String(segment) == place else { throw DiaryError.notFound }
        let change = CorrectSegments.Change(segment: segment, text: text, speaker: speaker)
        let match = try await EntryPrecondition.match(condition, id, entries, context)
        switch try await entries.correct.run(id, change, matching: match, by: context.member) {
        case .written(let corrected):
            guard let segment = corrected.transcript.segments?.first(where: { $0.id == segment }) else { throw DiaryError.notFound }
            return Reply.json { SegmentPayload.write(segment, to: &$0) }.with(.eTag, VersionTag.text(corrected.version))
        case .conflict(let current): return EntryPrecondition.conflict(current, context)
        }
    }

    private func correctSeveral(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        let condition = try EntryPrecondition.required(context)
        var f = try await context.mergePatch()
        let changes = Self.changes(&f)
        try f.finish()
        let match = try await EntryPrecondition.match(condition, id, entries, context)
        switch try await entries.correct.run(id, changes, matching: match, by: context.member) {
        case .written(let corrected):
            let ids = Set(changes.map(\.segment))
            let segments = (corrected.transcript.segments ?? []).filter { $0.id.map { ids.contains($0) } ?? false }
            return Reply.json(capacity: 256 + segments.count * 1_024) { w in w.page(segments) { SegmentPayload.write($0, to: &$1) } }
                .with(.eTag, VersionTag.text(corrected.version))
        case .conflict(let current): return EntryPrecondition.conflict(current, context)
        }
    }

    private static func changes(_ f: inout Fields) -> [CorrectSegments.Change] {
        f.required("segments", []) { f -> [CorrectSegments.Change]? in
            guard let value = f.value("segments") else { return nil }
            guard case .array(let elements) = value, (1...most).contains(elements.count) else {
                f.refuse("segments", "must be an array of 1 to \(most) segments")
                return nil
            }
            var changes: [CorrectSegments.Change] = []
            for (index, element) in elements.enumerated() {
                var own = Fields(element, at: "\(f.pointer("segments"))/\(index)")
                let segment = own.required("id", 0) { $0.integer("id", in: 1...Int64(Int32.max)) }
                let (text, speaker) = correction(&own)
                if changes.contains(where: { $0.segment == segment }) { own.refuse("id", "must not be that of another in the list") }
                own.refuseOthers()
                f.errors.append(contentsOf: own.errors)
                changes.append(CorrectSegments.Change(segment: Int(clamping: segment), text: text, speaker: speaker))
            }
            return changes
        }
    }

    /// At least one of the two.
    private static func correction(_ f: inout Fields) -> (text: Patch<String>, speaker: Patch<String>) {
        let text = f.patchText("text", max: textLength)
        let speaker = f.patchText("speaker", max: labelLength)
        if !f.has("text"), !f.has("speaker") { f.refuse("text", "is required where speaker is left out") }
        return (text, speaker)
    }

    private func name(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        let condition = try EntryPrecondition.required(context)
        var f = try await context.mergePatch()
        var names: [String: CorrectSegments.SpeakerNaming] = [:]
        let (speakers, most) = (f.members.names, SegmentCorrections.mostSpeakers)
        for speaker in speakers.prefix(most) {
            if f.isNull(speaker) { f.refuse(speaker, "must be an object") }
            if let naming = f.nested(speaker, SpeakerNamingFields.read) { names[speaker] = naming }
        }
        if speakers.count > most { throw DiaryError.invalid("", "must have at most \(most) members") }
        try f.finish()
        let match = try await EntryPrecondition.match(condition, id, entries, context)
        switch try await entries.correct.run(id, speakers: names, matching: match, by: context.member) {
        case .written(let corrected):
            let transcript = corrected.transcript
            return Reply.json { w in
                w.page(transcript.speakers) { SpeakerPayload.write($0, of: transcript, to: &$1) }
            }
            .with(.eTag, VersionTag.text(corrected.version))
        case .conflict(let current): return EntryPrecondition.conflict(current, context)
        }
    }
}

enum SegmentPayload {
    static func write(_ segment: SpeechSegment, to w: inout JSONWriter) {
        w.member("id", segment.id)
        w.member("start", segment.start)
        w.member("end", segment.end)
        w.member("text", segment.shownText)
        w.member("is_edited", segment.isEdited)
        w.member("speaker", segment.shownSpeaker)
        w.member("confidence", segment.meanConfidence)
        w.member("marks", segment.shownMarks)
        w.array("words", segment.words) { w, word in
            w.object { w in
                w.member("text", word.text)
                w.member("start", word.start)
                w.member("end", word.end)
                w.member("confidence", word.confidence)
            }
        }
    }
}

enum SpeakerPayload {
    static func write(_ speaker: String, of transcript: Transcript, to w: inout JSONWriter) {
        w.member("id", speaker)
        w.member("name", transcript.corrections.speakers[speaker])
        w.member("speaker_id", transcript.corrections.profiles[speaker])
    }
}
