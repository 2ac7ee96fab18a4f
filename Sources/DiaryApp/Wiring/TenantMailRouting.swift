import DiaryCore
import DiaryCrypto
import DiaryMail
import Logging
import S3Client

/// Chooses the transport for an app's mail: the app's own provider, else the installation's.
///
/// Settings and secret are read for each mail, so that a change takes effect with the next one.
struct TenantMailRouting: MailRouting {
    let service: any MailTransport
    let providers: MailProviders
    let secrets: any AppSecretStore
    let masters: MasterKeyRing
    /// The AWS region of apps that set none.
    let region: String?
    let logger: Logger

    func transport(for app: Tenant) async throws(MailFailure) -> any MailTransport {
        let report = MailFaultReport(app: app.id, logger: logger)
        do throws(MailFailure) {
            let own: (any MailTransport)? =
                if let chosen = app.configuration.mailService { try await transport(chosen, of: app.id) } else { nil }
            return ReportingMailTransport(transport: own ?? service, report: report)
        } catch {
            report.note(error)
            throw error
        }
    }

    private func transport(_ chosen: AppMailService, of app: TenantID) async throws(MailFailure) -> any MailTransport {
        let secret = try await secret(chosen.secret, of: app)
        switch chosen.provider {
        case .sendgrid: return try providers.sendGrid(key: secret, region: chosen.region)
        case .ses:
            guard let region = chosen.region ?? region else { throw .misconfigured("mail.region is not set") }
            guard let credentials = SigV4Credentials(secret) else {
                throw .misconfigured("the app's secret is not ACCESS_KEY_ID:SECRET_ACCESS_KEY[:SESSION_TOKEN]")
            }
            return try providers.ses(SESAccount(region: region, credentials: credentials, configurationSet: chosen.configurationSet))
        }
    }

    private func secret(_ name: String?, of app: TenantID) async throws(MailFailure) -> SecretBytes {
        guard let name else { throw .misconfigured("mail.secret is not set") }
        let stored: StoredAppSecret?
        do throws(DiaryError) { stored = try await secrets.secret(name, of: app) } catch {
            throw .unavailable("the secret \(name) cannot be read now")
        }
        guard let stored else { throw .misconfigured("the secret \(name) is not set") }
        do { return try stored.open(under: masters) } catch {
            throw .misconfigured("the secret \(name) does not open under master \(stored.masterID)")
        }
    }
}

/// Logs each failure that an operator must correct. The job only tries such a mail again.
struct ReportingMailTransport: MailTransport {
    let transport: any MailTransport
    let report: MailFaultReport

    func send(_ message: OutgoingMessage) async throws(MailFailure) {
        do throws(MailFailure) { try await transport.send(message) } catch {
            report.note(error)
            throw error
        }
    }
}

/// Logs the failures of one app's mail that an operator must correct.
struct MailFaultReport: Sendable {
    let app: TenantID
    let logger: Logger

    func note(_ failure: MailFailure) {
        guard case .misconfigured(let cause) = failure else { return }
        logger.error("mail waits for an operator", metadata: ["tenant": "\(app)", "cause": "\(cause)"])
    }
}
