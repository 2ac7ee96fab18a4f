import ArgumentParser
import DiaryCore
import DiaryCrypto
import DiaryDatabase
import DiaryIdentity
import FoundationEssentials
import PostgresClient

extension UserCommand {
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes an account for an address that the operator vouches for, with a password from standard input; prints its id.",
            discussion: """
                printf %s "$PASSWORD" | diary user create my-day anna@example.org

                The account can be signed in to at once, without a mail; its owner changes the password. Needs DIARY_MASTER_KEYS and \
                DIARY_SERVICE_SECRET, and the roles diary_admin and diary_auth. JSON is \(Self.form.shape).
                """)

        private static let form = ReportForm<UserID>(.member("id") { $0.description })

        @Argument(help: "The app's slug.")
        var tenant: String

        @Argument(help: "The address to sign in with.")
        var address: String

        @Option(help: "The person's name.")
        var name: String?

        @Option(help: "The time zone of the diary's days, e.g. Europe/Berlin.")
        var timeZone = "UTC"

        @OptionGroup var admin: AdminOptions

        func validate() throws {
            guard MailAddress(address) != nil else { throw ValidationError("must be a mail address") }
            if let name, let fault = OneLineText.fault(ofName: name, max: 100) { throw ValidationError("--name \(fault)") }
        }

        func run() async throws {
            guard let mail = MailAddress(address) else { throw ValidationError("must be a mail address") }
            let password = try SecretInput.password(orGive: "printf %s \"$PASSWORD\" | diary user create \(tenant) \(address)")
            if password.utf8.contains(0) { throw CommandFailure("the password must not contain U+0000") }
            if let fault = PasswordRules().fault(password, context: [address, name].compactMap(\.self)) {
                throw CommandFailure("the password \(fault)")
            }
            let environment = Environment.process
            let masters = try environment.read(KeySettings.masters)
            let secret = try environment.read(KeySettings.serviceSecret)
            try await KeyVerification.run(environment, masters: masters, secret: secret)
            let app = try await TenantCommand.tenant(tenant)
            let users = PostgresUserAdministration(pool: try AdminDatabase.pool())
            let hash = ServiceKeys(secret: secret).addressHash(mail.normalised, tenant: app.id)
            let taken = CommandFailure("an account of \(tenant) has this address, verified or not")
            guard try await users.user(address: hash, in: app.id) == nil else { throw taken }
            let phc = try await Argon2Hasher(concurrency: 1).hash(password, for: .unknown)
            let keyPool = try ConnectionPool(
                .init(connection: DatabaseSettings(environment).keys(as: .auth), size: 1), logger: AdminDatabase.logger)
            let keys = DataKeys(store: PostgresKeyStore(pool: keyPool), ring: masters)
            let owner = Owner(tenant: app.id, user: UserID(UUIDv7.make()))
            // The key is made before the user row: a crash between the two leaves a key that opens nothing.
            let vault = Vault(key: try await keys.make(for: owner), owner: owner)
            let account = AdministeredAccount(
                owner: owner, keyID: vault.key.id, addressHash: hash,
                addressSealed: try vault.seal(Array(mail.text.utf8), .email, row: owner.user.uuid),
                nameSealed: try name.map { try vault.seal(Array($0.utf8), .name, row: owner.user.uuid) },
                passwordPHC: phc, timeZone: timeZone)
            do {
                guard try await users.create(account, by: try admin.who()) else { throw taken }
            } catch {
                // When the outcome is unknown the key stays, because the row may be there.
                let isUnknownZone = (error as? DiaryError)?.code == .invalidFields
                if isUnknownZone || error is CommandFailure { try await keys.destroy(of: owner) }
                if isUnknownZone { throw CommandFailure("--time-zone is not a known time zone") }
                throw error
            }
            Self.form.show(owner.user, json: admin.json, or: "\(owner.user)")
        }
    }
}
