import DiaryCore
import HTTPTypes

/// The transcript of an entry, one operation for each form.
struct TranscriptRoutes: Sendable {
    let entries: EntryFeature
    let policies: RatePolicies

    var routes: [Route] {
        TranscriptFormat.all.map { format in
            Route(.get, format.template, limits: policies.reads) { (context: MemberContext) in try await answer(format, context) }
        }
    }

    private func answer(_ format: TranscriptFormat, _ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        var query = context.query()
        var layer = TranscriptLayer.shown
        if case .layer = format.renderer { layer = query.choice("layer", of: TranscriptLayer.self) ?? .shown }
        try query.finish()
        let transcript = try await entries.read.transcript(id, timed: format.isTimed || layer == .corrected, for: context.member)
        let entry = transcript.entry
        let bytes =
            switch format.renderer {
            case .everything(let render): render(transcript)
            case .layer(let render): Array(render(transcript, layer.text(of: transcript) ?? "").utf8)
            case .segments(let render): render(transcript, try transcript.recognized())
            }
        return Reply.bytes(type: format.mediaType, bytes)
            .with(.eTag, VersionTag.text(entry.version))
            // The stem has digits, hyphens and underscores only.
            .with(.contentDisposition, "attachment; filename=\"\(entry.facts.stem).\(format.fileExtension)\"")
    }
}

/// Which of an entry's texts is meant.
enum TranscriptLayer: String, Sendable, CaseIterable {
    case raw, clean, edited
    /// What was recognised, with the owner's corrections: a line for each segment, with its speaker where several speak.
    case corrected
    /// The one to show: edited before clean before raw.
    case shown

    func text(of transcript: Transcript) -> String? {
        let entry = transcript.entry
        return switch self {
        case .raw: entry.machine.raw
        case .clean: entry.machine.clean
        case .edited: entry.personal.edited
        case .corrected: transcript.segments.map { Self.lines(of: $0, labels: transcript.speakerLabels) }
        case .shown: entry.text
        }
    }

    private static func lines(of segments: [SpeechSegment], labels: [String: String]) -> String {
        segments.compactMap { segment -> String? in
            let text = SingleLine.text(segment.shownText)
            guard !text.isEmpty else { return nil }
            return (segment.shownSpeaker.flatMap { labels[$0] }.map { "\($0): " } ?? "") + text
        }.joined(separator: "\n")
    }
}
