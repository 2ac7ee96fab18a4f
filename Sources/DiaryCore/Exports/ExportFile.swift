package import FoundationEssentials

/// The URL of a zip, which needs no token, and its end.
package struct ExportFile: Sendable {
    package let url: String
    package let expiresAt: Date
    package let filename: String
    package let sizeBytes: Int64
}

extension Export {
    /// Why there is no zip to download or to mail.
    var notThere: DiaryError {
        switch status {
        case .queued, .building: DiaryError(.exportNotReady, retryAfter: 2)
        case .failed: DiaryError(.linkExpired, detail: "The export failed; ask for a new one.")
        case .ready, .revoked, .expired: DiaryError(.linkExpired)
        }
    }
}
