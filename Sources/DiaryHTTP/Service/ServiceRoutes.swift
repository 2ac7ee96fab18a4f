import DiaryCore
import HTTPTypes
import WireFormats

/// Health, configuration and public keys of the service.
struct ServiceRoutes: Sendable {
    let limits: Limits
    let apps: AppLookup
    let engines: EngineFeature
    let policies: RatePolicies
    let service: ServiceDescription

    var routes: [Route] {
        [
            Route(.get, "/livez") { (_: AnonymousContext) in Reply.json { $0.member("status", "ok") } },
            Route(.get, "/readyz", handler: ready),
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
        // Where no app is meant, the configuration is the service's own.
        let app = try await apps.tenantIfAny(of: context)
        let own = app?.configuration ?? TenantConfiguration()
        let (offer, languages) = try await engines.list(app?.id)
        return Reply.json { w in
            w.member("version", service.version)
            AppPayload.write(app, to: &w)
            w.member("limits") { w in
                w.member("audio_max_bytes", own.maxAudioBytes(within: limits))
                w.member("audio_max_seconds", own.maxAudioSeconds(within: limits))
                w.member("import_max_bytes", own.maxImportBytes(within: limits))
                w.member("import_max_entries", own.maxImportEntries(within: limits))
                w.member("json_max_bytes", json.jsonBytes)
                w.member("batch_max_bytes", BatchFields.bytes)
                w.member("batch_operations_max", BatchOperation.most)
                w.member("text_max_characters", PersonalText.text.length)
                w.member("title_max_characters", PersonalText.title.length)
                w.member("tags_max", PersonalPart.tagCount)
                w.member("tag_max_characters", PersonalPart.tagLength)
                for text in PersonalText.remarks { w.member(JSONName("\(text.name)_max_characters"), text.length) }
                w.member("notes_max", EntryNote.most)
                w.member("note_max_characters", EntryNote.length)
                w.member("page_max", ListFields.limit.upperBound)
                w.member("upload_url_seconds", own.uploadURLSeconds(within: limits))
                w.member("upload_window_seconds", own.uploadWindowSeconds(within: limits))
                w.member("upload_parts_from_bytes", PartPlan.fromBytes)
                w.member("upload_parts_open_max", PartPlan.openMost)
                w.member("playback_url_seconds", limits.playbackURLSeconds)
                w.member("export_link_seconds", own.exportLinkSeconds(within: limits))
                w.member("export_keep_days", own.exportKeepDays)
                w.member("export_downloads", limits.exportDownloads)
                w.member("idempotency_seconds", limits.idempotencySeconds)
                w.member("tombstone_days", own.tombstoneDays)
                w.member("trash_days", own.trashDays ?? 0)
                w.member("recordings_retention_days", own.recordingsRetentionDays)
                w.member("code_seconds", limits.codeSeconds)
                w.member("code_tries", limits.codeTries)
                w.member("storage_max_bytes", own.usageLimits.storageBytes)
                w.member("engine_minutes_per_day", own.usageLimits.minutesPerDay)
                w.member("engine_tokens_per_day", own.usageLimits.tokensPerDay)
                w.member("engine_cost_per_day", own.usageLimits.costPerDay)
                w.member("access_token_seconds", limits.accessTokenSeconds)
                w.member("refresh_idle_seconds", limits.refreshIdleSeconds)
                w.member("refresh_max_seconds", limits.refreshAbsoluteSeconds)
            }
            w.member("audio_formats", AudioFormat.allCases.map(\.rawValue))
            w.member("keeps_originals", own.keepsOriginals)
            w.member("transcript_formats", TranscriptFormat.all.map(\.name))
            w.member("speech") { w in
                w.member("languages", languages.tags)
                w.array("engines", offer.speech, EngineOptionPayload.write)
            }
            w.member("text") { $0.array("engines", offer.text, EngineOptionPayload.write) }
            w.member("hosted_processing", own.hostedProcessing.rawValue)
            w.member("recordings_retention_choice", own.allowsOwnRetention)
            w.member("sign_in", signInMethods(app))
            w.member("flags") { AppPayload.writeFlags(own, to: &$0) }
            w.array("rate_policies", ratePolicies(of: app, context.exchange.environment)) { w, policy in
                w.object { RatePolicyPayload.write(policy, to: &$0) }
            }
        }
        .with(.cacheControl, "public, max-age=60").with(.vary, "Diary-App")
    }

    private func ratePolicies(of app: Tenant?, _ environment: RequestEnvironment) -> [RatePolicy] {
        guard let app else { return policies.all }
        return environment.appPolicies(environment.policies(policies.all, app.id), AppReference(slug: app.slug))
    }

    /// For an unknown app, what every app has.
    private func signInMethods(_ app: Tenant?) -> [String] {
        ["email"] + IdentityProvider.allCases.filter { app?.clientIDs(of: $0).isEmpty == false }.map(\.rawValue)
    }
}

enum EngineOptionPayload {
    static func write(_ w: inout JSONWriter, _ option: EngineOffer.Option) {
        w.object { w in
            w.member("name", option.name)
            w.member("hosted", option.isHosted)
        }
    }
}

enum RatePolicyPayload {
    static func write(_ policy: RatePolicy, to w: inout JSONWriter) {
        w.member("name", policy.name)
        switch policy.shape {
        case .rate(let limit, let window, let burst):
            w.member("kind", "rate")
            w.member("limit", limit)
            w.member("window_s", window)
            w.member("burst", burst)
        case .backoff(let free, let first, let longest):
            w.member("kind", "backoff")
            w.member("limit", free)
            w.member("window_s", longest)
            w.member("burst", first)
        case .quota(let limit, let window):
            w.member("kind", "quota")
            w.member("limit", limit)
            w.member("window_s", window)
            w.member("burst", limit)
        }
    }
}
