package enum MailFailure: Error, Sendable, Equatable {
    /// 4xx, connection refused, disk full: try again.
    case unavailable(String)
    /// 5xx or an address that cannot be written into a header: never.
    case refused(String)
}
