import ArgumentParser
import DiaryCore
import DiaryDatabase

extension TenantCommand {
    struct SignIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in", abstract: "Sets the client ids of Apple and Google that a tenant's tokens may name.",
            discussion: "The given ids replace the provider's list. Without options the lists are shown. JSON is \(Self.form.shape).")

        @Argument(help: "The tenant's slug.")
        var slug: String

        @Option(help: "App ID or Services ID at Apple; may be repeated.")
        var appleClientId: [String] = []

        @Flag(help: "No more sign-in by Apple.")
        var noApple = false

        @Option(help: "OAuth client id at Google; may be repeated.")
        var googleClientId: [String] = []

        @Flag(help: "No more sign-in by Google.")
        var noGoogle = false

        @OptionGroup var admin: AdminOptions

        func validate() throws {
            for (ids, isOff, name) in [(appleClientId, noApple, "apple"), (googleClientId, noGoogle, "google")] {
                guard ids.isEmpty || !isOff else { throw ValidationError("--no-\(name) and --\(name)-client-id exclude each other") }
                guard ids.count <= 20 else { throw ValidationError("--\(name)-client-id may be repeated 20 times") }
                guard ids.allSatisfy({ (1...255).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }) else {
                    throw ValidationError("--\(name)-client-id must be 1 to 255 visible ASCII characters")
                }
            }
        }

        func run() async throws {
            let changed = try await TenantCommand.administration().setClientIDs(
                apple: Self.list(appleClientId, isOff: noApple), google: Self.list(googleClientId, isOff: noGoogle), of: slug,
                by: try admin.who())
            let tenant = try TenantCommand.known(changed, slug)
            await admin.announce()
            let (apple, google) = (tenant.appleClientIDs.sorted(), tenant.googleClientIDs.sorted())
            Self.form.show(
                tenant, json: admin.json, or: "apple   \(apple.joined(separator: " "))\ngoogle  \(google.joined(separator: " "))")
        }

        /// nil leaves the list as it is.
        private static func list(_ ids: [String], isOff: Bool) -> Set<String>? { isOff ? [] : ids.isEmpty ? nil : Set(ids) }

        private static let form = ReportForm<Tenant>(
            .member("slug") { $0.slug }, .member("apple") { $0.appleClientIDs.sorted() }, .member("google") { $0.googleClientIDs.sorted() })
    }
}
