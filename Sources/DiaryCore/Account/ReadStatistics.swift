/// Counts a member's entries and recordings, and what they have used of the app's limits.
package struct ReadStatistics: Sendable {
    let profiles: any ProfileStore
    let tenants: any TenantStore
    let clock: WallClock

    package func run(_ member: Member) async throws(DiaryError) -> AccountStatistics {
        var statistics = try await profiles.statistics(of: member, at: clock.now())
        statistics.limits = try await tenants.configuration(of: member.tenant).usageLimits
        return statistics
    }
}
