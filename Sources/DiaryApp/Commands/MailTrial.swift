import CurlTransfer
import DiaryCore
import DiaryDatabase
import DiaryMail
import Logging
import PostgresClient

/// Sends one mail of an app as a worker would, for `diary mail test`.
struct MailTrial {
    let app: Tenant
    let environment: Environment

    struct Failed: Error {
        /// The service, or the app's own provider.
        let service: String
        let failure: MailFailure
    }

    /// - Returns: the server, folder or provider that accepted the mail, for the operator.
    func send(_ message: OutgoingMessage) async throws -> String {
        let own = app.configuration.mailService
        // An app's own provider needs nothing of the installation's.
        let settings = own == nil ? try MailSettings(environment) : nil
        let service = settings?.description ?? own.map { "\($0.provider.title) of \(app.slug)" } ?? app.slug
        let providers = try MailProviderSettings(environment)
        let made = try providers.providers()
        do {
            if let settings {
                try await settings.transport(made).send(message)
            } else {
                try await sendByOwn(message, made, region: providers.region)
            }
        } catch let failure as MailFailure {
            throw Failed(service: service, failure: failure)
        }
        await made.transfers.close(within: .zero)
        return service
    }

    private func sendByOwn(_ message: OutgoingMessage, _ made: MailProviders, region: String?) async throws {
        let quiet = Logger(label: "diary-mail") { _ in SwiftLogNoOpLogHandler() }
        let pool = try ConnectionPool(
            .init(connection: try DatabaseSettings(environment).main(as: .worker), size: 1), logger: quiet)
        let mail = TenantMailRouting(
            service: NoMailService(), providers: made, secrets: PostgresEngineStore(pool: pool),
            masters: try environment.read(KeySettings.masters), region: region, logger: quiet)
        let sent: Result<Void, any Error>
        do { sent = .success(try await mail.transport(for: app).send(message)) } catch { sent = .failure(error) }
        await pool.close()
        try sent.get()
    }
}

/// In place of the installation's service where only an app's own is tried.
private struct NoMailService: MailTransport {
    func send(_ message: OutgoingMessage) async throws(MailFailure) { throw .misconfigured("no provider is set") }
}
