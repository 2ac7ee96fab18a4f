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
