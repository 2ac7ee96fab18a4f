import FoundationEssentials

/// The sign-in methods of a member's account, oldest first.
package struct ListIdentities: Sendable {
    let linked: any LinkedIdentityStore
    let keys: DataKeys

    package func run(_ member: Member) async throws(DiaryError) -> [IdentityView] {
        let found = try await linked.identities(of: member)
        let vault = try await keys.vault(of: member)
        var views: [IdentityView] = []
        for identity in found {
            let (part, row): (Vault.Part, UUID) = identity.provider == nil ? (.email, member.user.uuid) : (.address, identity.id.uuid)
            views.append(IdentityView(linked: identity, address: try vault.text(identity.addressSealed, part, row: row)))
        }
        return views
    }
}
