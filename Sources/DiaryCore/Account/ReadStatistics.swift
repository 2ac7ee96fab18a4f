/// Counts a member's entries and recordings.
package struct ReadStatistics: Sendable {
    let profiles: any ProfileStore

    package func run(_ member: Member) async throws(DiaryError) -> AccountStatistics { try await profiles.statistics(of: member) }
}
