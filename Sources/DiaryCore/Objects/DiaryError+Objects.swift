extension DiaryError {
    /// Maps the failure of a put or of a question about an upload.
    package init(storing error: ObjectStoreError) {
        switch error {
        case .alreadyExists: self.init(.uploadExists)
        case .lengthMismatch: self.init(.malformedRequest, detail: "The body is not as long as announced.")
        case .checksumMismatch: self.init(.uploadRefused, detail: "The body's SHA-256 is not the announced one.")
        case .unavailable(full: true): self.init(.storageFull, retryAfter: 60, cause: "object store is full")
        // Missing: the file was removed while it was written. Nothing was stored, and the upload URL stays valid.
        case .unavailable(full: false), .missing: self = .unavailable(cause: "object store")
        case .damaged: self.init(.internalError, cause: "object damaged")
        }
    }
}

extension DiaryError {
    /// Maps the failure of a read.
    package init(reading error: ObjectStoreError) {
        switch error {
        case .missing: self = .notFound
        case .damaged: self.init(.internalError, cause: "object damaged")
        default: self = .unavailable(cause: "object store")
        }
    }
}
