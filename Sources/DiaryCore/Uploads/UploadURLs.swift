import FoundationEssentials

/// Signed PUT URLs for entries that still wait for their recording.
package struct UploadURLs: Sendable {
    let signer: any UploadSigner
    let lifetime: Double
    let smallestPart: Int64

    /// - Parameter inParts: the client asks for parts, whatever the size.
    func target(for facts: EntryFacts, of owner: Owner, at now: Date, inParts: Bool = false) -> UploadTarget? {
        guard facts.status == .awaitingUpload, let object = facts.object, let size = facts.sizeBytes, let type = facts.contentType else {
            return nil
        }
        let key = ObjectKey(kind: .staging, tenant: owner.tenant, user: owner.user, object: object)
        var target = signer.sign(key, contentType: type, length: size, sha256: facts.sha256, at: now, lifetime: lifetime)
        if inParts || size > PartPlan.fromBytes { target.parts = PartPlan(of: size, smallest: smallestPart) }
        return target
    }
}
