import DiaryCore
import Testing

@Suite("The table of rate limits")
struct RatePoliciesTests {
    private static let declared = RatePolicies.standard.declared

    @Test("each limit has a name of its own")
    func names() {
        let names = Self.declared.map(\.policy.name)

        #expect(Set(names).count == names.count)
        #expect(Self.declared.allSatisfy { !$0.meaning.isEmpty })
    }

    @Test("all are shown but the guesses, which would say something about an account")
    func shown() {
        let policies = RatePolicies.standard

        #expect(policies.all == Self.declared.map(\.policy).filter { $0 != policies.guess && $0 != policies.guessDevices })
    }

    @Test("the factor widens every limit and no time", arguments: RatePolicies(times: 7).declared.indices)
    func factor(_ index: Int) throws {
        let wide = RatePolicies(times: 7).declared[index]
        let narrow = Self.declared[index]

        #expect(wide.policy.name == narrow.policy.name)
        switch (wide.policy.shape, narrow.policy.shape) {
        case (.rate(let limit, let window, let burst), .rate(let own, let ownWindow, let ownBurst)):
            #expect(limit == own * 7 && window == ownWindow && burst == ownBurst * 7)
        case (.quota(let limit, let window), .quota(let own, let ownWindow)): #expect(limit == own * 7 && window == ownWindow)
        case (.backoff(let free, let first, let longest), .backoff(let own, let ownFirst, let ownLongest)):
            #expect(free == own * 7 && first == ownFirst && longest == ownLongest)
        default: Issue.record("\(narrow.policy.name) changes its shape")
        }
    }

    @Test("what routes charge is what is declared")
    func routes() {
        let policies = RatePolicies(times: 3)
        let charged = [
            policies.register, policies.verify, policies.login, policies.codes, policies.challenge, policies.provider,
            policies.notifications, policies.mailEvents, policies.refresh, policies.credentials, policies.entries, policies.imports,
            policies.importZips,
            policies.exports,
            policies.exportMails, policies.downloads, policies.erasure,
            policies.reads, policies.writes, policies.searches, policies.links, [policies.guess, policies.guessDevices],
        ].flatMap { $0 }

        #expect(charged == policies.declared.map(\.policy))
    }

    @Test("every setting of an app that replaces a limit belongs to one limit, and replaces that one alone, for those it is counted for")
    func settings() throws {
        let policies = Self.declared.map(\.policy)
        let limits = TenantSetting.all.filter { setting in Self.declared.contains { $0.setting == setting } }
        #expect(limits.count == 12)
        for setting in limits {
            let owners = Self.declared.filter { $0.setting == setting }
            let owner = try #require(owners.first)
            #expect(owners.count == 1)
            var configuration = TenantConfiguration()
            try configuration.set(setting.name, to: "1")

            let forMembers = zip(configuration.policies(policies), policies).filter { $0 != $1 }.map(\.1.name)
            let before = zip(configuration.policies(policies, beforeSignInTo: "toukan"), policies).filter { $0 != $1 }.map(\.1.name)

            #expect(forMembers == (owner.subject == .member ? [owner.policy.name] : []))
            #expect(before == (owner.subject == .address ? [owner.policy.name] : []))
        }
    }

    @Test("the names of settings, which are stored, and their order do not change")
    func stored() {
        #expect(
            TenantSetting.all.map(\.name) == [
                "limits.entries_per_minute", "limits.entries_per_day", "limits.imports_per_day", "limits.import_zips_per_day",
                "limits.exports_per_day",
                "limits.reads_per_minute",
                "limits.writes_per_minute", "limits.register_per_hour", "limits.verify_per_minute", "limits.login_per_minute",
                "limits.codes_per_10_minutes", "limits.provider_per_minute", "limits.audio_max_bytes",
                "limits.audio_max_seconds", "limits.import_max_bytes", "limits.import_max_entries", "limits.upload_url_seconds",
                "limits.upload_window_seconds",
                "limits.engine_minutes_per_day", "limits.engine_tokens_per_day",
                "limits.engine_cost_per_day", "budget.cost_per_day", "limits.storage_bytes", "cleanup", "cleanup.extras", "cleanup.prompt",
                "speech.guess_speakers", "hosted_processing", "recordings.keep_original", "retention.tombstone_days",
                "recordings.retention_days",
                "recordings.retention_choice", "exports.link_seconds", "exports.keep_days", "exports.retention_days",
                "trash_days", "hosts", "cors_origins", "mail.provider", "mail.secret", "mail.region", "mail.configuration_set",
                "mail.webhook_key", "mail.topics", "mail.locale", "mail.color", "mail.logo", "mail.footer",
                "links.privacy", "links.terms", "links.support",
            ])
    }
}
