/// What reports of mail providers need.
package struct MailFeedbackPorts: Sendable {
    package var reader: any MailFeedbackReading
    package var store: any MailEventStore
    /// The signers that the installation trusts; apps have theirs in their settings.
    package var trust: MailFeedbackTrust

    package init(reader: any MailFeedbackReading, store: any MailEventStore, trust: MailFeedbackTrust) {
        self.reader = reader
        self.store = store
        self.trust = trust
    }
}

/// Reports of mail providers: bounces and complaints.
package struct MailFeedbackFeature: Sendable {
    package let handle: HandleMailEvents

    init(_ ports: FeaturePorts) {
        handle = HandleMailEvents(
            ports: ports.mailFeedback, tenants: ports.tenants, serviceKeys: ports.serviceKeys, clock: ports.clock)
    }
}

extension DiaryFeatures {
    package var mailFeedback: MailFeedbackFeature { MailFeedbackFeature(ports) }
}
