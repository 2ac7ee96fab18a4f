extension DiaryError {
    /// A store's refusal on the way in.
    package init(storing error: ObjectStoreError) {
        switch error {
        case .alreadyExists: self.init(.uploadExists)
        case .lengthMismatch: self.init(.malformedRequest, detail: "The body is not as long as announced.")
        case .checksumMismatch: self.init(.uploadRefused, detail: "The body's SHA-256 is not the announced one.")
        case .unavailable(full: true): self.init(.storageFull, retryAfter: 60, cause: "object store is full")
        // Missing: what was being written went from under it. Nothing was stored, and the client's address is as good as before.
        case .unavailable(full: false), .missing: self = .unavailable(cause: "object store")
        case .damaged: self.init(.internalError, cause: "object damaged")
        }
    }
}

extension DiaryError {
    /// A store's refusal on the way out.
    package init(reading error: ObjectStoreError) {
        switch error {
        case .missing: self = .notFound
        case .damaged: self.init(.internalError, cause: "object damaged")
        default: self = .unavailable(cause: "object store")
        }
    }
}
