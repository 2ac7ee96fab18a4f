import CurlTransfer
package import DiaryCore
package import DiaryCrypto
import FoundationEssentials
package import S3Client
import WireFormats

/// Mail through Amazon SES (`SendEmail` of its API v2), signed with SigV4. SES has no key that makes a second request the same mail, and
/// writes a Message-ID of its own: a try without an answer may arrive twice.
package struct SESSender: MailTransport {
    let post: MailPost
    let account: SESAccount
    var now: @Sendable () -> Date = { Date() }

    private static let path = "/v2/email/outbound-emails"

    package func send(_ message: OutgoingMessage) async throws(MailFailure) {
        let body = try SESMail.body(message, configurationSet: account.configurationSet, date: now())
        let request = SigV4Request(
            method: "POST", path: Self.path,
            headers: [(name: "Content-Type", value: "application/json"), (name: "Host", value: post.endpoint.host)],
            payloadHash: Hex.encode(SHA256.digest(body)))
        let signed = SigV4.authorized(
            request, by: account.credentials, date: AmzDate(now()), region: account.region, service: "ses", addingPayloadHash: false)
        let answer = try await post.send(Self.path, headers: signed.headers.filter { $0.name != "Host" }, body)
        if let failure = Self.failure(answer, post.service) { throw failure }
    }

    /// SES answers many a fault of the account with 400, which else is the mail's fault.
    static func failure(_ answer: MailAnswer, _ service: String) -> MailFailure? {
        guard let failure = answer.failure(service), let error = answer.awsError else { return answer.failure(service) }
        if throttled.contains(error) { return .unavailable("\(service) answered \(answer.status): \(error)", after: answer.retryAfter) }
        if ofTheAccount.contains(error) { return .misconfigured("\(service) answered \(answer.status): \(error)") }
        // The sender is not verified; in the sandbox of a new account the recipient.
        if error == "MessageRejected", answer.messageBegins(with: "Email address is not verified") {
            return .misconfigured("\(service) answered \(answer.status): an address is not verified")
        }
        return failure
    }

    private static let throttled: Set = ["TooManyRequestsException", "LimitExceededException", "Throttling", "ThrottlingException"]
    private static let ofTheAccount: Set = [
        "AccountSuspendedException", "SendingPausedException", "MailFromDomainNotVerifiedException", "NotFoundException",
        "AccessDenied", "AccessDeniedException", "OptInRequired", "UnrecognizedClientException", "InvalidClientTokenId",
        "MissingAuthenticationToken", "MissingAuthenticationTokenException", "IncompleteSignature", "IncompleteSignatureException",
        "InvalidSignatureException", "SignatureDoesNotMatch", "ExpiredToken", "ExpiredTokenException", "RequestExpired",
    ]
}

/// An account of SES in one region.
package struct SESAccount: Sendable {
    package var region: String
    package var credentials: SigV4Credentials
    package var configurationSet: String? = nil

    package init(region: String, credentials: SigV4Credentials, configurationSet: String? = nil) {
        self.region = region
        self.credentials = credentials
        self.configurationSet = configurationSet
    }
}

/// The body of SES' `SendEmail` (API v2).
enum SESMail {
    /// The message in its transfer form, as a mail server would get it. Without `FromEmailAddress`, which would take the place of the
    /// message's `From` and its name. Opens and clicks are not tracked, whatever the account's settings.
    static func body(_ message: OutgoingMessage, configurationSet: String?, date: Date) throws(MailFailure) -> [UInt8] {
        let mail = try CheckedMail(message)
        let raw = Base64.encode(try MailMessageBuilder.bytes(of: message, date: date))
        return JSONWriter.object(capacity: 512 + raw.utf8.count) { w in
            w.member("Destination") { $0.member("ToAddresses", [mail.to.text]) }
            w.member("Content") { w in
                w.member("Raw") { $0.member("Data", raw) }
            }
            w.array("EmailTags", [(name: "mail", value: message.id.description)]) { w, tag in
                w.object { w in
                    w.member("Name", tag.name)
                    w.member("Value", tag.value)
                }
            }
            w.memberIfPresent("ConfigurationSetName", configurationSet)
            w.member("ConfigurationOverrides") { w in
                w.member("Tracking") { w in
                    w.member("OpenTrackingEnabled", "DISABLED")
                    w.member("ClickTrackingEnabled", "DISABLED")
                }
            }
        }
    }
}

extension SigV4Credentials {
    /// `ACCESS_KEY_ID:SECRET_ACCESS_KEY[:SESSION_TOKEN]`: as one secret, so that a key is never used with another one's token. None of the
    /// three holds a colon.
    package init?(_ secret: SecretBytes) {
        let parts = String(decoding: secret.bytes(), as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let id = parts.first, parts.allSatisfy({ !$0.isEmpty }), !id.contains("/") else { return nil }
        self.init(
            accessKeyID: String(id), secret: SecretBytes(Array(parts[1].utf8)),
            sessionToken: parts.dropFirst(2).first.map { String($0) })
    }
}
