package enum EntryKind: String, Sendable, CaseIterable { case voice, text }

package enum EntryStatus: String, Sendable, CaseIterable {
    case awaitingUpload = "awaiting_upload"
    case uploaded, transcribing, cleaning, transcribed, failed
}
