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
