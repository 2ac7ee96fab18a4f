import DiaryHTTP
import DiaryTesting
import FoundationEssentials
import HTTPTypes
import NIOCore
import WireFormats

@testable import DiaryCore

/// Operations that expose contexts, bodies and limits to the tests.
enum TestRoutes {
    static let limit = RatePolicy(name: "few", shape: .rate(limit: 2, window: 60, burst: 2))

    static let all: [Route] = [
        Route(.get, "/v1/open") { (_: AnonymousContext) in Reply.json { $0.member("ok", true) } },
        Route(.get, "/v1/me") { (context: MemberContext) in
            Reply.json { $0.member("user", context.member.user) }
        },
        Route(.get, "/v1/entries/{id}") { (context: MemberContext) in
            let id: EntryID = try context.id()
            return Reply.json { $0.member("id", id) }
        },
        Route(.delete, "/v1/entries/{id}") { (_: MemberContext) in .noContent },
        Route(.post, "/v1/entries", handler: create),
        Route(.get, "/v1/names/{name}", takesSlash: true) { (context: AnonymousContext) in
            let name = try context.parameter("name")
            return Reply.json { $0.member("name", name) }
        },
        Route(.get, "/v1/words/{word}") { (_: AnonymousContext) in .noContent },
        Route(.get, "/v1/list") { (context: AnonymousContext) in
            var q = context.query()
            let from = q.day("from")
            let limit = q.integer("limit", in: 1...100)
            let since = q.instant("since")
            try q.finish()
            return Reply.json {
                $0.member("from", from)
                $0.member("limit", limit)
                $0.member("since", since)
            }
        },
        Route(.post, "/v1/unread") { (_: AnonymousContext) in Reply.json { $0.member("ok", true) } },
        Route(.put, "/objects/{key+}", bodyLimit: 1 << 30) { (context: AnonymousContext) in
            let key = try context.parameter("key")
            var count = 0
            while let piece = try await context.body.next() { count += piece.count }
            return Reply.json {
                $0.member("key", key)
                $0.member("bytes", count)
            }
        },
        Route(.get, "/v1/known") { (_: AnonymousContext) in
            Reply.stream(type: "audio/mp4", length: 300_000, repeated(30_000, times: 10))
        },
        Route(.get, "/v1/unknown") { (_: AnonymousContext) in
            Reply.stream(type: "text/event-stream", length: nil, repeated(5, times: 3))
        },
        Route(.get, "/v1/short") { (_: AnonymousContext) in Reply.stream(type: "audio/mp4", length: 1000, repeated(10, times: 1)) },
        Route(.get, "/v1/boom") { (_: AnonymousContext) -> Reply in throw Boom(secret: "canary-in-an-error") },
        Route(.get, "/v1/down") { (_: AnonymousContext) -> Reply in throw DiaryError.unavailable(cause: "08006") },
        Route(.get, "/v1/limited", limits: [limit]) { (_: AnonymousContext) in .noContent },
    ]

    private static func repeated(_ piece: Int, times: Int) -> ArrayBody {
        ArrayBody([UInt8](repeating: 0x61, count: piece * times), chunk: piece)
    }

    static func create(_ context: AnonymousContext) async throws -> Reply {
        var f = try await context.fields()
        let id = f.uuid("id")
        let title: Patch<String> = f.patch("title") { $0.text("title", max: 20) }
        let kind = f.required("kind", EntryKind.text) { $0.choice("kind", of: EntryKind.self) }
        let recordedAt = f.instant("recorded_at")
        let day = f.day("day")
        let size = f.integer("size_bytes", in: 1...1000)
        let duration = f.number("duration_s", in: 0...14_400)
        let tags = f.texts("tags", maxCount: 3, maxEach: 5)
        let private_ = f.bool("private")
        let hash = f.hex("sha256", count: 32)
        let blob = f.base64("blob", max: 8)
        let place = f.nested("place") { $0.requiredText("name", max: 10) }
        try f.finish()
        return Reply.json(.created) { w in
            w.member("id", id)
            switch title {
            case .absent: w.member("title_state", "absent")
            case .clear: w.member("title_state", "clear")
            case .set(let text): w.member("title", text)
            }
            w.member("kind", kind.rawValue)
            w.member("recorded_at", recordedAt)
            w.member("day", day)
            w.member("size_bytes", size)
            w.member("duration_s", duration)
            w.member("tags", tags ?? [])
            w.member("private", private_)
            w.member("hash_bytes", hash?.count)
            w.member("blob_bytes", blob?.count)
            w.member("place", place)
        }
    }
}

struct Boom: Error { var secret: String }
