import DiaryCore

/// Prints findings as they come, so that a long list is never in memory, and at the end counts and advice.
struct ObjectsReport {
    let json: Bool
    private var found: [ObjectFinding.Kind: Int] = [:]

    init(json: Bool) { self.json = json }

    var isClean: Bool { found.isEmpty }

    private struct Line: Encodable {
        let finding: String
        let tenant: String
        let user: String
        let id: String
    }

    private struct Summary: Encodable {
        struct Counts: Encodable {
            let recordings: Int
            let copies: Int
            let zips: Int
            let objects: Int
            let hashed: Int
            let kept: Int
        }

        let counts: Counts
        let findings: [String: Int]
    }

    mutating func add(_ finding: ObjectFinding) throws {
        found[finding.kind, default: 0] += 1
        let (tenant, user) = (finding.owner.tenant.description, finding.owner.user.description)
        if json {
            try CommandOutput.json(Line(finding: finding.kind.rawValue, tenant: tenant, user: user, id: finding.id))
        } else {
            print("\(finding.kind.rawValue)  \(tenant)  \(user)  \(finding.id)")
        }
    }

    func finish(_ counts: VerifyObjects.Counts) throws {
        if json {
            let findings = Dictionary(uniqueKeysWithValues: found.map { ($0.key.rawValue, $0.value) })
            return try CommandOutput.json(
                Summary(
                    counts: .init(
                        recordings: counts.recordings, copies: counts.copies, zips: counts.zips, objects: counts.objects,
                        hashed: counts.hashed, kept: counts.kept),
                    findings: findings))
        }
        print(
            """
            looked at \(counts.recordings) recordings, \(counts.copies) copies and \(counts.zips) zips that rows name, and \(counts.objects) \
            objects; compared \(counts.hashed) hashes
            """
        )
        if counts.kept > 0 { print("\(counts.kept) objects are kept because of a restore: `diary objects orphans`") }
        for kind in ObjectFinding.Kind.allCases {
            if let count = found[kind] { print("\(kind.rawValue): \(count). \(Self.advice(kind))") }
        }
        if isClean { print("all fits together") }
    }

    private static func advice(_ kind: ObjectFinding.Kind) -> String {
        switch kind {
        case .missing: "Copy the object from a backup; without it the recording is lost, its text is not."
        case .withoutRow: "Sweepers delete it within a day of its last move; workers must run. If it stays: their log says why."
        case .damaged: "Copy the object from a backup: its bytes were altered, or it is sealed under another key."
        case .otherHash: "The recording opens and is another one than was checked when it arrived: copy it from a backup."
        case .keyMissing: "`diary restore-check` says more: the account's key is gone, or DIARY_MASTER_KEYS lacks its master key."
        }
    }
}
