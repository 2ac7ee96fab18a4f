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
