import DiaryCore
import HTTPTypes
import WireFormats

/// Tags and moods of a diary as their owner sees them.
struct TagRoutes: Sendable {
    let tags: TagFeature
    let policies: RatePolicies

    var routes: [Route] {
        [
            Route(.get, "/v1/tags", limits: policies.reads) { (context: MemberContext) in
                var query = context.query()
                try query.finish()
                let found = try await tags.read.all(.tag, of: context.member)
                return Reply.json(capacity: 128 + found.count * 160) { $0.page(found, TagPayload.write) }
            },
            Route(.get, "/v1/moods", limits: policies.reads) { (context: MemberContext) in
                var query = context.query()
                try query.finish()
                let found = try await tags.read.all(.mood, of: context.member)
                return Reply.json(capacity: 128 + found.count * 128) { $0.page(found, TagPayload.writeUse) }
            },
            Route(.patch, "/v1/tags/{name}", limits: policies.writes, takesSlash: true) { (context: MemberContext) in
                let name = try TagFields.name(context)
                var f = try await context.mergePatch()
                let patch = TagFields.patch(&f)
                try f.finish()
                let tag = try await tags.change.run(name, patch, by: context.member)
                return Reply.json { TagPayload.write(tag, to: &$0) }
            },
            Route(.delete, "/v1/tags/{name}", limits: policies.writes, takesSlash: true) { (context: MemberContext) in
                let name = try TagFields.name(context)
                try context.refuseQuery()
                try await tags.change.remove(name, by: context.member)
                return .noContent
            },
        ]
    }
}

enum TagFields {
    /// 404 for what no entry can have.
    static func name(_ context: MemberContext) throws(DiaryError) -> String {
        let name = try context.parameter("name")
        guard name.unicodeScalars.count <= PersonalPart.tagLength, !name.utf8.contains(0), let tidied = PersonalPart.tidied([name]).first
        else { throw .notFound }
        return tidied
    }

    /// A merge patch (RFC 7396).
    static func patch(_ f: inout Fields) -> TagPatch {
        var patch = TagPatch()
        if f.has("name"), f.value("name") == nil { f.refuse("name", "cannot be cleared") }
        if let name = f.text("name", max: PersonalPart.tagLength, min: 1) {
            patch.name = PersonalPart.tidied([name]).first
            if patch.name == nil { f.refuse("name", "must not be blank") }
        }
        patch.color = f.patchWord("color") { (f: inout Fields) -> TagColor? in
            guard let text = f.text("color", max: 7) else { return nil }
            let color = TagColor(text)
            if color == nil { f.refuse("color", "must be # and six hex digits") }
            return color
        }
        return patch
    }
}

enum TagPayload {
    static func write(_ tag: LabelSummary, to w: inout JSONWriter) {
        writeUse(of: tag, to: &w)
        w.member("color", tag.color?.text)
    }

    static func writeUse(of tag: LabelSummary, to w: inout JSONWriter) {
        w.member("name", tag.name)
        w.member("count", tag.count)
        w.member("last_used_at", tag.lastUsedAt)
    }
}
