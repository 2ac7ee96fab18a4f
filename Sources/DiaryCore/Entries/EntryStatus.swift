package enum EntryStatus: String, Sendable, CaseIterable {
    case awaitingUpload = "awaiting_upload"
    case uploaded, transcribing, cleaning, transcribed, failed

    /// Whether the recording has been verified, or may have been: `failed` does not say at which stage.
    var isPlayable: Bool {
        switch self {
        case .awaitingUpload, .uploaded: false
        case .transcribing, .cleaning, .transcribed, .failed: true
        }
    }
}
