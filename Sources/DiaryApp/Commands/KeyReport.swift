import DiaryCore
import DiaryCrypto
import DiaryDatabase
import DiaryIdentity
import FoundationEssentials

/// What `diary keys list` shows: ids, states, times and counts.
struct KeyReport: Encodable {
    struct Signing: Encodable {
        let kid: String
        let state: String
        /// `database`, or `setting` for the one of DIARY_SIGNING_KEY.
        let source: String
        let master: String?
        let signs_from: String?
        let ends_at: String?
    }

    struct Master: Encodable {
        let id: String
        let current: Bool
        let configured: Bool
        let data_keys: Int
        let signing_keys: Int
        /// Secrets of apps, in the main database.
        let secrets: Int
    }

    let signing: [Signing]
    let masters: [Master]

    init(_ session: KeyAdministrationSession) async throws {
        let stored = Dictionary(session.stored.map { ($0.kid, $0) }) { first, _ in first }
        let refused = try await session.retirements().retired(among: session.schedule.keys.map(\.id))
        let living = session.schedule.keys.enumerated().map { index, key in
            Signing(
                kid: key.id,
                state: refused.contains(key.id) ? "restored" : session.schedule.state(of: index, at: session.readAt).rawValue,
                source: stored[key.id] == nil ? "setting" : "database", master: stored[key.id]?.sealed?.masterID,
                signs_from: stored[key.id].map { Self.text($0.signsFrom) }, ends_at: session.schedule.end(of: index).map(Self.text))
        }
        let retired = session.stored.filter { $0.sealed == nil }.map {
            Signing(kid: $0.kid, state: "retired", source: "database", master: nil, signs_from: nil, ends_at: nil)
        }
        signing = living + retired
        let counts = try await session.keys.dataKeysByMaster()
        let secrets = try await session.appSecrets().secretsByMaster()
        let configured = session.settings.masters
        let named = Set(session.stored.compactMap { $0.sealed?.masterID })
        masters = Set(configured.ids).union(counts.keys).union(secrets.keys).union(named).sorted().map { id in
            Master(
                id: id, current: id == configured.currentID, configured: configured.ids.contains(id), data_keys: counts[id] ?? 0,
                signing_keys: session.stored.count { $0.sealed?.masterID == id }, secrets: secrets[id] ?? 0)
        }
    }

    func show(json: Bool) throws {
        if json { return try CommandOutput.json(self) }
        var tokenKeys = TextTable("token key", "state", "from", "wrapped by", "signs from", "ends at")
        for key in signing {
            // A retired key has no bytes any more; the key of the setting is not in the database and was not wrapped.
            tokenKeys.add(
                key.kid, key.state, key.source == "setting" ? KeySettings.signingKey.name : key.source, key.master ?? "none",
                key.signs_from ?? (key.source == "setting" ? "the start" : ""), key.ends_at ?? "")
        }
        tokenKeys.show()
        print()
        var masterKeys = TextTable("master", "data keys", "token keys", "secrets of apps", "state")
        for master in masters {
            let state = master.current ? "current" : master.configured ? "older" : "not in \(KeySettings.masters.name)"
            masterKeys.add(master.id, String(master.data_keys), String(master.signing_keys), String(master.secrets), state)
        }
        masterKeys.show()
    }

    static func text(_ date: Date) -> String {
        Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)).formatted(.iso8601)
    }
}
