package enum EntryStatus: String, Sendable, CaseIterable {
    case awaitingUpload = "awaiting_upload"
    case uploaded, transcribing, cleaning, transcribed, failed
}
