package import FoundationEssentials

/// A token key as the key database holds it.
package struct StoredSigningKey: Sendable, Equatable {
    /// The private key, sealed under a master of the ring.
    package struct Sealed: Sendable, Equatable {
        package var masterID: String
        package var bytes: [UInt8]

        package init(masterID: String, bytes: [UInt8]) {
            self.masterID = masterID
            self.bytes = bytes
        }
    }

    package var kid: String
    /// nil when it was retired.
    package var sealed: Sealed?
    package var publishedAt: Date
    package var signsFrom: Date

    package init(kid: String, sealed: Sealed?, publishedAt: Date, signsFrom: Date) {
        self.kid = kid
        self.sealed = sealed
        self.publishedAt = publishedAt
        self.signsFrom = signsFrom
    }

    /// The context that its sealed bytes are bound to.
    package static func context(_ kid: String) -> [String] { ["signing_keys", "sealed", kid] }
}

/// Token keys as the API reads them.
package protocol SigningKeyStore: Sendable {
    /// Ordered by the time from which they sign, retired ones included.
    func signingKeys() async throws(DiaryError) -> [StoredSigningKey]
}

/// Token keys that were retired, as the main database records it. A restore of the key database brings their private keys back; with this
/// record they stay retired.
package protocol RetiredTokenKeys: Sendable {
    /// - Returns: those of `kids` that were retired.
    func retired(among kids: [String]) async throws(DiaryError) -> Set<String>
    /// Succeeds for those already recorded.
    func record(_ kids: [String]) async throws(DiaryError)
}
