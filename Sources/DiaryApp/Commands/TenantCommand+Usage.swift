import ArgumentParser
import DiaryCore
import DiaryDatabase
import FoundationEssentials
import WireFormats

extension TenantCommand {
    struct Usage: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows what an app's speech and text engines used, by day or by account, and the app's limits on it.",
            discussion: """
                Days are those of UTC, and costs are in the currency of the engines' prices. By day the sums hold erased accounts too; \
                by account, named by id only, they come with the bytes that its recordings take now. The limits of the app and of each \
                account are those of now; `diary tenant set` changes them.
                """)

        enum Grouping: String, ExpressibleByArgument, CaseIterable { case day, user }

        @Argument var slug: String

        @Option(help: "The first day, YYYY-MM-DD. (default: 29 days before the last)")
        var from: String?

        @Option(help: "The last day. (default: today)")
        var to: String?

        @Option(help: "A row for each day, or for each account.")
        var by = Grouping.day

        @Flag(
            help: """
                Print JSON: [\(UsageReport.days.shape)], by user [\(UsageReport.users.shape)], costs in millionths; storage_bytes is there by \
                user only, and a limit is null for none.
                """)
        var json = false

        func validate() throws { _ = try range() }

        func run() async throws {
            let (first, last) = try range()
            let tenant = try await TenantCommand.tenant(slug)
            let limits = tenant.configuration.usageLimits
            let usage = PostgresUsageAdministration(pool: try AdminDatabase.pool())
            switch by {
            case .day:
                UsageReport.show(try await usage.days(of: tenant.id, from: first, to: last), limits, as: UsageReport.days, json: json)
            case .user:
                UsageReport.show(try await usage.users(of: tenant.id, from: first, to: last), limits, as: UsageReport.users, json: json)
            }
        }

        private func range() throws -> (CalendarDay, CalendarDay) {
            let today = GregorianDay(daysSince1970: Int((Date().timeIntervalSince1970 / 86_400).rounded(.down)))
            let last = try Self.day(to, "--to") ?? today
            let first = try Self.day(from, "--from") ?? GregorianDay(daysSince1970: last.daysSince1970 - 29)
            guard let first = CalendarDay(first.description), let last = CalendarDay(last.description), first <= last else {
                throw ValidationError("--from must not be after --to")
            }
            return (first, last)
        }

        private static func day(_ text: String?, _ option: String) throws -> GregorianDay? {
            guard let text else { return nil }
            guard let day = GregorianDay(text) else { throw ValidationError("\(option) must be a day, YYYY-MM-DD") }
            return day
        }
    }
}
