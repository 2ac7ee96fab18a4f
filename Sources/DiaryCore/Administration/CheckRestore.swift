package import DiaryCrypto
import FoundationEssentials

/// What does not fit together after a restore of databases and objects that are of different times. Reads page by page, so that memory does
/// not grow with the service; changes nothing.
package struct CheckRestore: Sendable {
    package struct Counts: Sendable, Equatable {
        package var accounts = 0
        package var keys = 0
        package var recordings = 0
        package var zips = 0
        package var objects = 0
        package var waitingDeletions = 0
    }

    /// What is being looked at, for the operator's patience.
    package typealias Progress = (_ part: String, _ count: Int) -> Void

    let store: any RestoreCheckStore
    let objects: any ObjectStore
    let masters: MasterKeyRing
    let serviceKeys: ServiceKeys
    let clock: WallClock
    static let page = 1_000
    /// A sign-up makes its key before its account, and an upload may be under way: younger ones are no finding.
    static let youngSeconds = 600.0

    package init(
        store: any RestoreCheckStore, objects: any ObjectStore, masters: MasterKeyRing, serviceKeys: ServiceKeys, clock: WallClock = .system
    ) {
        self.store = store
        self.objects = objects
        self.masters = masters
        self.serviceKeys = serviceKeys
        self.clock = clock
    }

    package func run(progress: Progress, report: (RestoreFinding) throws -> Void) async throws -> Counts {
        var counts = Counts()
        let epoch = try await store.epoch()
        if epoch.isOld { try report(RestoreFinding(kind: .oldEpoch)) }
        try await checkSecrets(report)
        for kid in try await store.restoredTokenKeys() { try report(RestoreFinding(kind: .tokenKeyRestored, id: kid)) }
        try await checkAccounts(epoch, &counts, progress, report)
        try await checkNamed(&counts, progress, report)
        try await checkObjects(&counts, progress, report)
        counts.waitingDeletions = try await store.waitingDeletions()
        return counts
    }

    // MARK: Secrets

    private func checkSecrets(_ report: (RestoreFinding) throws -> Void) async throws {
        let masterChecks = masters.ids.compactMap { id in masters.checkValue(of: id).map { KeyCheck(subject: .master(id), value: $0) } }
        let serviceCheck = KeyCheck(subject: .serviceSecret, value: serviceKeys.checkValue)
        let known = try await store.checkValues((masterChecks + [serviceCheck]).map(\.name))
        for check in masterChecks {
            if let value = known[check.name], value != check.value, case .master(let id) = check.subject {
                try report(RestoreFinding(kind: .wrongMasterKey, id: id))
            }
        }
        // Also by what it is for: the check value may be of the same wrong secret.
        var isWrong = known[serviceCheck.name].map { $0 != serviceCheck.value } ?? false
        for account in try await store.addresses(limit: 3) {
            guard let wrapped = try await store.wrappedKey(of: account.owner), let key = opened(wrapped, account.owner),
                let bytes = try? Vault(key: key, owner: account.owner).open(account.sealed, .email, row: account.owner.user.uuid),
                let address = MailAddress(String(decoding: bytes, as: UTF8.self))
            else { continue }
            if serviceKeys.addressHash(address.normalised, tenant: account.owner.tenant) != account.hash { isWrong = true }
        }
        if isWrong { try report(RestoreFinding(kind: .wrongServiceSecret)) }
    }

    private func opened(_ key: WrappedKey, _ owner: Owner) -> DataKey? {
        try? masters.unwrap(key, tenant: owner.tenant.uuid, user: owner.user.uuid)
    }

    // MARK: Accounts and keys

    /// Both databases in the same order, side by side.
    private func checkAccounts(
        _ epoch: RestoredEpoch, _ counts: inout Counts, _ progress: Progress, _ report: (RestoreFinding) throws -> Void
    ) async throws {
        let youngest = clock.now().addingTimeInterval(-Self.youngSeconds)
        var accounts: ArraySlice<RestoredAccount> = []
        var keys: ArraySlice<RestoredKey> = []
        var lastAccount: Owner?
        var lastKey: Owner?
        var hasAccounts = true
        var hasKeys = true
        while true {
            if accounts.isEmpty, hasAccounts {
                accounts = try await store.accounts(after: lastAccount, limit: Self.page)[...]
                hasAccounts = !accounts.isEmpty
                counts.accounts += accounts.count
                lastAccount = accounts.last?.owner ?? lastAccount
                progress("accounts", counts.accounts)
            }
            if keys.isEmpty, hasKeys {
                keys = try await store.keys(after: lastKey, limit: Self.page)[...]
                hasKeys = !keys.isEmpty
                counts.keys += keys.count
                lastKey = keys.last?.owner ?? lastKey
                progress("keys", counts.keys)
            }
            switch (accounts.first, keys.first) {
            case (nil, nil): return
            case (let account?, let key) where key.map({ account.owner.isBefore($0.owner) }) ?? true:
                accounts.removeFirst()
                if !account.isGoing { try report(RestoreFinding(kind: .accountWithoutKey, owner: account.owner)) }
            case (let account, let key?) where account.map({ key.owner.isBefore($0.owner) }) ?? true:
                keys.removeFirst()
                let isLost = epoch.lost.contains { $0.contains(key.createdAt) }
                guard isLost || key.createdAt < youngest else { continue }
                try report(RestoreFinding(kind: isLost ? .keyOfLostAccount : .keyWithoutAccount, owner: key.owner))
            case (let account?, let key?):
                accounts.removeFirst()
                keys.removeFirst()
                if account.keyID != key.key.keyID {
                    try report(RestoreFinding(kind: .otherKey, owner: account.owner))
                } else if opened(key.key, key.owner) == nil {
                    try report(RestoreFinding(kind: .keyDoesNotOpen, owner: account.owner, id: key.key.masterID))
                }
            case (_?, nil), (nil, _?): return
            }
        }
    }

    // MARK: Rows and objects

    private func checkNamed(
        _ counts: inout Counts, _ progress: Progress, _ report: (RestoreFinding) throws -> Void
    ) async throws {
        var after: NamedObject?
        while let page = try await store.recordings(after: after, limit: Self.page).nonEmpty {
            let missing = try await missing(page, [.audio, .staging])
            for object in missing { try report(RestoreFinding(kind: .missingObject, owner: object.owner, id: object.id.lowercaseText)) }
            counts.recordings += page.count
            progress("recordings", counts.recordings)
            after = page.last
        }
        after = nil
        while let page = try await store.copies(after: after, limit: Self.page).nonEmpty {
            let missing = try await missing(page, [.audio])
            for object in missing { try report(RestoreFinding(kind: .missingObject, owner: object.owner, id: object.id.lowercaseText)) }
            after = page.last
        }
        after = nil
        while let page = try await store.zips(after: after, limit: Self.page).nonEmpty {
            let missing = try await missing(page, [.export])
            for object in missing { try report(RestoreFinding(kind: .missingObject, owner: object.owner, id: object.id.lowercaseText)) }
            counts.zips += page.count
            progress("zips", counts.zips)
            after = page.last
        }
        after = nil
        while let page = try await store.importedZips(after: after, limit: Self.page).nonEmpty {
            let missing = try await missing(page, [.imported, .staging])
            for object in missing { try report(RestoreFinding(kind: .missingObject, owner: object.owner, id: object.id.lowercaseText)) }
            counts.zips += page.count
            progress("zips", counts.zips)
            after = page.last
        }
    }

    /// Objects that are at none of the places, or not whole.
    private func missing(_ objects: [NamedObject], _ places: [ObjectKey.Kind]) async throws -> [NamedObject] {
        var left = objects
        for kind in places where !left.isEmpty {
            let keys = left.map { ObjectKey(kind: kind, owner: $0.owner, object: $0.object) }
            let found = try await self.objects.facts(of: keys)
            left = try zip(left, found).compactMap { object, facts in try facts.get() == nil ? object : nil }
        }
        return left
    }

    private func checkObjects(
        _ counts: inout Counts, _ progress: Progress, _ report: (RestoreFinding) throws -> Void
    ) async throws {
        let before = clock.now().addingTimeInterval(-Self.youngSeconds)
        let kept = try await store.epoch().kept
        for kind in ObjectKey.Kind.allCases {
            var after: ObjectKey?
            repeat {
                let page = try await objects.list(kind, olderThan: .distantFuture, after: after, limit: Self.page)
                let orphans = page.objects.isEmpty ? [] : Set(try await store.orphans(among: page.keys))
                for object in page.objects where orphans.contains(object.key) {
                    guard object.storedAt < before || kept.contains(where: { $0.contains(object.storedAt) }) else { continue }
                    try report(
                        RestoreFinding(
                            kind: .objectWithoutRow, owner: Owner(tenant: object.key.tenant, user: object.key.user),
                            id: object.key.description))
                }
                counts.objects += page.objects.count
                progress("objects", counts.objects)
                after = page.next
            } while after != nil
        }
    }
}

extension Array {
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}

extension Owner {
    /// In the database's order: bytes of the tenant, then of the user.
    fileprivate func isBefore(_ other: Owner) -> Bool {
        (tenant.uuid.octets + user.uuid.octets).lexicographicallyPrecedes(other.tenant.uuid.octets + other.user.uuid.octets)
    }
}

/// Something that does not fit together after a restore. Ids only.
package struct RestoreFinding: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The key was destroyed after the dump of the main database, or the key database is older.
        case accountWithoutKey = "account_without_key"
        /// The account's rows were sealed under another key than the one that is there.
        case otherKey = "other_key"
        case keyDoesNotOpen = "key_does_not_open"
        /// The account is erased; a restore brought its key back.
        case keyWithoutAccount = "key_without_account"
        /// The account was made in the time that the main database has lost.
        case keyOfLostAccount = "key_of_lost_account"
        /// A recording or zip that a row names is not in the store.
        case missingObject = "missing_object"
        /// No row names the object. A newer dump may still name one of the lost time.
        case objectWithoutRow = "object_without_row"
        case wrongMasterKey = "wrong_master_key"
        case wrongServiceSecret = "wrong_service_secret"
        case tokenKeyRestored = "token_key_restored"
        case oldEpoch = "old_epoch"
    }

    package var kind: Kind
    package var owner: Owner?
    /// The entry's, export's, object's or key's id.
    package var id: String?
}
