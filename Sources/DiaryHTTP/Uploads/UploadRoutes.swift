import DiaryCore
import FoundationEssentials
import HTTPTypes
import WireFormats

/// Files that are waited for, recordings and zips to be imported: a new address, parts, and the end of an upload. `{id}` is that of the
/// entry or of the import.
struct UploadRoutes: Sendable {
    let uploads: UploadFeature
    let imports: ImportFeature
    let policies: RatePolicies

    private static let parts = "/v1/uploads/{id}/parts"

    var routes: [Route] {
        [
            Route(.post, "/v1/uploads/{id}/url", limits: policies.writes, counted: policies.entries, handler: renew),
            Route(.post, Self.parts, limits: policies.writes, counted: policies.entries, handler: open),
            Route(.get, Self.parts, limits: policies.reads) { (context: MemberContext) in
                let (plan, arrived) = try await either(
                    context, entry: { try await uploads.listParts.run($0, by: context.member) },
                    zip: { try await imports.parts.list($0, by: context.member) })
                return PartsPayload.arrived(arrived, of: plan)
            },
            Route(.delete, Self.parts, limits: policies.writes) { (context: MemberContext) in
                try await either(
                    context, entry: { try await uploads.abortParts.run($0, by: context.member) },
                    zip: { try await imports.parts.abort($0, by: context.member) })
                return .noContent
            },
            Route(.post, "/v1/uploads/{id}/complete", limits: policies.writes) { (context: MemberContext) in
                let state: UploadedFile = try await either(
                    context, entry: { .recording(context.shown(try await uploads.complete.run($0, by: context.member))) },
                    zip: { .zip(try await imports.complete.run($0, by: context.member)) })
                return Reply.json(.accepted) { state.write(to: &$0) }
            },
        ]
    }

    private func renew(_ context: MemberContext) async throws -> Reply {
        let (state, target): (UploadedFile, UploadTarget) = try await either(
            context,
            entry: { id in
                let renewed = try await uploads.reissue.run(id, by: context.member) { () async throws(DiaryError) in
                    try await context.charge(1)
                }
                return (.recording(context.shown(renewed.entry)), renewed.upload)
            },
            zip: { id in
                let renewed = try await imports.create.renew(id, by: context.member)
                return (.zip(renewed.import), renewed.upload)
            })
        return Reply.json { w in
            w.member("upload") { SignedURLPayload.write(target, to: &$0) }
            state.write(to: &w)
        }
    }

    private func open(_ context: MemberContext) async throws -> Reply {
        var query = context.query()
        let from = query.integer("from", in: 1...10_000) ?? 1
        let limit = query.integer("limit", in: 1...1_000) ?? 200
        try query.finish()
        let offer: OpenParts.Offer = try await either(
            context,
            entry: { id in
                try await uploads.openParts.run(id, from: from, limit: limit, by: context.member) { () async throws(DiaryError) in
                    try await context.charge(1)
                }
            },
            zip: { id in try await imports.parts.open(id, from: from, limit: limit, by: context.member) })
        return PartsPayload.offer(offer)
    }

    /// An id names an entry or an import; entries are searched first.
    private func either<Value>(
        _ context: MemberContext, entry: (EntryID) async throws -> Value, zip: (ImportID) async throws -> Value
    ) async throws -> Value {
        do { return try await entry(try context.id()) } catch let error as DiaryError where error.code == .notFound {
            return try await zip(try context.id())
        }
    }
}

/// What a file belongs to, as it is now.
private enum UploadedFile: Sendable {
    case recording(Entry)
    case zip(Import)

    func write(to w: inout JSONWriter) {
        switch self {
        case .recording(let entry): w.member("entry") { EntryPayload.write(entry, to: &$0) }
        case .zip(let found): w.member("import") { ImportPayload.write(found, to: &$0) }
        }
    }
}

/// A file that is sent in parts.
enum PartsPayload {
    static func write(_ plan: PartPlan, to w: inout JSONWriter) {
        w.member("part_size", plan.partSize)
        w.member("part_count", plan.count)
    }

    static func arrived(_ parts: [ArrivedPart], of plan: PartPlan) -> Reply {
        Reply.json(capacity: 192 + parts.count * 40) { w in
            write(plan, to: &w)
            w.page(parts) { part, w in
                w.member("number", part.number)
                w.member("size_bytes", part.size)
            }
        }
    }

    static func offer(_ offer: OpenParts.Offer) -> Reply {
        Reply.json(capacity: 256 + offer.targets.count * 768) { w in
            write(offer.plan, to: &w)
            w.member("received_count", offer.received)
            w.array("parts", offer.targets) { w, part in
                w.object { w in
                    w.member("number", part.number)
                    w.member("size_bytes", part.size)
                    SignedURLPayload.write(part.target, to: &w)
                }
            }
            w.member("next_number", offer.next)
        }
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
