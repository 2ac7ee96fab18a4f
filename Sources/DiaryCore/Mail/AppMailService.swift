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
