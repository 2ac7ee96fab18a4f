import DiaryCrypto

/// The kind of transfer that a handle is set up for.
struct TransferPlan: Sendable {
    let url: CurlURL
    let deadlines: TransferDeadlines
    /// Neither takes a kept connection nor leaves one. Addresses are checked when a connection is made, so one that was made for a target
    /// that may be private must not serve another that may not.
    var isAlone = false
    let kind: Kind

    enum Kind: Sendable {
        /// - hasBody: GET and HEAD have none; others may have an empty one.
        case http(
            method: TransferRequest.Method, headers: [String], bodyLength: Int64?, hasBody: Bool, isRepeatable: Bool, maximumBytes: Int?)
        case smtp(SMTPPlan)
    }
}

struct SMTPPlan: Sendable {
    let sender: String
    let recipient: String
    let length: Int64
    let requiresTLS: Bool
    let login: SMTPLogin?
}
