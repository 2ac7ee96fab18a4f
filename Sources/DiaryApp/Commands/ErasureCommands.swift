import ArgumentParser
import DiaryCore
import DiaryDatabase
import SystemPackage

extension UserCommand {
    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Erases an account; prints the receipt by which its owner may follow the erasure.",
            discussion: """
                Access ends at once; a worker destroys the key, the recordings and the rows within a minute. Needs \
                DIARY_SERVICE_SECRET. JSON is {id, receipt}.
                """)

        @OptionGroup var target: UserTarget

        @OptionGroup var confirmation: Confirmation
        @OptionGroup var admin: AdminOptions

        func validate() throws { try confirmation.require() }

        func run() async throws {
            let (users, owner) = try await target.find()
            guard let receipt = try await AdminErasure(users: users).erase(owner, by: try admin.who()) else { throw target.missing }
            struct Started: Encodable {
                let id: String
                let receipt: String
            }
            if admin.json {
                try CommandOutput.json(Started(id: owner.user.description, receipt: receipt.text))
            } else {
                print("\(owner.user): being erased; receipt \(receipt.text)")
            }
        }
    }
}

extension TenantCommand {
    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Erases an app with every account in it.",
            discussion: """
                Suspends the app, marks every account for erasure, waits until the workers have erased them, and removes the app. May be interrupted and \
                run again. The records that `diary tenant acts` lists stay. Needs running workers and DIARY_SERVICE_SECRET.
                """)

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
            report("\(count) accounts are being erased")
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
            if admin.json {
                struct Gone: Encodable {
                    let slug: String
                    let accounts: Int
                }
                try CommandOutput.json(Gone(slug: slug, accounts: count))
            } else {
                print("\(slug) is erased")
            }
        }

        /// Progress goes to standard error: scripts read standard output.
        private func report(_ text: String) {
            _ = try? FileDescriptor.standardError.writeAll("\(text)\n".utf8)
        }
    }
}

/// Marks accounts as being erased.
private struct AdminErasure {
    let users: PostgresUserAdministration
    private let serviceKeys: ServiceKeys
    private let uploadSeconds: Int

    init(users: PostgresUserAdministration) async throws {
        self.users = users
        let environment = Environment.process
        let secret = try environment.read(KeySettings.serviceSecret)
        // With another secret the worker could not read whose account it is.
        try await KeyVerification.run(environment, secret: secret)
        serviceKeys = ServiceKeys(secret: secret)
        uploadSeconds = try environment.read(LimitSettings.uploadURLSeconds)
    }

    /// - Parameter operator: nil when the whole app is erased, which is recorded already.
    /// - Returns: nil when there is no such account, or it is being erased.
    func erase(_ owner: Owner, by operator: String?) async throws -> ErasureReceipt? {
        let (deletion, receipt) = try NewDeletion.of(owner, uploadSeconds: uploadSeconds, serviceKeys, at: WallClock.system.now())
        return try await users.requestErasure(owner, deletion, by: `operator`) ? receipt : nil
    }

    func eraseAll(of tenant: TenantID) async throws -> Int {
        var count = 0
        var last: DiaryCore.UserID?
        while true {
            let page = try await users.users(of: tenant, after: last, limit: 500)
            for user in page where try await erase(Owner(tenant: tenant, user: user), by: nil) != nil { count += 1 }
            guard let end = page.last else { return count }
            last = end
        }
    }
}
