import DiaryCore
import DiaryDatabase

extension TenantCommand {
    /// Says on standard error what keeps the app's mail from leaving by its own provider.
    static func noteMailSecret(of tenant: Tenant) async throws {
        let secrets = try await Engine.administration().secrets(of: tenant.slug) ?? []
        if let note = mailSecretNote(tenant.configuration, of: tenant.slug, secrets: Swift.Set(secrets.map(\.name))) {
            CommandOutput.note(note)
        }
    }

    /// - Parameter secrets: names of those that are set for the app.
    /// - Returns: nil when nothing is missing.
    static func mailSecretNote(_ configuration: TenantConfiguration, of slug: String, secrets: Swift.Set<String>) -> String? {
        let provider = configuration.text(.mailProvider)
        guard let secret = configuration.text(.mailSecret) else {
            guard let provider else { return nil }
            return """
                mail.secret is not set, and mail of \(slug) waits until it names the key for \(provider): \(Secret.example(slug, "NAME")), \
                then diary tenant set \(slug) mail.secret=NAME
                """
        }
        guard !secrets.contains(secret) else { return nil }
        let effect = provider == nil ? "" : ", and mail of \(slug) waits until it is"
        return "the secret \(secret) is not set\(effect): \(Secret.example(slug, secret))"
    }
}
