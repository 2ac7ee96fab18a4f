/// The words of the page about a code (`/problems/{code}`), for the people who write clients and those who run the service.
extension ProcessingCode {
    /// What happened.
    package var explanation: String {
        switch self {
        case .uploadMissing: "The upload was reported as complete, and the recording was not in the store when it was checked."
        case .uploadSizeMismatch: "The recording that arrived has another size than the entry announced."
        case .uploadHashMismatch: "The recording that arrived has another SHA-256 than the entry announced."
        case .uploadExpired: "The recording or zip did not arrive in the time that uploads have."
        case .mediaUnreadable: "The recording cannot be read as sound: it is damaged, cut off, or not what its content type says."
        case .mediaUnsupported: "The recording is in a form that the service does not take, or has no sound track."
        case .mediaTooLong: "The recording is longer than the app allows."
        case .mediaLimits: "Reading the recording took more time, memory or space than one recording may take."
        case .languageUnsupported: "No engine of the app transcribes the language of the recording."
        case .speechUnavailable: "The speech server does not answer."
        case .speechTimeout: "The speech server did not finish in time."
        case .contentTypeMismatch:
            "The recording is in another container than its content type says, and it is none that is taken or cannot be read."
        case .speechUnreadable: "The speech server answered, and its answer holds no transcript."
        case .engineRefused: "An engine refused the service's key or its account."
        case .textTooLong: "The text is longer than the text engine takes at once."
        case .cleanupUnavailable: "The text engine does not answer."
        case .engineBusy: "As many calls of the engine as it may have are going on."
        case .enginePaused: "The engine has failed several times in a row, so it is not asked for a while."
        case .consentRequired: "The app sends recordings and texts to other servers only with their owner's consent, which is not given."
        case .budgetExceeded: "The account or the app has used as much of the engines as it may in a day."
        case .cleanupRejected: "The cleaned text was no reading of what was said, so the earlier text stays."
        case .storageUnavailable: "The store of recordings does not answer, or cannot give this one back."
        case .databaseUnavailable: "The database did not answer."
        case .mailUnavailable: "The mail server does not take mails at this moment."
        case .mailRefused: "The mail server refused the mail."
        case .zipUnreadable: "The file is no zip, the zip is damaged, or its list of entries cannot be read."
        case .zipUnsafe: "The zip is built to harm its reader: by its size unpacked, by its names, or by files that share bytes."
        case .zipUnknown: "The zip is neither an export of this service nor one of Day One."
        case .zipTooLarge: "The zip has more entries than the app allows."
        case .addressSuppressed: "The address takes no mail: one came back, or its owner complained about one."
        case .crashed: "The work ended several times without a result: the process that did it was killed, or ended by itself."
        case .gone: "The account or the entry was deleted meanwhile."
        case .unexpected: "The service met a fault of its own. Its log has the cause."
        }
    }

    /// What a client does, or who else can act.
    package var advice: String {
        switch self {
        case .uploadMissing, .uploadSizeMismatch, .uploadHashMismatch:
            "Ask for a fresh upload URL of the entry, and send the recording again as it was announced."
        case .uploadExpired: "Ask for a fresh upload URL of the entry, and send the recording; announce a zip in a new import."
        case .mediaUnreadable: "Keep the file on the device, and try another form of it in a new entry."
        case .mediaUnsupported, .contentTypeMismatch:
            "Send it in one of audio_formats of GET /v1/config, in a new entry with that content type."
        case .mediaTooLong: "Split the recording: GET /v1/config has the limit."
        case .mediaLimits: "Send it in a simpler form, such as AAC in MP4, in a new entry."
        case .languageUnsupported: "Change the entry's language to one of speech.languages of GET /v1/config."
        case .textTooLong: "Nothing: the raw text stays and is shown."
        case .speechUnavailable, .speechTimeout, .cleanupUnavailable, .engineBusy, .enginePaused, .storageUnavailable, .databaseUnavailable,
            .mailUnavailable:
            "Nothing: the service tries again by itself. An operator looks at the server in question when it goes on."
        case .speechUnreadable: "Try again once. If it stays, the operator looks at the speech server's log."
        case .engineRefused:
            "An operator mends the key or the account (diary engines test), then has it asked again (diary jobs resume --engines)."
        case .consentRequired: "Ask the owner for hosted_processing_consent of the profile; giving it queues what waited."
        case .budgetExceeded:
            "Wait for the next day, then it goes on. What failed is more than a day's limit: an operator can raise that of the app, then ask for `reprocess`."
        case .cleanupRejected: "Show the earlier text, or ask for the cleaning again."
        case .mailRefused, .addressSuppressed: "Let the user check the address. The export can be downloaded in the app."
        case .zipUnreadable: "Export it again where it came from, and import the new zip."
        case .zipUnsafe, .zipUnknown: "Import a zip as this service or Day One has made it, unchanged."
        case .zipTooLarge: "Import fewer entries at once: GET /v1/config has the limit."
        case .gone: "Take it off the screen."
        case .crashed, .unexpected: "Try again once. If it fails again, tell the operator the entry's id."
        }
    }
}
