import DiaryCore
import HTTPTypes
import WireFormats

/// Corrections of what was recognised.
struct SegmentRoutes: Sendable {
    /// Unicode code points.
    static let textLength = 10_000
    /// That an import may have brought.
    static let labelLength = 200

    let entries: EntryFeature
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(.patch, "/v1/entries/{id}/segments/{segment}", limits: policies.writes, handler: correct),
            Route(.patch, "/v1/entries/{id}/speakers", limits: policies.writes, handler: name),
        ]
    }

    private func correct(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        let place = try context.parameter("segment")
        let condition = try EntryPrecondition.required(context)
        var f = try await context.mergePatch()
        let text = f.patchText("text", max: Self.textLength)
        let speaker = f.patchText("speaker", max: Self.labelLength)
        if !f.has("text"), !f.has("speaker") { f.refuse("text", "is required where speaker is left out") }
        try f.finish()
        // Ids have one spelling.
        guard let segment = Int(place), segment > 0, String(segment) == place else { throw DiaryError.notFound }
        let match = try await EntryPrecondition.match(condition, id, entries, context)
        switch try await entries.correct.run(
            id, segment: segment, text: text, speaker: speaker, matching: match, by: context.member)
        {
        case .written(let corrected):
            guard let segment = corrected.transcript.segments?.first(where: { $0.id == segment }) else { throw DiaryError.notFound }
            return Reply.json { SegmentPayload.write(segment, to: &$0) }.with(.eTag, VersionTag.text(corrected.version))
        case .conflict(let current): return EntryPrecondition.conflict(current, context)
        }
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
