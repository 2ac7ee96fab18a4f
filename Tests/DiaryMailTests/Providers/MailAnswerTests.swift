import DiaryCore
import Foundation
import Testing

@testable import CurlTransfer
@testable import DiaryMail

@Suite("Answers of mail providers")
struct MailAnswerTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func answer(_ status: Int, _ headers: [String: String] = [:], _ body: String = "") -> MailAnswer {
        let fields = headers.map { (name: $0.key, value: $0.value) }
        return MailAnswer(ResponseHead(status: status, headers: fields), at: Self.now).with(Array(body.utf8))
    }

    @Test("A9: the status decides; what is no fault of the mail loses none")
    func statuses() {
        let expected: [(ClosedRange<Int>, MailFailure?)] = [
            (200...299, nil), (300...399, .misconfigured("")), (400...400, .refused("")), (401...407, .misconfigured("")),
            (408...409, .unavailable("")), (410...410, .misconfigured("")), (413...413, .refused("")), (415...415, .refused("")),
            (422...422, .refused("")), (425...425, .unavailable("")), (429...429, .unavailable("")), (451...451, .misconfigured("")),
            (500...500, .unavailable("")), (501...501, .misconfigured("")), (502...504, .unavailable("")), (505...505, .misconfigured("")),
            (506...599, .unavailable("")), (600...600, .misconfigured("")),
        ]
        for (statuses, failure) in expected {
            for status in statuses {
                let found = answer(status).failure("X")
                switch (found, failure) {
                case (nil, nil): continue
                case (.unavailable?, .unavailable?), (.refused?, .refused?), (.misconfigured?, .misconfigured?):
                    #expect(found?.description == "X answered \(status)")
                default: Issue.record("\(status): \(String(describing: found))")
                }
            }
        }
    }

    @Test("the wait that a provider names is kept: Retry-After, or SendGrid's time at which its limit begins anew")
    func waits() {
        #expect(answer(429, ["retry-after": "7"]).retryAfter == 7)
        #expect(answer(503, ["retry-after": "7"]).failure("X") == .unavailable("X answered 503", after: 7))
        #expect(answer(429, ["x-ratelimit-reset": "1790000030"]).retryAfter == 30)
        #expect(answer(429, ["x-ratelimit-reset": "1790000030", "retry-after": "7"]).retryAfter == 7)
        #expect(answer(429, ["x-ratelimit-reset": "1"]).retryAfter == 0)
        for text in ["", "soon", "nan", "inf", "-inf", "1e999"] {
            #expect(answer(429, ["x-ratelimit-reset": text]).retryAfter == nil, "\(text)")
        }
        #expect(answer(429, ["x-ratelimit-reset": "9e300"]).retryAfter == 86_400)
    }

    @Test("A9: of SES' 400 only what the mail is at fault for gives it up")
    func errorsOfSES() {
        func failure(_ error: String, _ message: String = "", status: Int = 400) -> MailFailure? {
            SESSender.failure(
                answer(status, ["x-amzn-errortype": error + ":http://internal.example/"], #"{"message":"\#(message)"}"#), "SES")
        }
        #expect(failure("MessageRejected", "Illegal content") == .refused("SES answered 400"))
        #expect(failure("BadRequestException") == .refused("SES answered 400"))
        #expect(failure("LimitExceededException") == .unavailable("SES answered 400: LimitExceededException"))
        #expect(failure("SendingPausedException") == .misconfigured("SES answered 400: SendingPausedException"))
        #expect(failure("ExpiredTokenException", status: 403) == .misconfigured("SES answered 403: ExpiredTokenException"))
        #expect(failure("NoSuchWord anna@example.org", status: 403) == .misconfigured("SES answered 403"))
        #expect(
            failure("MessageRejected", "Email address is not verified. The following identities: anna@example.org")
                == .misconfigured("SES answered 400: an address is not verified"))
        #expect(SESSender.failure(answer(200, ["x-amzn-errortype": "MessageRejected"]), "SES") == nil)
        let inBody = answer(400, [:], #"{"__type":"com.amazonaws.sesv2#AccountSuspendedException"}"#)
        #expect(SESSender.failure(inBody, "SES") == .misconfigured("SES answered 400: AccountSuspendedException"))
        #expect(SESSender.failure(answer(400, [:], "<html>"), "SES") == .refused("SES answered 400"))
    }
}
