import DiaryCore
import HTTPTypes
import WireFormats

/// Playback: the signed address for the member, told or redirected to, and the recording behind it, which players read by ranges.
struct AudioRoutes: Sendable {
    let playback: PlaybackFeature
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(.get, "/v1/entries/{id}/audio", limits: policies.reads) { (context: MemberContext) in
                .redirect(to: try await playback.play.link(try context.id(), for: context.member).url)
            },
            Route(.get, "/v1/entries/{id}/audio-url", limits: policies.reads) { (context: MemberContext) in
                let link = try await playback.play.link(try context.id(), for: context.member)
                return Reply.json { w in
                    w.member("url", link.url)
                    w.member("expires_at", link.expiresAt)
                    w.member("content_type", link.contentType)
                    w.member("size_bytes", link.sizeBytes)
                }
            },
            Route(.get, "/audio/{tenant}/{user}/{object}/{filename}", handler: recording),
        ]
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
            size: found.size, type: found.contentType, disposition: .inline, filename: found.filename, tag: "\"\(object)\"",
            read: found.read
        ).reply(to: context.exchange)
    }
}
