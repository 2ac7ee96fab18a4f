import DiaryCore
import HTTPTypes
import WireFormats

/// The upload of an entry's recording: a new address for it, and its end.
struct UploadRoutes: Sendable {
    let uploads: UploadFeature
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(.post, "/v1/entries/{id}/upload-url", limits: policies.writes, counted: policies.entries) { (context: MemberContext) in
                let renewed = try await uploads.reissue.run(try context.id(), by: context.member) { () async throws(DiaryError) in
                    try await context.charge(1)
                }
                return Reply.json { w in
                    w.member("entry") { EntryPayload.write(renewed.entry, to: &$0) }
                    w.member("upload") { UploadPayload.write(renewed.upload, to: &$0) }
                }
                .with(.eTag, VersionTag.text(renewed.entry.version))
            },
            Route(.post, "/v1/entries/{id}/complete", limits: policies.writes) { (context: MemberContext) in
                EntryRoutes.entry(try await uploads.complete.run(try context.id(), by: context.member), .accepted)
            },
        ]
    }
}
