// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.

package import FoundationEssentials

extension S3LifecycleRule {
    package init(
        prefix: String, isEnabled: Bool, expiresAfterDays: Int?, abortsUploadsAfterDays: Int?, expiresOldVersionsAfterDays: Int?,
        expiresOn: String?, transitions: [String] = [], hasTags: Bool = false, _: Void = ()
    ) {
        self.prefix = prefix
        self.isEnabled = isEnabled
        self.expiresAfterDays = expiresAfterDays
        self.abortsUploadsAfterDays = abortsUploadsAfterDays
        self.expiresOldVersionsAfterDays = expiresOldVersionsAfterDays
        self.expiresOn = expiresOn
        self.transitions = transitions
        self.hasTags = hasTags
    }
}

extension S3Piece {
    package init(object: S3Object, bytes: [UInt8], _: Void = ()) {
        self.object = object
        self.bytes = bytes
    }
}

extension S3CrossOriginRule {
    package init(origins: [String], methods: [String], headers: [String], _: Void = ()) {
        self.origins = origins
        self.methods = methods
        self.headers = headers
    }
}

extension S3BatchDeletion {
    package init(failed: [S3Version] = [], hidden: [String] = [], _: Void = ()) {
        self.failed = failed
        self.hidden = hidden
    }
}

extension S3Entry {
    package init(key: String, size: Int64, storedAt: Date, _: Void = ()) {
        self.key = key
        self.size = size
        self.storedAt = storedAt
    }
}

extension S3Page {
    package init(entries: [S3Entry], continuation: String?, _: Void = ()) {
        self.entries = entries
        self.continuation = continuation
    }
}

extension S3VersionPage {
    package init(versions: [S3Version], next: S3Version?, _: Void = ()) {
        self.versions = versions
        self.next = next
    }
}

extension S3Part {
    package init(number: Int, etag: String, size: Int64 = 0, storedAt: Date? = nil, _: Void = ()) {
        self.number = number
        self.etag = etag
        self.size = size
        self.storedAt = storedAt
    }
}

extension S3OpenUpload {
    package init(key: String, id: String, startedAt: Date?, _: Void = ()) {
        self.key = key
        self.id = id
        self.startedAt = startedAt
    }
}

extension S3UploadMarker {
    package init(key: String, id: String?, _: Void = ()) {
        self.key = key
        self.id = id
    }
}

extension S3UploadPage {
    package init(uploads: [S3OpenUpload], next: S3UploadMarker?, _: Void = ()) {
        self.uploads = uploads
        self.next = next
    }
}

extension S3Presigned {
    package init(url: String, headers: [(name: String, value: String)], expiresAt: Date, _: Void = ()) {
        self.url = url
        self.headers = headers
        self.expiresAt = expiresAt
    }
}

extension S3UploadTerms {
    package init(
        contentType: String? = nil, length: Int64, sha256: [UInt8]? = nil, md5: [UInt8]? = nil, ifAbsent: Bool = false, _: Void = ()
    ) {
        self.contentType = contentType
        self.length = length
        self.sha256 = sha256
        self.md5 = md5
        self.ifAbsent = ifAbsent
    }
}

extension S3Retries {
    package init(
        tries: Int = 4, base: Duration = .milliseconds(100), cap: Duration = .seconds(5), within: Duration = .seconds(30), _: Void = ()
    ) {
        self.tries = tries
        self.base = base
        self.cap = cap
        self.within = within
    }
}
