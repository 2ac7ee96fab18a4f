import ArgumentParser
import DiaryCore
import DiaryDatabase

extension TenantCommand {
    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Erases an app with every account in it.",
            discussion: """
                Suspends the app, marks every account for erasure, waits until the workers have erased them, and removes the app. May be interrupted and \
                run again. The records that `diary tenant acts` lists stay. Needs running workers and DIARY_SERVICE_SECRET. \
                JSON is \(Self.form.shape).
                """)

        private static let form = ReportForm<(slug: String, accounts: Int)>(
            .member("slug") { $0.slug }, .member("accounts") { $0.accounts })

        @Argument var slug: String

        @OptionGroup var confirmation: Confirmation

        @Option(help: "The slug again: every account of that app is erased.")
        var confirm: String?

        @Option(help: "Seconds to wait for the workers.")
        var wait = 3_600

        @OptionGroup var admin: AdminOptions

        func validate() throws {
            try confirmation.require("--yes --confirm \(slug)")
            guard confirm == slug else {
                throw CommandFailure("every account of \(slug) is erased: repeat the slug with --confirm \(slug)")
            }
            guard (1...604_800).contains(wait) else { throw ValidationError("--wait must be from 1 to 604800") }
        }

        func run() async throws {
            let tenant = try await TenantCommand.tenant(slug)
            let tenants = try TenantCommand.administration()
            let operatorName = try admin.who()
            _ = try await tenants.change(slug, TenantChange(suspended: true), .erasureRequested, by: operatorName)
            await admin.announce()
            let users = PostgresUserAdministration(pool: try AdminDatabase.pool())
            let erasure = try await AdminErasure(users: users)
            let count = try await erasure.eraseAll(of: tenant.id)
            CommandOutput.note("\(count) accounts are being erased")
            let deadline = ContinuousClock.now + .seconds(wait)
            while try await !users.eraseTenant(tenant.id, by: operatorName) {
                guard ContinuousClock.now < deadline else {
                    throw CommandFailure("accounts are left after \(wait) s: are workers running? Run it again to go on.")
                }
                // Accounts made while the app was being suspended.
                _ = try await erasure.eraseAll(of: tenant.id)
                try await Task.sleep(for: .milliseconds(500))
            }
            await admin.announce()
            Self.form.show((slug, count), json: admin.json, or: "\(slug) is erased")
        }
    }
}
