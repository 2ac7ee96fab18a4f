/// The signers whose reports are taken from a provider.
package struct MailFeedbackTrust: Sendable, Equatable {
    /// SendGrid's verification key: the base64 of a SubjectPublicKeyInfo, as its page shows it. nil: none is taken.
    package var sendGridKey: String? = nil
    /// Topics of Amazon SNS, by their ARNs.
    package var topics: Set<String> = []

    package init(sendGridKey: String? = nil, topics: Set<String> = []) {
        self.sendGridKey = sendGridKey
        self.topics = topics
    }
}

extension TenantConfiguration {
    package var mailFeedbackTrust: MailFeedbackTrust {
        MailFeedbackTrust(sendGridKey: text(.mailWebhookKey), topics: Set(list(.mailTopics)))
    }
}
