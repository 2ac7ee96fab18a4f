/// What the owner can do about the processing of an entry.
package enum ProcessingAction: String, Sendable, CaseIterable {
    /// The stage is tried again, or waits for its turn: nothing to do.
    case wait
    case retry
    case uploadAgain = "upload_again"
    case changeLanguage = "change_language"
    case giveConsent = "give_consent"
    /// The recording itself is the reason.
    case none

    /// - Parameters:
    ///   - stage: the one that it failed in.
    ///   - hasDigest: the recording was announced with its SHA-256.
    package init(_ status: EntryStatus, stage: JobKind, code: ProcessingCode?, hasDigest: Bool) {
        // A finished entry with a code has had a run that failed: `retry` means to ask for another run.
        guard status == .failed || status == .transcribed && code != nil else {
            self = .wait
            return
        }
        guard let code else {
            self = .retry
            return
        }
        if code == .uploadExpired || stage == .verify && code.allowsUpload(hasDigest: hasDigest) && !code.retryableByOwner {
            self = .uploadAgain
        } else if code == .languageUnsupported {
            self = .changeLanguage
        } else if code == .consentRequired {
            self = .giveConsent
        } else {
            self = code.retryableByOwner ? .retry : .none
        }
    }
}

extension ProcessingCode {
    /// Whether a recording that was refused with it may be uploaded again.
    package func allowsUpload(hasDigest: Bool) -> Bool {
        Self.reuploadable.contains(self) || !hasDigest && Self.reuploadableWithoutDigest.contains(self)
    }
}
