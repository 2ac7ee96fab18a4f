import DiaryCore

/// Prints findings as they come, so that a long list is never in memory, and at the end counts and advice.
struct RestoreReport {
    let json: Bool
    private var found: [RestoreFinding.Kind: Int] = [:]

    init(json: Bool) { self.json = json }

    var isClean: Bool { found.isEmpty }

    private struct Line: Encodable {
        let finding: String
        let tenant: String?
        let user: String?
        let id: String?
    }

    private struct Summary: Encodable {
        struct Counts: Encodable {
            let accounts: Int
            let keys: Int
            let recordings: Int
            let zips: Int
            let objects: Int
            let waiting_deletions: Int
        }

        let counts: Counts
        let findings: [String: Int]
    }

    mutating func add(_ finding: RestoreFinding) throws {
        found[finding.kind, default: 0] += 1
        let (tenant, user) = (finding.owner?.tenant.description, finding.owner?.user.description)
        if json {
            try CommandOutput.json(Line(finding: finding.kind.rawValue, tenant: tenant, user: user, id: finding.id))
        } else {
            print(([finding.kind.rawValue] + [tenant, user, finding.id].compactMap { $0 }).joined(separator: "  "))
        }
    }

    func finish(_ counts: CheckRestore.Counts) throws {
        if json {
            let findings = Dictionary(uniqueKeysWithValues: found.map { ($0.key.rawValue, $0.value) })
            return try CommandOutput.json(
                Summary(
                    counts: .init(
                        accounts: counts.accounts, keys: counts.keys, recordings: counts.recordings, zips: counts.zips,
                        objects: counts.objects, waiting_deletions: counts.waitingDeletions), findings: findings))
        }
        print(
            "looked at \(counts.accounts) accounts, \(counts.keys) keys, \(counts.recordings) recordings and \(counts.zips) zips that rows name, \(counts.objects) objects"
        )
        if counts.waitingDeletions > 0 { print("\(counts.waitingDeletions) deletions wait; workers carry them out") }
        for kind in RestoreFinding.Kind.allCases {
            if let count = found[kind] { print("\(kind.rawValue): \(count). \(Self.advice(kind))") }
        }
        print(isClean ? "all fits together" : "what each finding means: docs/operations.md, After a restore")
    }

    private static func advice(_ kind: RestoreFinding.Kind) -> String {
        switch kind {
        case .accountWithoutKey:
            "Erased since the dump of the main database: `diary user erase`. Many of them: the key database is too old, restore a newer one."
        case .otherKey, .keyDoesNotOpen: "Unreadable: the key database, or DIARY_MASTER_KEYS, is not of this main database."
        case .keyWithoutAccount: "Erased before: `diary keys destroy`, or backups of that account can be read."
        case .keyOfLostAccount: "Made in the lost time. When nothing newer will be restored: `diary keys destroy`."
        case .missingObject: "Copy the object from a newer backup; without it the recording is lost, its text is not."
        case .objectWithoutRow: "Kept until `diary objects orphans --delete --yes` when it is of the lost time; else sweepers remove it."
        case .wrongMasterKey: "The key of this name in DIARY_MASTER_KEYS is another one."
        case .wrongServiceSecret: "DIARY_SERVICE_SECRET is another one: no sign-in would work."
        case .tokenKeyRestored: "It is refused; destroy it again: `diary keys retire`."
        case .oldEpoch: "`diary sync new-epoch`, before the service starts."
        }
    }
}
