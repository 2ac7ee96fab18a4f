/// The limits of the service, each declared once, in `init`. What a route charges, the factor, the settings of apps that replace a
/// limit, and what `GET /v1/config` lists all follow from the declarations.
///
/// Every property is declared through `Table`, which lists it.
package struct RatePolicies: Sendable {
    /// The limits without a factor.
    package static let standard = RatePolicies()

    /// In the order of declaration.
    package let declared: [DeclaredRatePolicy]
    /// What `GET /v1/config` lists: the limits of routes. Guesses are no route's, so that they say nothing about an account.
    package let all: [RatePolicy]

    package let register: [RatePolicy]
    package let verify: [RatePolicy]
    package let login: [RatePolicy]
    package let codes: [RatePolicy]
    package let challenge: [RatePolicy]
    package let provider: [RatePolicy]
    package let notifications: [RatePolicy]
    package let mailEvents: [RatePolicy]
    package let refresh: [RatePolicy]
    package let credentials: [RatePolicy]
    package let entries: [RatePolicy]
    /// Charged by the number of new entries in a batch.
    package let imports: [RatePolicy]
    package let importZips: [RatePolicy]
    package let exports: [RatePolicy]
    package let exportMails: [RatePolicy]
    package let downloads: [RatePolicy]
    package let erasure: [RatePolicy]
    package let reads: [RatePolicy]
    package let writes: [RatePolicy]
    package let searches: [RatePolicy]
    package let links: [RatePolicy]
    package let guess: RatePolicy
    package let guessDevices: RatePolicy

    /// - Parameter factor: how many times as wide every limit is (`DIARY_RATE_FACTOR`).
    package init(times factor: Int = 1) {
        var table = Table(factor: factor)
        register = table.add(
            "register", .rate(limit: 10, window: 3600, burst: 10), per: .address, "sign-ups",
            .limit("limits.register_per_hour", 1...6_000, "sign-ups from one client address an hour, and at once"))
        verify = table.add(
            "verify", .rate(limit: 30, window: 60, burst: 30), per: .address, "codes of sign-ups tried",
            .limit("limits.verify_per_minute", 1...6_000, "codes of sign-ups tried from one client address a minute, and at once"))
        login = table.add(
            "login", .rate(limit: 30, window: 60, burst: 30), per: .address, "sign-ins and sign-ups by address, and new passwords",
            .limit("limits.login_per_minute", 1...6_000, "sign-ins, sign-ups, new passwords from one client address a minute, and at once"))
        codes = table.add(
            "codes", .rate(limit: 10, window: 600, burst: 10), per: .address, "mailed codes asked for",
            .limit(
                "limits.codes_per_10_minutes", 1...6_000, "mailed codes asked for from one client address in ten minutes, and at once"))
        challenge = table.add("challenge", .rate(limit: 60, window: 60, burst: 60), per: .address, "challenges")
        provider = table.add(
            "provider", .rate(limit: 30, window: 60, burst: 30), per: .address, "sign-ins by Apple or Google",
            .limit("limits.provider_per_minute", 1...6_000, "sign-ins by Apple or Google from one client address a minute, and at once"))
        // Apple sends them for all its users from few addresses.
        notifications = table.add("notifications", .rate(limit: 600, window: 60, burst: 600), per: .address, "Apple's notifications")
        // A busy provider sends a batch a second, from a few addresses.
        mailEvents = table.add(
            "mail-events", .rate(limit: 600, window: 60, burst: 600), per: .address, "reports of mail providers")
        // No setting of an app: the app is named inside the token, which is read after the limit is charged.
        refresh = table.add("refresh", .rate(limit: 60, window: 60, burst: 60), per: .address, "refreshed sessions")
        credentials = table.add(
            "credentials", .rate(limit: 30, window: 600, burst: 30), per: .member,
            "changes of password and address, proofs and codes for them, and new API tokens")
        entries =
            table.add(
                "entries", .rate(limit: 60, window: 60, burst: 60), per: .member, "new entries, and others whose work begins again",
                .limit(
                    "limits.entries_per_minute", 1...6_000,
                    "new entries, and others whose work begins again, of one person a minute, and at once"))
            + table.add(
                "entries-day", .quota(limit: 500, window: 86_400), per: .member, "new entries, and others whose work begins again",
                .limit("limits.entries_per_day", 1...1_000_000, "new entries, and others whose work begins again, of one person a day")
            )
        // A thousand old recordings at once, or one every 43 s; their processing is shared out fairly between accounts in any case.
        imports = table.add(
            "imports", .rate(limit: 2_000, window: 86_400, burst: 1_000), per: .member, "new entries in batches",
            .limit("limits.imports_per_day", 1...1_000_000, "new entries of one person in batches a day, and at once"))
        importZips = table.add(
            "import-zips-day", .quota(limit: 10, window: 86_400), per: .member, "zips to be imported",
            .limit("limits.import_zips_per_day", 1...1_000, "zips that one person may have imported a day"))
        exports = table.add(
            "exports-day", .quota(limit: 5, window: 86_400), per: .member, "new exports",
            .limit("limits.exports_per_day", 1...1_000, "exports of one person a day"))
        exportMails = table.add("export-mails", .rate(limit: 5, window: 3600, burst: 5), per: .member, "exports mailed again")
        // Each leaves an event, which is kept for 400 days.
        downloads = table.add(
            "downloads", .rate(limit: 30, window: 600, burst: 30), per: .member, "zips downloaded by their signed-in owner")
        // It tries the account's password.
        erasure = table.add("erasure", .rate(limit: 5, window: 600, burst: 5), per: .member, "requests to erase the account")
        reads = table.add(
            "reads", .rate(limit: 600, window: 60, burst: 600), per: .member, "reads",
            .limit("limits.reads_per_minute", 1...60_000, "reads of one person a minute, and at once"))
        writes = table.add(
            "writes", .rate(limit: 300, window: 60, burst: 300), per: .member, "changes to what is there already",
            .limit("limits.writes_per_minute", 1...60_000, "changes by one person a minute, and at once"))
        // A page takes a quarter of a second of a processor at most; a client may ask for one with each letter that is typed.
        searches = table.add(
            "searches", .rate(limit: 120, window: 60, burst: 60), per: .member, "pages of searches")
        links = table.add(
            "links", .rate(limit: 120, window: 60, burst: 120), per: .address, "mailed links: pages, downloads, ranges of zips")
        guess = table.addGuesses(
            "guesses", .backoff(free: 5, first: 1, longest: 900), "guesses of a password, per known device and for all unknown ones")
        // Wide enough for one user's many devices that each have an old password stored.
        guessDevices = table.addGuesses(
            "guess-devices", .rate(limit: 60, window: 3600, burst: 20), "guesses of a password on all known devices together")
        declared = table.rows
        all = table.rows.filter { $0.subject != .account }.map(\.policy)
    }

    /// The declarations so far.
    private struct Table {
        let factor: Int
        var rows: [DeclaredRatePolicy] = []

        /// - Returns: the one policy, as routes take them.
        mutating func add(
            _ name: String, _ shape: RatePolicy.Shape, per subject: DeclaredRatePolicy.Subject, _ meaning: String,
            _ setting: TenantSetting? = nil
        ) -> [RatePolicy] {
            [declare(name, shape, subject, meaning, setting)]
        }

        /// Limits of guesses: apps cannot change them, because they guard accounts.
        mutating func addGuesses(_ name: String, _ shape: RatePolicy.Shape, _ meaning: String) -> RatePolicy {
            declare(name, shape, .account, meaning, nil)
        }

        private mutating func declare(
            _ name: String, _ shape: RatePolicy.Shape, _ subject: DeclaredRatePolicy.Subject, _ meaning: String, _ setting: TenantSetting?
        ) -> RatePolicy {
            let policy = RatePolicy(name: name, shape: shape.widened(by: factor))
            rows.append(DeclaredRatePolicy(policy: policy, subject: subject, setting: setting, meaning: meaning))
            return policy
        }
    }
}

extension RatePolicies {
    /// The settings of apps that replace limits of members, by the limit's name.
    static let memberSettings = settings(per: .member)
    /// The settings of apps that replace limits before sign-in, by the limit's name.
    static let addressSettings = settings(per: .address)

    private static func settings(per subject: DeclaredRatePolicy.Subject) -> [String: TenantSetting] {
        standard.declared.reduce(into: [:]) { found, row in if row.subject == subject { found[row.policy.name] = row.setting } }
    }
}
