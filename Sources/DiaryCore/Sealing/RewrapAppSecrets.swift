package import DiaryCrypto

/// Seals under the current master every secret of an app that another one sealed, while the service runs (G8). May be interrupted and run
/// again: the secrets that are left name the old master.
package struct RewrapAppSecrets: Sendable {
    package struct Report: Sendable, Equatable {
        package var secrets = 0
        /// Set anew or taken away since they were read.
        package var changed = 0
        /// Their master is not in the ring, or the bytes are damaged: they stay as they are.
        package var unreadable = 0
    }

    let store: any AppSecretRewrapping
    let masters: MasterKeyRing
    private static let page = 100

    package init(store: any AppSecretRewrapping, masters: MasterKeyRing) {
        self.store = store
        self.masters = masters
    }

    package func run() async throws(DiaryError) -> Report {
        var report = Report()
        var after: StoredAppSecret?
        while true {
            let page = try await store.secrets(notUnder: masters.currentID, after: after, limit: Self.page)
            guard let last = page.last else { return report }
            for old in page {
                guard let new = old.rewrapped(under: masters) else {
                    report.unreadable += 1
                    continue
                }
                if try await store.rewrap(old, to: new) { report.secrets += 1 } else { report.changed += 1 }
            }
            after = last
        }
    }
}

/// Secrets of apps, for the rotation of the master key.
package protocol AppSecretRewrapping: Sendable {
    /// How many secrets each master seals.
    func secretsByMaster() async throws(DiaryError) -> [String: Int]
    /// A page of those that another master seals, by app and name.
    func secrets(notUnder masterID: String, after: StoredAppSecret?, limit: Int) async throws(DiaryError) -> [StoredAppSecret]
    /// Compare and set.
    /// - Returns: false when it was set anew or taken away meanwhile.
    func rewrap(_ old: StoredAppSecret, to new: StoredAppSecret) async throws(DiaryError) -> Bool
}
