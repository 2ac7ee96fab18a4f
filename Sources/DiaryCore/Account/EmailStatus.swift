/// How mail reaches an account's address, as `email_status` of the schema tells it.
package enum EmailStatus: String, Sendable, CaseIterable {
    case ok
    /// Mails came back lately for a reason that may pass; they are still sent.
    case bouncing
    /// Only codes that someone asks for are sent.
    case complained
    /// Nothing is sent but codes that verify the address.
    case suppressed
}
