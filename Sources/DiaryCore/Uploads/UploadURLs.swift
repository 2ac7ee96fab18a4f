import FoundationEssentials

/// Signed PUT URLs for entries that still wait for their recording.
package struct UploadURLs: Sendable {
    let signer: any UploadSigner
    let lifetime: Double

    func target(for facts: EntryFacts, of owner: Owner, at now: Date) -> UploadTarget? {
        guard facts.status == .awaitingUpload, let object = facts.object, let size = facts.sizeBytes, let type = facts.contentType else {
            return nil
        }
        let key = ObjectKey(kind: .staging, tenant: owner.tenant, user: owner.user, object: object)
        return signer.sign(key, contentType: type, length: size, sha256: facts.sha256, at: now, lifetime: lifetime)
    }
}
