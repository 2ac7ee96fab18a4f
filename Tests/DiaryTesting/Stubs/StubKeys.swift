package import DiaryCore

/// No key was used before.
package struct StubKeys: IdempotencyKeyStore {
    package init() {}

    package func known(_ operation: KeyClaim.Operation, keyHash: [UInt8], of member: Member) async throws(DiaryError) -> KnownKey? { nil }
    package func begin(_ claim: KeyClaim, by member: Member) async throws(DiaryError) {}
    package func finish(_ claim: KeyClaim, results: [String], by member: Member) async throws(DiaryError) {}
}
