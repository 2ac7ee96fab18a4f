package import DiaryCrypto

/// Compares master keys and service secret with their check values, before anything is sealed or looked up with them. A key that has no
/// value yet is recorded, a master only when it opens what it wraps.
package struct CheckKeys: Sendable {
    let store: any KeyCheckStore

    package init(store: any KeyCheckStore) { self.store = store }

    /// - Parameters:
    ///   - masters: nil where a command uses none.
    ///   - serviceKeys: nil where a command uses none.
    /// - Returns: the keys that are not the ones of this database; empty when all are.
    package func run(masters: MasterKeyRing?, serviceKeys: ServiceKeys?) async throws(DiaryError) -> [KeyCheck.Subject] {
        var checks: [KeyCheck] = []
        for id in masters?.ids ?? [] {
            if let value = masters?.checkValue(of: id) { checks.append(KeyCheck(subject: .master(id), value: value)) }
        }
        if let serviceKeys { checks.append(KeyCheck(subject: .serviceSecret, value: serviceKeys.checkValue)) }
        let names = checks.map(\.name)
        let known = try await store.recorded(names)
        var wrong: Set<KeyCheck.Subject> = []
        var missing: [KeyCheck] = []
        for check in checks where known[check.name] == nil {
            if case .master(let id) = check.subject, let masters, try await !opens(id, masters) {
                wrong.insert(check.subject)
            } else {
                missing.append(check)
            }
        }
        if !missing.isEmpty { try await store.record(missing) }
        // Read again: another process may have been first, with another key.
        let recorded = missing.isEmpty ? known : try await store.recorded(names)
        for check in checks {
            guard let value = recorded[check.name] else { continue }
            if !ConstantTime.equal(value, check.value) { wrong.insert(check.subject) }
        }
        return checks.map(\.subject).filter(wrong.contains)
    }

    private func opens(_ id: String, _ masters: MasterKeyRing) async throws(DiaryError) -> Bool {
        guard let (owner, key) = try await store.wrappedKey(under: id) else { return true }
        return (try? masters.unwrap(key, tenant: owner.tenant.uuid, user: owner.user.uuid)) != nil
    }
}
