/// The sealed content of a queued mail.
package struct MailPayload: Sendable, Codable, Equatable {
    package var to: String
    package var code: String?

    package init(to: String, code: String?) {
        self.to = to
        self.code = code
    }
}
