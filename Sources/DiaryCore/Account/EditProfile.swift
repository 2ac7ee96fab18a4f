import DiaryCrypto
import FoundationEssentials

/// Changes a member's profile and preferences.
package struct EditProfile: Sendable {
    let profiles: any ProfileStore
    let keys: DataKeys

    package func run(_ patch: ProfilePatch, by member: Member) async throws(DiaryError) -> Profile {
        let vault = try await keys.vault(of: member)
        let sealed: Patch<[UInt8]>
        switch patch.name {
        case .absent: sealed = .absent
        case .clear: sealed = .clear
        case .set(let name): sealed = .set(try vault.seal(Array(name.utf8), .name, row: member.user.uuid))
        }
        var key: UUID?
        if case .set = sealed { key = vault.key.id }
        let stored = try await profiles.change(StoredProfilePatch(nameSealed: sealed, rest: patch), keyID: key, by: member)
        return try Profile(stored, opened: vault)
    }
}
