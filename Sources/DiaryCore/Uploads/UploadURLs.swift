package import FoundationEssentials

/// Signed PUT URLs for entries that still wait for their recording, and for zips to be imported.
package struct UploadURLs: Sendable {
    let signer: any UploadSigner
    let limits: Limits
    let smallestPart: Int64

    /// Seconds that a URL is valid in an app.
    func lifetime(in tenant: TenantConfiguration) -> Double { Double(tenant.uploadURLSeconds(within: limits)) }

    /// - Parameter inParts: the client asks for parts, whatever the size.
    /// - Returns: nil also within the last second of the entry's window: the client asks for a fresh URL, which begins another window.
    func target(
        for facts: EntryFacts, of owner: Owner, in tenant: TenantConfiguration, at now: Date, inParts: Bool = false
    ) -> UploadTarget? {
        guard facts.status == .awaitingUpload, let object = facts.object, let size = facts.sizeBytes, let type = facts.contentType else {
            return nil
        }
        return target(
            for: object, of: owner, in: tenant, size: size, contentType: type, sha256: facts.sha256, at: now,
            until: facts.uploadExpiresAt, inParts: inParts)
    }

    /// - Parameters:
    ///   - object: the id of the object in staging.
    ///   - end: of the upload window. No URL is valid longer, because the sweeper could expire the entry during the PUT.
    /// - Returns: nil when less than a second of the window is left.
    func target(
        for object: UUID, of owner: Owner, in tenant: TenantConfiguration, size: Int64, contentType: String, sha256: [UInt8]?,
        at now: Date, until end: Date?, inParts: Bool
    ) -> UploadTarget? {
        let longest = lifetime(in: tenant)
        let ending = min(longest, end?.timeIntervalSince(now).rounded(.down) ?? longest)
        guard ending >= 1 else { return nil }
        let key = ObjectKey(kind: .staging, owner: owner, object: object)
        var target = signer.sign(key, contentType: contentType, length: size, sha256: sha256, at: now, lifetime: ending)
        if inParts || size > PartPlan.fromBytes { target.parts = PartPlan(of: size, smallest: smallestPart) }
        return target
    }
}

/// What a client needs to upload: method PUT, this URL, exactly these headers, before this time.
package struct UploadTarget: Sendable, Equatable {
    package var url: String
    package var headers: [(name: String, value: String)]
    package var expiresAt: Date
    /// How to send it in parts instead; nil for a small recording, unless its client asked.
    package var parts: PartPlan? = nil

    package init(url: String, headers: [(name: String, value: String)], expiresAt: Date, parts: PartPlan? = nil) {
        self.url = url
        self.headers = headers
        self.expiresAt = expiresAt
        self.parts = parts
    }

    package static func == (a: Self, b: Self) -> Bool {
        a.url == b.url && a.expiresAt == b.expiresAt && a.parts == b.parts && a.headers.map(\.name) == b.headers.map(\.name)
            && a.headers.map(\.value) == b.headers.map(\.value)
    }
}

/// Makes signed PUT URLs; local arithmetic only, so that creating an entry works while the store is unavailable (A8).
package protocol UploadSigner: Sendable {
    func sign(_ key: ObjectKey, contentType: String, length: Int64, sha256: [UInt8]?, at now: Date, lifetime: Double) -> UploadTarget
}
