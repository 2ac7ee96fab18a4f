import DiaryCore
import HTTPTypes
import WireFormats

/// The transcript of an entry: the service's own JSON, and files for other programs.
struct TranscriptRoutes: Sendable {
    let entries: EntryFeature
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(.get, "/v1/entries/{id}/transcript", limits: policies.reads, handler: whole),
            Route(.get, "/v1/entries/{id}/transcript/file", limits: policies.reads, handler: file),
        ]
    }

    private func whole(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        var query = context.query()
        try query.finish()
        let transcript = try await entries.read.transcript(id, timed: true, for: context.member)
        try transcript.expectWords()
        return Self.named(Reply.json { WholeTranscript.write(transcript, to: &$0) }, transcript.entry, ending: "json")
    }

    private func file(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        var query = context.query()
        let name = query.text("format", max: 64)
        let format = TranscriptFormat.all.first { $0.name == name }
        if !query.has("format") { query.refuse("format", "is required") }
        if name != nil, format == nil { query.refuse("format", FieldFault.notOne(of: TranscriptFormat.all.map(\.name))) }
        let layer = query.choice("layer", of: TranscriptLayer.self)
        if layer != nil, format?.isTimed == true { query.refuse("layer", "belongs to txt and md") }
        try query.finish()
        guard let format else { throw DiaryError(.invalidFields) }
        let transcript = try await entries.read.transcript(id, timed: format.isTimed || layer == .corrected, for: context.member)
        try transcript.expectWords()
        let bytes =
            switch format.renderer {
            case .layer(let render): Array(render(transcript, (layer ?? .shown).text(of: transcript) ?? "").utf8)
            case .segments(let render): render(transcript, try transcript.recognized())
            }
        return Self.named(Reply.bytes(type: format.mediaType, bytes), transcript.entry, ending: format.fileExtension)
    }

    private static func named(_ reply: Reply, _ entry: Entry, ending: String) -> Reply {
        reply.with(.eTag, VersionTag.text(entry.version))
            // The stem has digits, hyphens and underscores only.
            .with(.contentDisposition, "attachment; filename=\"\(entry.facts.stem).\(ending)\"")
    }
}

/// Which of an entry's texts is meant.
enum TranscriptLayer: String, Sendable, CaseIterable {
    case raw, clean, edited
    /// What was recognised, with the owner's corrections: a line for each segment, with its speaker where several speak.
    case corrected
    /// The one to show.
    case shown

    func text(of transcript: Transcript) -> String? {
        let entry = transcript.entry
        return switch self {
        case .raw: entry.machine.raw
        case .clean: entry.machine.clean
        case .edited: entry.personal.edited
        case .corrected: transcript.correctedLines
        case .shown: entry.text
        }
    }
}
