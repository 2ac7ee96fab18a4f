import DiaryCrypto
import FoundationEssentials

/// Writes that a client may repeat with the same `Idempotency-Key`: the first request that succeeds stores the key in its transaction, and a
/// repetition is answered anew from what is there. A refused request stores no key. Costs one round trip more, and only with a key;
/// `CreateEntry` and `RequestExport`, which are frequent, do the same within their one.
struct IdempotentWrites: Sendable {
    let store: any IdempotencyKeyStore
    let serviceKeys: ServiceKeys

    /// - Parameters:
    ///   - request: the request without its key, different for different requests.
    ///   - subject: of the claim; a write that knows it only later replaces it.
    func run<Value: Sendable>(
        _ operation: KeyClaim.Operation, _ key: RequestKey, request: [String?], subject: UUID, by member: Member,
        write: (KeyClaim?) async throws(DiaryError) -> Value, replay: (KnownKey) async throws(DiaryError) -> Value
    ) async throws(DiaryError) -> (value: Value, replayed: Bool) {
        guard let text = key.text else {
            guard key.mayWrite else { throw DiaryError(.rateLimited) }
            return (try await write(nil), false)
        }
        var canon = CanonicalBytes()
        for member in request { canon.add(member) }
        let claim = KeyClaim(
            operation: operation, keyHash: serviceKeys.keyHash(text),
            requestHash: HMACSHA256.code(canon.bytes, key: serviceKeys.requestHash), subject: subject)
        if let known = try await known(claim, member) { return (try await replay(known), true) }
        guard key.mayWrite else { throw DiaryError(.rateLimited) }
        do {
            return (try await write(claim), false)
        } catch {
            // The same request may have succeeded meanwhile, on another connection.
            guard error.code.status < 500, error.code != .unauthorized, let known = try await known(claim, member) else { throw error }
            return (try await replay(known), true)
        }
    }

    private func known(_ claim: KeyClaim, _ member: Member) async throws(DiaryError) -> KnownKey? {
        guard let known = try await store.known(claim.operation, keyHash: claim.keyHash, of: member) else { return nil }
        guard known.requestHash == claim.requestHash else { throw .keyReused }
        return known
    }
}

extension DiaryError {
    /// The key was used for another request.
    static let keyReused = DiaryError(.idempotencyMismatch, fields: [.init("header/idempotency-key", "was used for another request")])
}

extension ServiceKeys {
    /// Keyed hash of an `Idempotency-Key`; the table's primary key holds tenant and user.
    func keyHash(_ key: String) -> [UInt8] { HMACSHA256.code(Array(key.utf8), key: requestHash) }
}
