import CurlTransfer
import DiaryCore
import FoundationEssentials
import WireFormats

/// A provider's answer, and what it says of the mail.
struct MailAnswer: Sendable {
    let status: Int
    /// Seconds.
    private(set) var retryAfter: Double?
    /// AWS' name of the error, without what may follow it.
    private let errorType: String?
    private var body: [UInt8] = []

    init(_ head: ResponseHead, at now: Date = Date()) {
        status = head.status
        retryAfter = head.header("retry-after").flatMap { RetryAfter.seconds($0, at: now) }
        // SendGrid names the time in its own field, in seconds since 1970 ("Rate limits" of its documentation).
        if status == 429, retryAfter == nil, let reset = head.header("x-ratelimit-reset").flatMap(Double.init), reset.isFinite {
            retryAfter = min(RetryAfter.longest, max(0, reset - now.timeIntervalSince1970))
        }
        errorType = head.header("x-amzn-errortype")
    }

    func with(_ body: [UInt8]) -> MailAnswer {
        var answer = self
        answer.body = body
        return answer
    }

    var isSuccess: Bool { (200..<300).contains(status) }

    /// Judges by the status alone. What is no fault of the mail and does not pass by itself is left to an operator, so that no mail is lost
    /// to it.
    /// - Returns: nil when the mail was taken.
    func failure(_ service: String) -> MailFailure? {
        let reason = "\(service) answered \(status)"
        switch status {
        case 200..<300: return nil
        case 400, 411, 413, 414, 415, 422, 431: return .refused(reason)
        case 408, 409, 425, 429: return .unavailable(reason, after: retryAfter)
        case 501, 505: return .misconfigured(reason)
        case 500...599: return .unavailable(reason, after: retryAfter)
        default: return .misconfigured(reason)
        }
    }

    /// `MessageRejected`; nil when the answer names none. Compared with known words only.
    var awsError: String? {
        let named = errorType ?? error?["__type"]?.string
        // `MessageRejected:http://…` in the field, `com.amazonaws.…#MessageRejected` in the body.
        return named.flatMap { $0.split(separator: ":").first?.split(separator: "#").last.map(String.init) }
    }

    func messageBegins(with words: String) -> Bool {
        (error?["message"]?.string ?? error?["Message"]?.string)?.hasPrefix(words) == true
    }

    private var error: JSONObject? { JSONParser.object(body, JSONRules()) }
}
