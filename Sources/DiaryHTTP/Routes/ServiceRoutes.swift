import DiaryCore
import HTTPTypes

/// What the service says of itself.
struct ServiceRoutes: Sendable {
    let limits: Limits
    let policies: RatePolicies
    let apps: AppLookup
    let openapi: String
    let version: String
    let readiness: @Sendable () async -> [String: Bool]
    let jwks: @Sendable () -> String

    var routes: [Route] {
        [
            Route(.get, "/livez") { (_: AnonymousContext) in Reply.json { $0.member("status", "ok") } },
            Route(.get, "/readyz", handler: ready),
            Route(.get, "/openapi.yaml") { (_: AnonymousContext) in
                Reply.text(type: "application/yaml", openapi).with(.cacheControl, "public, max-age=300")
            },
            Route(.get, "/.well-known/jwks.json") { (_: AnonymousContext) in
                Reply.bytes(type: "application/jwk-set+json", Array(jwks().utf8)).with(.cacheControl, "public, max-age=300")
            },
            Route(.get, "/v1/config", handler: config),
        ]
    }

    /// Without Redis the service limits in its own process and polls for work: slower, and still ready.
    private func ready(_ context: AnonymousContext) async throws -> Reply {
        let checks = await readiness()
        let down = Set(checks.filter { !$0.value }.keys)
        let isReady = down.subtracting(["redis"]).isEmpty
        let status = down.isEmpty ? "ready" : isReady ? "degraded" : "unavailable"
        let reply = Reply.json(isReady ? .ok : .serviceUnavailable) { w in
            w.member("status", status)
            w.member("checks") { w in
                for name in ["database", "keys", "redis", "storage"] { w.member(JSONName(name), checks[name] == true ? "ok" : "down") }
            }
        }
        return isReady ? reply : reply.with(.retryAfter, "5")
    }

    private func config(_ context: AnonymousContext) async throws -> Reply {
        let json = context.exchange.services.limits
        let ways = try await waysIn(context)
        return Reply.json { w in
            w.member("version", version)
            w.member("limits") { w in
                w.member("audio_max_bytes", limits.maxAudioBytes)
                w.member("audio_max_seconds", limits.maxAudioSeconds)
                w.member("json_max_bytes", json.jsonBytes)
                w.member("text_max_characters", EntryFields.textLength)
                w.member("title_max_characters", EntryFields.titleLength)
                w.member("tags_max", EntryFields.tagCount)
                w.member("tag_max_characters", EntryFields.tagLength)
                w.member("mood_max_characters", EntryFields.moodLength)
                w.member("page_max", PageFields.limit.upperBound)
                w.member("upload_url_seconds", limits.uploadURLSeconds)
                w.member("playback_url_seconds", limits.playbackURLSeconds)
                w.member("export_link_seconds", limits.exportLinkSeconds)
                w.member("export_downloads", limits.exportDownloads)
            }
            w.member("audio_formats", AudioFormat.allCases.map(\.rawValue))
            w.member("transcript_formats", TranscriptFormat.allCases.map(\.rawValue))
            w.member("sign_in", ways)
            w.array("rate_policies", policies.all) { w, policy in w.object { RatePolicyPayload.write(policy, to: &$0) } }
        }
        .with(.cacheControl, "public, max-age=60").with(.vary, "Diary-App")
    }

    /// Of the app that asks. Where it does not say which it is and there are several, what every app has.
    private func waysIn(_ context: AnonymousContext) async throws -> [String] {
        let isNamed = try FieldNames.diaryApp.flatMap { name throws(DiaryError) in try context.header(name) } != nil
        do {
            let app = try await apps.tenant(of: context)
            return ["email"] + IdentityProvider.allCases.filter { !app.clientIDs(of: $0).isEmpty }.map(\.rawValue)
        } catch let error as DiaryError where error.code == .appUnknown && !isNamed {
            return ["email"]
        }
    }
}
