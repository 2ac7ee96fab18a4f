package import DiaryCrypto

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

/// A topic of Amazon SNS, by its ARN.
package struct SNSTopic: Sendable, Hashable {
    package let arn: String
    package let region: String

    /// `arn:aws:sns:REGION:ACCOUNT:NAME`; also of the partition `aws-us-gov`, whose hosts have the same domain.
    package init?(_ arn: String) {
        let parts = arn.split(separator: ":", omittingEmptySubsequences: false)
        guard arn.utf8.count <= 400, parts.count == 6, parts[0] == "arn", parts[1] == "aws" || parts[1] == "aws-us-gov", parts[2] == "sns",
            Self.isRegion(parts[3]), parts[4].utf8.count == 12, parts[4].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            TenantSetting.isName(String(parts[5]), max: 256)
        else { return nil }
        self.arn = arn
        region = String(parts[3])
    }

    private static func isRegion(_ text: Substring) -> Bool {
        (2...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    }
}

extension P256PublicKey {
    /// The base64 of a SubjectPublicKeyInfo in one line, as providers show keys; nil for another text.
    package init?(base64: String) {
        let bytes = Array(base64.utf8)
        guard bytes.count <= 300, bytes.allSatisfy({ (0x2B...0x7A).contains($0) }) else { return nil }
        let lines = stride(from: 0, to: bytes.count, by: 64).map { String(decoding: bytes[$0..<min($0 + 64, bytes.count)], as: UTF8.self) }
        try? self.init(pem: "-----BEGIN PUBLIC KEY-----\n\(lines.joined(separator: "\n"))\n-----END PUBLIC KEY-----\n")
    }
}
