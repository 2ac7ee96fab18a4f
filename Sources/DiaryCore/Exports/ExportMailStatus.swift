package enum ExportMailStatus: String, Sendable, CaseIterable {
    /// No mail was asked for.
    case notAsked = "none"
    case waiting, sent, failed
}
