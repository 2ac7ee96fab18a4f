import CurlTransfer
package import DiaryCore
import DiaryCrypto

/// Mail through SendGrid (`POST /v3/mail/send`). It has no key that makes a second request the same mail: a try without an answer is
/// repeated under the same Message-ID, which SendGrid passes on.
package struct SendGridSender: MailTransport {
    let post: MailPost
    let key: SecretBytes

    package func send(_ message: OutgoingMessage) async throws(MailFailure) {
        let body = try SendGridMail.body(message)
        let key = key.bytes()
        guard !key.isEmpty, key.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .misconfigured("the key of SendGrid cannot be written into a header")
        }
        let answer = try await post.send(
            "/v3/mail/send",
            headers: [
                (name: "Authorization", value: "Bearer \(String(decoding: key, as: UTF8.self))"),
                (name: "Content-Type", value: "application/json"), (name: "Accept", value: "application/json"),
            ], body)
        if let failure = answer.failure(post.service) { throw failure }
    }
}
