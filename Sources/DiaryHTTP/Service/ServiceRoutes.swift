import DiaryCore
import HTTPTypes
import WireFormats

/// Health, configuration, contract and public keys of the service.
struct ServiceRoutes: Sendable {
    let limits: Limits
    let apps: AppLookup
    let policies: RatePolicies
    let service: ServiceDescription

    var routes: [Route] {
        [
            Route(.get, "/livez") { (_: AnonymousContext) in Reply.json { $0.member("status", "ok") } },
            Route(.get, "/readyz", handler: ready),
            Route(.get, "/openapi.yaml") { (_: AnonymousContext) in
                Reply.text(type: "application/yaml", service.openapi).with(.cacheControl, "public, max-age=300")
            },
            Route(.get, "/.well-known/jwks.json") { (_: AnonymousContext) in
                Reply.bytes(type: "application/jwk-set+json", Array(service.jwks().utf8)).with(.cacheControl, "public, max-age=300")
            },
            Route(.get, "/v1/config", handler: config),
        ]
    }

    /// Without Redis each process limits rates on its own and workers poll for jobs; without a worker recordings and mails wait.
    /// Requests are served either way.
    private static let optional: Set<String> = ["redis", "workers"]

    private func ready(_ context: AnonymousContext) async throws -> Reply {
        let checks = await service.readiness()
        let schema = service.schema()
        let isReady = schema.isUsable && checks.allSatisfy { $0.value != .down || Self.optional.contains($0.key) }
        let status = !isReady ? "unavailable" : checks.allSatisfy { $0.value == .ok } ? "ready" : "degraded"
        let reply = Reply.json(isReady ? .ok : .serviceUnavailable) { w in
            w.member("status", status)
            w.member("schema", schema.rawValue)
            w.member("checks") { w in
                for name in ["database", "keys", "redis", "storage", "workers"] {
                    w.member(JSONName(name), (checks[name] ?? .down).rawValue)
                }
            }
        }
        return isReady ? reply : reply.with(.retryAfter, "5")
    }

    private func config(_ context: AnonymousContext) async throws -> Reply {
        let json = context.exchange.environment.limits
        // Without a name, and with several apps, the configuration is the service's own.
        let app = try apps.isNamed(in: context) ? try await apps.tenant(of: context) : try await apps.onlyTenant()
        let own = app?.configuration ?? TenantConfiguration()
        return Reply.json { w in
            w.member("version", service.version)
            w.member("limits") { w in
                w.member("audio_max_bytes", own.maxAudioBytes(within: limits))
                w.member("audio_max_seconds", own.maxAudioSeconds(within: limits))
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
            w.member("speech") { $0.member("languages", service.languages.tags) }
            w.member("sign_in", signInMethods(app))
            w.member("flags") { w in
                for flag in own.flags {
                    switch flag.value {
                    case .flag(let value): w.member(JSONName(flag.name), value)
                    case .whole(let value): w.member(JSONName(flag.name), value)
                    case .text(let value): w.member(JSONName(flag.name), value)
                    }
                }
            }
            w.array("rate_policies", ratePolicies(of: app, context.exchange.environment)) { w, policy in
                w.object { RatePolicyPayload.write(policy, to: &$0) }
            }
        }
        .with(.cacheControl, "public, max-age=60").with(.vary, "Diary-App")
    }

    private func ratePolicies(of app: Tenant?, _ environment: RequestEnvironment) -> [RatePolicy] {
        guard let app else { return policies.all }
        return environment.appPolicies(environment.policies(policies.all, app.id), app.slug)
    }

    /// For an unknown app, what every app has.
    private func signInMethods(_ app: Tenant?) -> [String] {
        ["email"] + IdentityProvider.allCases.filter { app?.clientIDs(of: $0).isEmpty == false }.map(\.rawValue)
    }
}
