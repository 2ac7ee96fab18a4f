package import FoundationEssentials

/// The state of the processing of a recording.
package struct Processing: Sendable, Equatable {
    package var stage: JobKind
    package var attempt: Int
    package var nextAttemptAt: Date?
    package var code: ProcessingCode?
    package var action: ProcessingAction = .wait
    /// nil in lists and in the feed.
    package var place: QueuePlace? = nil

    package init(
        stage: JobKind, attempt: Int, nextAttemptAt: Date?, code: ProcessingCode?, action: ProcessingAction = .wait,
        place: QueuePlace? = nil
    ) {
        self.stage = stage
        self.attempt = attempt
        self.nextAttemptAt = nextAttemptAt
        self.code = code
        self.action = action
        self.place = place
    }
}

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

/// The progress of an entry in its queue, estimated when the entry was read.
package struct QueuePlace: Sendable, Equatable {
    /// Among the account's own recordings that wait for the same stage; 1 is next. nil unless it waits for its turn.
    package var position: Int? = nil
    /// Until the stage begins; nil when that is not known.
    package var waitSeconds: Double? = nil
    /// Share of the work that is done, from 0 to 100; nil unless the stage runs and reports it.
    package var percent: Int? = nil

    package init(position: Int? = nil, waitSeconds: Double? = nil, percent: Int? = nil) {
        self.position = position
        self.waitSeconds = waitSeconds
        self.percent = percent
    }
}
