import AWSSigning
import CurlTransfer
package import DiaryCore
import DiaryCrypto
import FoundationEssentials
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
