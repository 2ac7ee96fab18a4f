import DiaryCrypto
import FoundationEssentials
import WireFormats

/// Creates an import of an announced zip, and answers with its upload target, as for a recording: a signed PUT URL, or parts.
package struct CreateImport: Sendable {
    package struct Form: Sendable {
        package var sizeBytes: Int64
        package var sha256: [UInt8]?
        package var wantsParts: Bool
        package var idempotencyKey: String?

        package init(sizeBytes: Int64, sha256: [UInt8]?, wantsParts: Bool, idempotencyKey: String?) {
            self.sizeBytes = sizeBytes
            self.sha256 = sha256
            self.wantsParts = wantsParts
            self.idempotencyKey = idempotencyKey
        }

        /// A keyed hash of the request without its idempotency key: a retry must have the same.
        func requestHash(_ serviceKeys: ServiceKeys) -> [UInt8] {
            var canon = CanonicalBytes()
            for member in ["import", String(sizeBytes), sha256.map { Hex.encode($0) }] { canon.add(member) }
            canon.add("parts", wantsParts ? "true" : nil)
            return HMACSHA256.code(canon.bytes, key: serviceKeys.requestHash)
        }
    }

    let imports: any ImportStore
    let keys: DataKeys
    let serviceKeys: ServiceKeys
    let uploads: UploadURLs
    let tenants: any TenantStore
    let limits: Limits
    let clock: WallClock

    /// - Parameter mayCreate: false for a request over its limits: `rateLimited` unless it repeats an earlier one with the same key.
    package func run(
        _ form: Form, by member: Member, mayCreate: Bool = true
    ) async throws(DiaryError) -> (import: Import, upload: UploadTarget?, replayed: Bool) {
        let tenant = try await tenants.configuration(of: member.tenant)
        let most = tenant.maxImportBytes(within: limits)
        guard form.sizeBytes <= most else { throw .invalid("/size_bytes", "must be at most \(most)") }
        let now = clock.now()
        let key = try await keys.key(of: member)
        let new = NewImport(
            id: ImportID(UUIDv7.make(at: now)), sizeBytes: form.sizeBytes, sha256: form.sha256, object: UUIDv7.make(at: now), keyID: key.id,
            windowSeconds: tenant.uploadWindowSeconds(within: limits), requestHash: form.requestHash(serviceKeys),
            idempotencyHash: form.idempotencyKey.map { serviceKeys.keyHash($0) }, mayCreate: mayCreate)
        switch try await imports.create(new, by: member) {
        case .created(let made): return (made, target(made, member, tenant, now, form.wantsParts), false)
        case .replayed(let made): return (made, target(made, member, tenant, now, form.wantsParts), true)
        case .keyReused: throw DiaryError.keyReused
        }
    }

    /// A fresh URL for the same zip, because sending a large one may take longer than a URL is valid.
    package func renew(_ id: ImportID, by member: Member) async throws(DiaryError) -> (import: Import, upload: UploadTarget) {
        let now = clock.now()
        let waiting = try await waiting(id, at: now, by: member)
        let tenant = try await tenants.configuration(of: member.tenant)
        guard let target = target(waiting, member, tenant, now, false) else { throw waiting.uploadEnded }
        return (waiting, target)
    }

    /// Extends the upload window when it ends before a URL issued now would: the sweeper could end the import during the PUT.
    func waiting(_ id: ImportID, at now: Date, by member: Member) async throws(DiaryError) -> Import {
        guard let found = try await imports.find(id, of: member) else { throw .notFound }
        guard found.status == .awaitingUpload else { throw found.uploadEnded }
        let tenant = try await tenants.configuration(of: member.tenant)
        guard found.uploadExpiresAt <= now.addingTimeInterval(uploads.lifetime(in: tenant)) else { return found }
        let window = tenant.uploadWindowSeconds(within: limits)
        if let reopened = try await imports.reopen(id, windowSeconds: window, by: member) { return reopened }
        // It has ended since.
        throw try await imports.find(id, of: member)?.uploadEnded ?? .notFound
    }

    private func target(
        _ made: Import, _ member: Member, _ tenant: TenantConfiguration, _ now: Date, _ inParts: Bool
    ) -> UploadTarget? {
        guard made.status == .awaitingUpload, let object = made.object else { return nil }
        return uploads.target(
            for: object, of: member.owner, in: tenant, size: made.sizeBytes, contentType: Import.contentType, sha256: made.sha256,
            at: now, until: made.uploadExpiresAt, inParts: inParts)
    }
}
