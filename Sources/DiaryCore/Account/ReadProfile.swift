package struct ReadProfile: Sendable {
    let profiles: any ProfileStore
    let keys: DataKeys

    package func run(_ member: Member) async throws(DiaryError) -> Profile {
        let stored = try await profiles.profile(of: member)
        return try Profile(stored, opened: try await keys.vault(of: member))
    }
}
