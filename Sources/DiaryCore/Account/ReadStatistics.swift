/// Counts what a member's diary holds.
package struct ReadStatistics: Sendable {
    let profiles: any ProfileStore

    package func run(_ member: Member) async throws(DiaryError) -> AccountStatistics { try await profiles.statistics(of: member) }
}
