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

/// The check value of a master key or of the service secret, which says whether a process has the key that the key database belongs to.
package struct KeyCheck: Sendable, Equatable {
    package enum Subject: Sendable, Hashable {
        case master(String)
        case serviceSecret
    }

    package var subject: Subject
    /// 32 bytes.
    package var value: [UInt8]

    /// The name under which the key database stores the value.
    package var name: String {
        switch subject {
        case .master(let id): "master/\(id)"
        case .serviceSecret: "service-secret"
        }
    }
}

/// Check values in the key database.
package protocol KeyCheckStore: Sendable {
    /// - Returns: the values that are recorded, by name.
    func recorded(_ names: [String]) async throws(DiaryError) -> [String: [UInt8]]
    /// Records what is missing. Of two processes at once the first one's value stays.
    func record(_ checks: [KeyCheck]) async throws(DiaryError)
    /// A data key that this master wraps; nil when it wraps none.
    func wrappedKey(under masterID: String) async throws(DiaryError) -> (owner: Owner, key: WrappedKey)?
}
