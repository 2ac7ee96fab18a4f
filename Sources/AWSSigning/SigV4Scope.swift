/// `20150830/us-east-1/s3/aws4_request`: where and for which day a signing key is good.
package struct SigV4Scope: Sendable, Hashable, CustomStringConvertible {
    package let day: String
    package let region: String
    package let service: String

    package var description: String { "\(day)/\(region)/\(service)/\(Self.terminator)" }

    static let terminator = "aws4_request"
}
