import DiaryCore
import HTTPTypes
import WireFormats

/// A recording in one request: a form with the field `file`, or the recording itself as the body.
struct FileUploadRoutes: Sendable {
    let uploads: UploadFeature
    let limits: Limits
    let policies: RatePolicies
    let prefix: PublicPrefix

    /// Bytes of a form beside its file.
    private static let formBytes: Int64 = 1 << 20

    var routes: [Route] {
        [
            Route(
                .post, "/upload", bodyLimit: limits.maxAudioBytes + Self.formBytes, limits: policies.entries, replays: policies.reads,
                handler: receive)
        ]
    }

    private func receive(_ context: MemberContext) async throws -> Reply {
        // Over the limits a repetition would be known only when its bytes have come.
        guard context.exchange.mayCreate else { throw DiaryError(.rateLimited) }
        var query = context.query()
        let recordedAt = query.instant("recorded_at")
        if let recordedAt, !EntryFacts.canBeRecorded(at: recordedAt) { query.refuse("recorded_at", "must lie in the years 1900 to 2199") }
        let name = query.text("filename", max: EntryMetadata.valueLength)
        try query.finish()
        let type = try context.header(.contentType)
        if let coding = try context.header(.contentEncoding), coding.lowercased() != "identity" {
            throw DiaryError(.unsupportedMediaType)
        }
        let received = try await uploads.receiveFile.run(recordedAt: recordedAt, by: context.member) {
            try await Self.open(context.body, type, name)
        }
        return Reply.json(.created) { w in
            w.member("memory_id", received.entry)
            w.member("status", received.hasFailed ? "failed" : "processing")
            w.member(
                "message",
                received.hasFailed ? "The audio was uploaded before and could not be read" : "Audio uploaded and processing enqueued")
        }
        .with(.location, prefix.path("/v1/entries/\(received.entry)")).replayed(received.isRepeated)
    }

    private static func open(_ body: IncomingBody, _ type: String?, _ name: String?) async throws -> SentFile {
        guard let type, let words = HeaderWords(type), words.value == "multipart/form-data" else {
            return try SentFile(body, contentType: type, name: name)
        }
        guard let reader = MultipartReader(boundary: words["boundary"] ?? "") else {
            throw DiaryError(.malformedRequest, fields: [.init("header/content-type", "has a boundary that is none")])
        }
        let form = FormFile(body, reader)
        let head = try await form.open()
        return try SentFile(form, contentType: head.contentType, name: name ?? head.filename)
    }
}
