/// Lists a member's sessions.
package struct ListSessions: Sendable {
    let sessions: any SessionStore
    let keys: DataKeys

    package func run(_ member: Member) async throws(DiaryError) -> [SessionView] {
        let stored = try await sessions.sessions(of: member)
        let vault = try await keys.vault(of: member)
        return stored.map { session in
            // A device name that does not open leaves the session in the list.
            func text(_ sealed: [UInt8]?, _ part: Vault.Part) -> String? {
                sealed.flatMap { try? vault.open($0, part, row: session.id.uuid) }.map { String(decoding: $0, as: UTF8.self) }
            }
            return SessionView(
                id: session.id, device: text(session.deviceSealed, .device), place: text(session.placeSealed, .place),
                createdAt: session.createdAt, lastUsedAt: session.lastUsedAt, isCurrent: session.id == member.session)
        }
    }
}
