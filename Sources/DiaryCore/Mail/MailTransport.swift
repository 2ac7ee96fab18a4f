package protocol MailTransport: Sendable {
    func send(_ message: OutgoingMessage) async throws(MailFailure)
}

/// One message, text and HTML, to one recipient. The id makes it idempotent: same id, same Message-ID, same outbox file.
package struct OutgoingMessage: Sendable {
    package var id: MailID
    package var fromName: String
    package var fromAddress: String
    package var to: String
    package var subject: String
    package var text: String
    package var html: String?
    /// Where one request ends mails of this kind (RFC 8058): an address of this service that takes `POST` without a sign-in. nil for a mail
    /// that was asked for.
    package var unsubscribe: String? = nil

    package init(
        id: MailID, fromName: String, fromAddress: String, to: String, subject: String, text: String, html: String?,
        unsubscribe: String? = nil
    ) {
        self.id = id
        self.fromName = fromName
        self.fromAddress = fromAddress
        self.to = to
        self.subject = subject
        self.text = text
        self.html = html
        self.unsubscribe = unsubscribe
    }
}

/// Why a mail was not taken. Reasons are logged: constants, numbers and what an operator has named, no part of
/// the mail or of an answer.
package enum MailFailure: Error, Sendable, Equatable {
    /// SMTP's 4xx, HTTP's 429 and 5xx, no connection, a full disk: try again, and not before `after` seconds when the service names a time.
    case unavailable(String, after: Double? = nil)
    /// An operator must act: a key that is refused, a sender that is not verified, a secret that is not set. Tried again like `unavailable`.
    case misconfigured(String)
    /// SMTP's 5xx, HTTP's 400 and 413, an address that cannot be written into a header: never.
    case refused(String)
}

extension MailFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unavailable(let reason, _), .misconfigured(let reason), .refused(let reason): reason
        }
    }
}

/// Finds the service by which an app's mail leaves.
package protocol MailRouting: Sendable {
    /// - Throws: `misconfigured` when the app's own service cannot be used as it is set, `unavailable` when its secret cannot be read now.
    func transport(for app: Tenant) async throws(MailFailure) -> any MailTransport
}

/// Providers that take mail over HTTP. Stored in settings of apps; raw values never change.
package enum MailProvider: String, Sendable, CaseIterable {
    case sendgrid
    case ses

    /// For reports.
    package var title: String {
        switch self {
        case .sendgrid: "SendGrid"
        case .ses: "SES"
        }
    }
}

/// The provider by which an app's mail leaves in place of the installation's service.
package struct AppMailService: Sendable, Equatable {
    package var provider: MailProvider
    /// The name of the app's secret: SendGrid's API key, or SES' `ACCESS_KEY_ID:SECRET_ACCESS_KEY[:SESSION_TOKEN]`. nil when none is set.
    package var secret: String?
    /// SES: an AWS region, nil for the installation's. SendGrid: `eu` for its European servers.
    package var region: String?
    /// SES only.
    package var configurationSet: String?
}

extension TenantConfiguration {
    /// nil: the app's mail leaves as the installation's.
    package var mailService: AppMailService? {
        text(.mailProvider).flatMap(MailProvider.init(rawValue:)).map {
            AppMailService(
                provider: $0, secret: text(.mailSecret), region: text(.mailRegion), configurationSet: text(.mailConfigurationSet))
        }
    }
}
