/// The `Idempotency-Key` of a request.
package struct RequestKey: Sendable {
    /// nil when none was sent.
    package var text: String?
    /// False for a request over its limits, which may only repeat an earlier answer.
    package var mayWrite: Bool

    package init(_ text: String?, mayWrite: Bool = true) {
        self.text = text
        self.mayWrite = mayWrite
    }

    package static let none = RequestKey(nil)
}
