import DiaryCore
import HTTPTypes
import WireFormats

/// Playback: the signed address for the member, the waveform, and the recording behind the address, which players read by ranges; and the
/// removal of a recording.
struct AudioRoutes: Sendable {
    let playback: PlaybackFeature
    let retention: RetentionFeature
    let entries: EntryFeature
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(.get, "/v1/entries/{id}/audio/url", limits: policies.reads, handler: url),
            Route(.get, "/v1/entries/{id}/waveform", limits: policies.reads) { (context: MemberContext) in
                let drawn = try await playback.waveform.run(try context.id(), for: context.member)
                return Reply.json { w in
                    w.member("duration_s", drawn.durationSeconds)
                    w.member("peaks", drawn.waveform.peaks.map { Int($0) })
                }
            },
            Route(.delete, "/v1/entries/{id}/audio", limits: policies.writes, handler: remove),
            Route(.get, "/audio/{tenant}/{user}/{object}/{filename}", handler: recording),
        ]
    }

    private func url(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        var query = context.query()
        let original = query.bool("original") ?? false
        try query.finish()
        let link = try await playback.play.link(id, original: original, for: context.member)
        return Reply.json {
            SignedURLPayload.write(
                reading: link.url, until: link.expiresAt, filename: link.filename, contentType: link.contentType, sizeBytes: link.sizeBytes,
                to: &$0)
        }
    }

    private func remove(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        let match = try await EntryPrecondition.match(try context.ifMatch() ?? .any, id, entries, context)
        switch try await retention.remove.run(id, matching: match, by: context.member) {
        case .written(let entry): return EntryRoutes.entry(entry)
        case .conflict(let current): return EntryPrecondition.conflict(current, context)
        }
    }

    /// No limit of its own: a player may request many small ranges, and the signature covers one recording and its expiry.
    private func recording(_ context: AnonymousContext) async throws -> Reply {
        let tenant: TenantID = try context.id("tenant")
        let user: UserID = try context.id("user")
        let object: ObjectID = try context.id("object")
        let proof = try LinkProof(context)
        let found = try await playback.play.open(
            tenant: tenant, user: user, object: object, filename: try context.parameter("filename"), expires: proof.expires,
            signature: proof.signature)
        context.exchange.tenant.learn(tenant)
        return try await RangedContent(
            size: found.size, type: found.contentType, disposition: found.isRefused ? .attachment : .inline, filename: found.filename,
            tag: "\"\(object)\"", read: found.read
        ).reply(to: context.exchange)
    }
}
