package import DiaryCore

/// Every operation of the API. A route parses, calls use cases (one, as a rule) and renders; rules are in the use cases.
package struct DiaryRoutes: Sendable {
    private let routes: [Route]

    /// - Parameter publicURL: without a slash at its end; its path, when it has one, starts the paths in `Location`.
    package init(
        features: DiaryFeatures, service: ServiceDescription, limits: Limits, policies: RatePolicies = RatePolicies(), publicURL: String
    ) {
        let prefix = PublicPrefix(publicURL)
        let apps = AppLookup(tenants: features.tenants)
        let groups: [[Route]] = [
            ServiceRoutes(limits: limits, apps: apps, engines: features.engines, policies: policies, service: service).routes,
            FlagRoutes(apps: apps).routes,
            DocsRoutes(contract: service.contract, publicURL: publicURL).routes,
            ProblemRoutes(prefix: prefix).routes,
            SignInRoutes(signIn: features.signIn, apps: apps, policies: policies).routes,
            MailedCodeRoutes(signIn: features.signIn, account: features.account, apps: apps, policies: policies).routes,
            ProviderRoutes(identities: features.identities, apps: apps, policies: policies, prefix: prefix).routes,
            MailFeedbackRoutes(feedback: features.mailFeedback, policies: policies).routes,
            AccountRoutes(account: features.account, policies: policies).routes,
            CredentialRoutes(account: features.account, policies: policies).routes,
            SessionRoutes(account: features.account, policies: policies).routes,
            APITokenRoutes(tokens: features.apiTokens, policies: policies).routes,
            ErasureRoutes(erasure: features.erasure, policies: policies, prefix: prefix).routes,
            EntryRoutes(entries: features.entries, policies: policies, prefix: prefix).routes,
            PromptRoutes(prompts: features.prompts, policies: policies).routes,
            OnThisDayRoutes(entries: features.entries, policies: policies).routes,
            TagRoutes(tags: features.tags, policies: policies).routes,
            NoteRoutes(entries: features.entries, policies: policies).routes,
            RevisionRoutes(entries: features.entries, policies: policies).routes,
            TranscriptRoutes(entries: features.entries, policies: policies).routes,
            ClientWordsRoutes(entries: features.entries, policies: policies).routes,
            SegmentRoutes(entries: features.entries, policies: policies).routes,
            SpeakerRoutes(speakers: features.speakers, policies: policies).routes,
            UploadRoutes(uploads: features.uploads, imports: features.imports, policies: policies).routes,
            FileUploadRoutes(uploads: features.uploads, limits: limits, policies: policies, prefix: prefix).routes,
            ObjectUploadRoutes(uploads: features.uploads, limits: limits).routes,
            AudioRoutes(
                playback: features.playback, retention: features.retention, entries: features.entries, policies: policies
            ).routes,
            SearchRoutes(search: features.search, policies: policies).routes,
            TrashRoutes(trash: features.trash, policies: policies).routes,
            ExportRoutes(exports: features.exports, policies: policies, prefix: prefix).routes,
            BundleRoutes(exports: features.exports, policies: policies).routes,
            ImportRoutes(imports: features.imports, policies: policies, prefix: prefix).routes,
            ScheduleRoutes(schedules: features.exportSchedules, policies: policies, prefix: prefix).routes,
            UnsubscribeRoutes(schedules: features.exportSchedules, policies: policies, prefix: prefix).routes,
            ExportLinkRoutes(exports: features.exports, policies: policies, prefix: prefix).routes,
        ]
        routes = groups.flatMap { $0 }
    }

    package func table() -> RouteTable { RouteTable(routes) }
}
