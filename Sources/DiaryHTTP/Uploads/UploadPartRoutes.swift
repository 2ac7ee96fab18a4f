import DiaryCore
import HTTPTypes
import WireFormats

/// Recordings that are sent in parts: URLs of the parts that are missing, what has arrived, and the end of an attempt.
struct UploadPartRoutes: Sendable {
    let uploads: UploadFeature
    let policies: RatePolicies

    private static let path = "/v1/entries/{id}/upload-parts"

    var routes: [Route] {
        [
            Route(.post, Self.path, limits: policies.writes, counted: policies.entries, handler: open),
            Route(.get, Self.path, limits: policies.reads) { (context: MemberContext) in
                let (plan, arrived) = try await uploads.listParts.run(try context.id(), by: context.member)
                return UploadPayload.received(plan, arrived)
            },
            Route(.delete, Self.path, limits: policies.writes) { (context: MemberContext) in
                try await uploads.abortParts.run(try context.id(), by: context.member)
                return .noContent
            },
        ]
    }

    private func open(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        let asked = try UploadPartFields.read(context)
        let offer = try await uploads.openParts.run(
            id, from: asked.from, limit: asked.limit, by: context.member
        ) { () async throws(DiaryError) in try await context.charge(1) }
        return UploadPayload.offer(offer)
    }
}

/// The query of a request for URLs of parts.
enum UploadPartFields {
    static func read(_ context: MemberContext) throws(DiaryError) -> (from: Int, limit: Int) {
        var query = context.query()
        let from = query.integer("from", in: 1...10_000) ?? 1
        let limit = query.integer("limit", in: 1...1_000) ?? 200
        try query.finish()
        return (from, limit)
    }
}
