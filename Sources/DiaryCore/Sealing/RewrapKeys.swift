package import DiaryCrypto
package import FoundationEssentials

/// Rewraps every data key that is not wrapped by the current master, while the service runs (G8). The data keys themselves do not change,
/// so sealed data is not touched and other processes need not be notified. An interrupted run is continued by the next one: the keys that
/// are left name the old master.
package struct RewrapKeys: Sendable {
    package struct Report: Sendable, Equatable {
        package var dataKeys = 0
        package var signingKeys = 0
        /// Destroyed, or rewrapped by another run, since this one read them.
        package var changed = 0
        /// Their master is not in the ring, or the bytes are damaged: they stay as they are.
        package var unreadable = 0
    }

    let keys: any KeyAdministration
    let masters: MasterKeyRing
    let batch: Int

    /// - Parameter batch: keys per transaction.
    package init(keys: any KeyAdministration, masters: MasterKeyRing, batch: Int) {
        self.keys = keys
        self.masters = masters
        self.batch = max(1, batch)
    }

    package func run() async throws(DiaryError) -> Report {
        var report = Report()
        try await rewrapSigningKeys(&report)
        var after: Owner?
        while true {
            let page = try await keys.dataKeys(notUnder: masters.currentID, after: after, limit: batch)
            guard let last = page.last else { return report }
            var wrapped: [(owner: Owner, old: WrappedKey, new: WrappedKey)] = []
            for (owner, old) in page {
                if let new = rewrapped(old, of: owner) { wrapped.append((owner, old, new)) } else { report.unreadable += 1 }
            }
            try Failpoint.rewrapOpened.hitAsDiaryError()
            if !wrapped.isEmpty {
                let set = try await keys.rewrap(wrapped)
                report.dataKeys += set
                report.changed += wrapped.count - set
            }
            try Failpoint.rewrapCommitted.hitAsDiaryError()
            after = last.owner
        }
    }

    private func rewrapped(_ old: WrappedKey, of owner: Owner) -> WrappedKey? {
        guard let key = try? masters.unwrap(old, tenant: owner.tenant.uuid, user: owner.user.uuid) else { return nil }
        return try? masters.wrap(key, tenant: owner.tenant.uuid, user: owner.user.uuid)
    }

    private func rewrapSigningKeys(_ report: inout Report) async throws(DiaryError) {
        for key in try await keys.signingKeys() {
            guard let old = key.sealed, old.masterID != masters.currentID else { continue }
            let context = StoredSigningKey.context(key.kid)
            guard let plain = try? masters.open(old.bytes, under: old.masterID, context: context),
                let new = try? masters.seal(plain, context: context)
            else {
                report.unreadable += 1
                continue
            }
            if try await keys.rewrap(kid: key.kid, from: old, to: .init(masterID: new.masterID, bytes: new.bytes)) {
                report.signingKeys += 1
            } else {
                report.changed += 1
            }
        }
    }
}

/// What `diary keys` does, by the database role `diary_admin` of the key database.
package protocol KeyAdministration: SigningKeyStore {
    /// - Parameter seconds: from now until it signs.
    /// - Returns: that time by the database's clock; nil when another published key does not sign yet.
    func publish(kid: String, sealed: StoredSigningKey.Sealed, signsAfter seconds: Double) async throws(DiaryError) -> Date?
    /// Also one that the database does not have yet, because it comes from a setting.
    func retire(kid: String) async throws(DiaryError)
    /// Compare and set.
    func rewrap(kid: String, from old: StoredSigningKey.Sealed, to new: StoredSigningKey.Sealed) async throws(DiaryError) -> Bool

    /// How many data keys each master wraps.
    func dataKeysByMaster() async throws(DiaryError) -> [String: Int]
    /// A page of those that another master wraps, by tenant and user.
    func dataKeys(notUnder masterID: String, after: Owner?, limit: Int) async throws(DiaryError) -> [(owner: Owner, key: WrappedKey)]
    /// Compare and set, all in one transaction.
    /// - Returns: how many were set; the rest were destroyed or wrapped anew meanwhile.
    func rewrap(_ keys: [(owner: Owner, old: WrappedKey, new: WrappedKey)]) async throws(DiaryError) -> Int
    /// For a key whose account is erased, and that a restore brought back.
    /// - Returns: false when there is none.
    func destroy(keyOf owner: Owner) async throws(DiaryError) -> Bool
}
