import DiaryCore
import FoundationEssentials
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

/// The disk store's signed PUT of a recording, of a zip to be imported, or of a part of one. It needs no session: the URL's signature covers the object that may be sent.
struct ObjectUploadRoutes: Sendable {
    let uploads: UploadFeature
    let limits: Limits

    var routes: [Route] {
        [
            Route(.put, "/objects/{key+}", bodyLimit: max(limits.maxAudioBytes, limits.maxImportBytes)) { (context: AnonymousContext) in
                let exchange = context.exchange
                let digest = try await uploads.receive.run(
                    method: exchange.method.rawValue, path: exchange.rawPath, query: exchange.rawQuery ?? "",
                    headers: exchange.headers.map { (name: $0.name.rawName, value: $0.value) }, body: context.body)
                // After the signature was checked: the path alone could name any app.
                if let key = ObjectKey(path: try context.parameter("key")) { exchange.tenant.learn(key.tenant) }
                return Reply(.ok).with("x-amz-checksum-sha256", Data(digest).base64EncodedString()).with(.eTag, ContentTag.text(digest))
            }
        ]
    }
}
