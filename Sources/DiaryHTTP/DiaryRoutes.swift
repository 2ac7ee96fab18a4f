package import DiaryCore

/// Every operation of the API. Routes parse, call one use case and render; what they may not decide lies in the use cases.
package struct DiaryRoutes: Sendable {
    private let routes: [Route]

    /// - Parameters:
    ///   - providers: sign-in by Apple and Google.
    ///   - publicURL: without a slash at its end; its path, when it has one, starts the paths in `Location`.
    ///   - openapi: the text of openapi.yaml.
    ///   - readiness: checks by name (`database`, `keys`, `redis`, `storage`); only `redis` may be down in a ready server.
    ///   - jwks: the public keys of access tokens as a JWK set.
    ///   - passwordFault: what is wrong with a new password, given the account's own words; nil when it is good.
    package init(
        register: RegisterByEmail, verify: VerifyEmail, resend: ResendCode, signIn: SignInByPassword, rotate: RotateSession,
        life: AccountLife, providers: ProviderUses, profile: ReadProfile, erase: EraseAccount, deletion: ReadDeletion,
        start: StartEntry, read: ReadEntries, edit: EditEntry, delete: DeleteEntry, reissue: ReissueUpload, complete: CompleteUpload,
        retry: RetryEntry,
        receive: ReceiveUpload, play: PlayRecording,
        requestExport: RequestExport, exports: any ExportStore, download: DownloadExport,
        tenants: any TenantStore, limits: Limits, policies: RatePolicies = RatePolicies(), publicURL: String, openapi: String,
        version: String,
        readiness: @escaping @Sendable () async -> [String: Bool], jwks: @escaping @Sendable () -> String,
        passwordFault: @escaping @Sendable (_ password: String, _ context: [String]) -> String?
    ) {
        let prefix = PublicPrefix(publicURL)
        let apps = AppLookup(tenants: tenants)
        routes =
            ServiceRoutes(
                limits: limits, apps: apps, policies: policies, openapi: openapi, version: version, readiness: readiness, jwks: jwks
            ).routes
            + ProviderRoutes(uses: providers, apps: apps, policies: policies, prefix: prefix).routes
            + SignInRoutes(
                register: register, verify: verify, resend: resend, signIn: signIn, rotate: rotate, life: life, apps: apps,
                policies: policies, passwordFault: passwordFault
            ).routes
            + MailedCodeRoutes(life: life, apps: apps, policies: policies, passwordFault: passwordFault).routes
            + AccountRoutes(profile: profile, life: life, policies: policies).routes
            + CredentialRoutes(life: life, policies: policies).routes
            + SessionRoutes(life: life, policies: policies).routes
            + ErasureRoutes(erase: erase, deletion: deletion, policies: policies, prefix: prefix).routes
            + EntryRoutes(
                start: start, read: read, edit: edit, delete: delete, reissue: reissue, complete: complete, retry: retry, limits: limits,
                policies: policies, prefix: prefix
            ).routes
            + UploadRoutes(receive: receive, limits: limits).routes
            + AudioRoutes(play: play, policies: policies).routes
            + ExportRoutes(request: requestExport, exports: exports, policies: policies, prefix: prefix).routes
            + ExportLinkRoutes(download: download, policies: policies, prefix: prefix).routes
    }

    package func table() -> RouteTable { RouteTable(routes) }
}
