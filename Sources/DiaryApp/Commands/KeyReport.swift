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
        let configured = session.settings.masters
        let named = Set(session.stored.compactMap { $0.sealed?.masterID })
        masters = Set(configured.ids).union(counts.keys).union(named).sorted().map { id in
            Master(
                id: id, current: id == configured.currentID, configured: configured.ids.contains(id), data_keys: counts[id] ?? 0,
                signing_keys: session.stored.count { $0.sealed?.masterID == id })
        }
    }

    func show(json: Bool) throws {
        if json { return try CommandOutput.json(self) }
        print("token keys")
        for key in signing {
            let times = [key.signs_from.map { "signs from \($0)" }, key.ends_at.map { "ends \($0)" }].compactMap { $0 }
            print("  \(key.kid)  \(key.state)  \(key.source)  \(key.master ?? "-")  \(times.joined(separator: ", "))")
        }
        print("masters")
        for master in masters {
            let notes = [master.current ? "current" : nil, master.configured ? nil : "not configured"].compactMap { $0 }
            print("  \(master.id)  \(master.data_keys) data keys  \(master.signing_keys) signing keys  \(notes.joined(separator: ", "))")
        }
    }

    static func text(_ date: Date) -> String {
        Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)).formatted(.iso8601)
    }
}
