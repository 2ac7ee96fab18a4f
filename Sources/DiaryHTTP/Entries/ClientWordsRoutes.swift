import DiaryCore
import HTTPTypes
import WireFormats

/// Words that a client has recognised itself, and recordings that stayed on its device.
struct ClientWordsRoutes: Sendable {
    let entries: EntryFeature
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(
                .put, "/v1/entries/{id}/transcript", bodyLimit: BatchFields.bytes, limits: policies.writes, counted: policies.entries,
                handler: giveTranscript),
            Route(.post, "/v1/entries/{id}/audio", limits: policies.writes, counted: policies.entries, handler: announce),
        ]
    }

    private func giveTranscript(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        var f = try await context.fields()
        let words = TranscriptFields.read(&f)
        let recognise = f.choice("recognise", of: Recognition.self) ?? .always
        try f.finish()
        let entry = try await entries.giveTranscript.run(
            id, words, recognise: recognise, by: context.member
        ) { () async throws(DiaryError) in
            try await context.charge(1)
        }
        return EntryRoutes.entry(entry)
    }

    private func announce(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        var f = try await context.fields()
        let recording = AnnouncedRecording(
            sizeBytes: f.required("size_bytes", 0) { $0.integer("size_bytes") }, contentType: f.requiredText("content_type", max: 100),
            durationSeconds: f.number("duration_s"), sha256: f.hex("sha256", count: 32),
            allowsDuplicate: f.bool("allow_duplicate") ?? false, wantsParts: f.bool("parts") ?? false)
        try f.finish()
        let announced = try await entries.announce.run(id, recording, by: context.member) { () async throws(DiaryError) in
            try await context.charge(1)
        }
        return Reply.json { w in
            w.member("upload") { SignedURLPayload.write(announced.upload, to: &$0) }
            w.member("entry") { EntryPayload.write(announced.entry, to: &$0) }
        }
        .with(.eTag, VersionTag.text(announced.entry.version))
    }
}

/// A transcript in a request.
enum TranscriptFields {
    /// Seconds.
    private static let times: ClosedRange<Double> = 0...1_000_000

    static func read(_ f: inout Fields) -> ClientTranscript {
        let faults = f.errors.count
        var words = ClientTranscript(
            text: f.required("text", "") { $0.text("text", max: PersonalText.text.length) }, language: f.languageTag("language"),
            source: f.filledText("source", max: ClientTranscript.sourceLength))
        if let source = words.source, !OneLineText.accepts(source) { f.refuse("source", "must be one line without control characters") }
        words.segments = segments(&f)
        if f.errors.count == faults, !words.isConsistent { f.refuse("segments", "must have the words of text") }
        return words
    }

    private static func segments(_ f: inout Fields) -> [ClientTranscript.Segment] {
        guard let value = f.value("segments") else { return [] }
        guard case .array(let elements) = value, elements.count <= ClientTranscript.mostSegments else {
            f.refuse("segments", "must be an array of at most \(ClientTranscript.mostSegments) segments")
            return []
        }
        var segments: [ClientTranscript.Segment] = []
        for (index, element) in elements.enumerated() {
            var own = Fields(element, at: "\(f.pointer("segments"))/\(index)")
            let segment = ClientTranscript.Segment(
                start: own.required("start", 0) { $0.number("start", in: times) },
                end: own.required("end", 0) { $0.number("end", in: times) },
                text: own.requiredText("text", max: ClientTranscript.segmentLength, min: 0),
                confidence: own.number("confidence", in: 0...1))
            if own.errors.isEmpty, segment.end < segment.start { own.refuse("end", "must not be before start") }
            if own.errors.isEmpty, let before = segments.last, segment.start < before.start {
                own.refuse("start", "must not be before the start of the segment before")
            }
            own.refuseOthers()
            f.errors.append(contentsOf: own.errors)
            segments.append(segment)
        }
        return segments
    }
}

/// What becomes of the sound of a new recording.
enum AudioPlace: String, CaseIterable {
    case upload, device
}
