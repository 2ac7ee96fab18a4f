import DiaryCore
import DiaryCrypto
import DiaryDatabase
import DiaryIdentity
import FoundationEssentials

/// What `diary keys list` shows: ids, states, times and counts.
struct KeyReport: Sendable {
    struct Signing: Sendable {
        let kid: String
        let state: String
        /// Whether it is in the database; else it is the one of DIARY_SIGNING_KEY.
        var isStored = true
        var master: String?
        var signsFrom: Date?
        var endsAt: Date?
    }

    struct Master: Sendable {
        let id: String
        let isCurrent: Bool
        let isConfigured: Bool
        let dataKeys: Int
        let signingKeys: Int
        /// Secrets of apps, in the main database.
        let secrets: Int
    }

    let signing: [Signing]
    let masters: [Master]

    static let form = ReportForm<KeyReport>(.list("signing", signingForm) { $0.signing }, .list("masters", masterForm) { $0.masters })

    // A retired key has no bytes any more; the key of the setting is not in the database and was not wrapped.
    private static let signingForm = ReportForm<Signing>(
        .field("kid", column: "token key") { $0.kid },
        .field("state") { $0.state },
        .member("source") { $0.isStored ? "database" : "setting" },
        .column("from") { $0.isStored ? "database" : KeySettings.signingKey.name },
        .field("master", column: "wrapped by", none: "none") { $0.master },
        .member("signs_from") { $0.signsFrom },
        .column("signs from") { $0.signsFrom?.text ?? ($0.isStored ? "" : "the start") },
        .field("ends_at") { $0.endsAt })

    private static let masterForm = ReportForm<Master>(
        .field("id", column: "master") { $0.id },
        .member("current") { $0.isCurrent },
        .member("configured") { $0.isConfigured },
        .field("data_keys") { $0.dataKeys },
        .field("signing_keys", column: "token keys") { $0.signingKeys },
        .field("secrets", column: "secrets of apps") { $0.secrets },
        .column("state") { $0.isCurrent ? "current" : $0.isConfigured ? "older" : "not in \(KeySettings.masters.name)" })

    init(_ session: KeyAdministrationSession) async throws {
        let stored = Dictionary(session.stored.map { ($0.kid, $0) }) { first, _ in first }
        let refused = try await session.retirements().retired(among: session.schedule.keys.map(\.id))
        let living = session.schedule.keys.enumerated().map { index, key in
            Signing(
                kid: key.id,
                state: refused.contains(key.id) ? "restored" : session.schedule.state(of: index, at: session.readAt).rawValue,
                isStored: stored[key.id] != nil, master: stored[key.id]?.sealed?.masterID,
                signsFrom: stored[key.id]?.signsFrom, endsAt: session.schedule.end(of: index))
        }
        let retired = session.stored.filter { $0.sealed == nil }.map { Signing(kid: $0.kid, state: "retired") }
        signing = living + retired
        let counts = try await session.keys.dataKeysByMaster()
        let secrets = try await session.appSecrets().secretsByMaster()
        let configured = session.settings.masters
        let named = Set(session.stored.compactMap { $0.sealed?.masterID })
        masters = Set(configured.ids).union(counts.keys).union(secrets.keys).union(named).sorted().map { id in
            Master(
                id: id, isCurrent: id == configured.currentID, isConfigured: configured.ids.contains(id), dataKeys: counts[id] ?? 0,
                signingKeys: session.stored.count { $0.sealed?.masterID == id }, secrets: secrets[id] ?? 0)
        }
    }

    func show(json: Bool) {
        if json { return Self.form.show(json: self) }
        Self.signingForm.table(signing).show()
        print()
        Self.masterForm.table(masters).show()
    }
}
