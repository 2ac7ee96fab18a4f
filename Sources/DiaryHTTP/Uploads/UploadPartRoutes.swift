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
            Route(.post, Self.path, limits: policies.writes, handler: open),
            Route(.get, Self.path, limits: policies.reads) { (context: MemberContext) in
                let (plan, arrived) = try await uploads.listParts.run(try context.id(), by: context.member)
                return Reply.json(capacity: 128 + arrived.count * 40) { w in
                    UploadPayload.write(plan, to: &w)
                    w.array("received", arrived) { w, part in
                        w.object {
                            $0.member("number", part.number)
                            $0.member("size_bytes", part.size)
                        }
                    }
                }
            },
            Route(.delete, Self.path, limits: policies.writes) { (context: MemberContext) in
                try await uploads.abortParts.run(try context.id(), by: context.member)
                return .noContent
            },
        ]
    }

    private func open(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        var query = context.query()
        let from = query.integer("from", in: 1...10_000) ?? 1
        let limit = query.integer("limit", in: 1...1_000) ?? 200
        try query.finish()
        let offer = try await uploads.openParts.run(id, from: from, limit: limit, by: context.member) { () async throws(DiaryError) in
            try await context.charge(policies.entries)
        }
        return Reply.json(capacity: 256 + offer.targets.count * 768) { w in
            UploadPayload.write(offer.plan, to: &w)
            w.member("received_count", offer.received)
            w.array("parts", offer.targets) { w, part in
                w.object { w in
                    w.member("number", part.number)
                    w.member("size_bytes", part.size)
                    UploadPayload.write(part.target, to: &w)
                }
            }
            w.member("next_number", offer.next)
        }
    }
}
