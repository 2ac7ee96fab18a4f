import DiaryCore
import HTTPTypes
import WireFormats

/// Speaker profiles of an account.
struct SpeakerRoutes: Sendable {
    let speakers: SpeakerFeature
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(.get, "/v1/speakers", limits: policies.reads) { (context: MemberContext) in
                var query = context.query()
                try query.finish()
                let profiles = try await speakers.list(of: context.member)
                return Reply.json(capacity: 256 + profiles.count * 256) { $0.page(profiles, SpeakerProfilePayload.write) }
            },
            Route(.post, "/v1/speakers", limits: policies.writes, replays: policies.reads, handler: create),
            Route(.patch, "/v1/speakers/{id}", limits: policies.writes, handler: rename),
            Route(.delete, "/v1/speakers/{id}", limits: policies.writes) { (context: MemberContext) in
                try await speakers.delete(try context.id(), by: context.member)
                return .noContent
            },
        ]
    }

    private func create(_ context: MemberContext) async throws -> Reply {
        let key = try context.requestKey()
        var f = try await context.fields()
        let id: SpeakerID? = f.id("id")
        let name = f.requiredText("name", max: SpeakerFeature.nameLength)
        try f.finish()
        let (profile, replayed) = try await speakers.create.run(id, name: name, key: key, by: context.member)
        return Self.shown(profile, .created).replayed(replayed)
    }

    /// Without `If-Match` the last writer wins.
    private func rename(_ context: MemberContext) async throws -> Reply {
        let id: SpeakerID = try context.id()
        let condition = try context.ifMatch()
        var f = try await context.mergePatch()
        let name = f.requiredText("name", max: SpeakerFeature.nameLength)
        try f.finish()
        let versions: [Int64]? = if case .versions(let versions)? = condition { versions } else { nil }
        switch try await speakers.rename.run(id, to: name, matching: versions, by: context.member) {
        case .renamed(let profile): return Self.shown(profile)
        case .otherVersion(let profile):
            return Problem.reply(DiaryError(.preconditionFailed), to: context.exchange) { w in
                w.member("current_speaker") { SpeakerProfilePayload.write(profile, to: &$0) }
            }
            .with(.eTag, VersionTag.text(profile.version))
        }
    }

    private static func shown(_ profile: SpeakerProfile, _ status: HTTPResponse.Status = .ok) -> Reply {
        Reply.json(status) { SpeakerProfilePayload.write(profile, to: &$0) }.with(.eTag, VersionTag.text(profile.version))
    }
}

enum SpeakerProfilePayload {
    static func write(_ profile: SpeakerProfile, to w: inout JSONWriter) {
        w.member("id", profile.id)
        w.member("name", profile.deletedAt == nil ? profile.name : nil)
        w.member("created_at", profile.createdAt)
        w.member("updated_at", profile.updatedAt)
        w.member("deleted_at", profile.deletedAt)
        w.member("version", profile.version)
    }
}

/// What a recording calls one of its speakers.
enum SpeakerNamingFields {
    /// nil when it was refused, and then `finish` throws.
    static func read(_ f: inout Fields) -> CorrectSegments.SpeakerNaming? {
        // It is no object.
        guard f.errors.isEmpty else { return nil }
        let name = f.patchText("name", max: SpeakerFeature.nameLength)
        let profile: Patch<SpeakerID> = f.patchWord("speaker_id") { $0.id("speaker_id") }
        switch (f.has("name"), f.has("speaker_id")) {
        case (true, true): f.refuse("speaker_id", "cannot be combined with name")
        case (false, false): f.refuse("name", "is required where speaker_id is left out")
        case (true, false): return .name(name)
        case (false, true):
            switch profile {
            case .set(let id): return .profile(id)
            case .clear, .absent: return .withoutProfile
            }
        }
        return nil
    }
}
