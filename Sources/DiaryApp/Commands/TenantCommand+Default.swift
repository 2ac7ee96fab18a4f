import ArgumentParser
import DiaryCore
import DiaryDatabase

extension TenantCommand {
    struct Default: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes an app the one of requests that name none.",
            discussion: """
                A service with one app needs no default; when a second is made, the first becomes it. With several, a request before sign-in \
                without Diary-App is for the app whose setting `hosts` has the request's host, else for the default; without either it is \
                refused. There is one default at most.
                """)

        @Argument var slug: String

        @Flag(help: "The app is not the default any more.")
        var off = false

        @OptionGroup var admin: AdminOptions

        func run() async throws {
            guard try await TenantCommand.administration().setDefault(slug, !off, by: try admin.who()) else {
                throw CommandFailure("there is no tenant \(slug); `diary tenant list` lists them")
            }
            await admin.announce()
            TenantReport.show(try await TenantCommand.tenant(slug), json: admin.json)
        }
    }

    /// Two apps with one host would both be refused there.
    static func checkHosts(_ configured: TenantConfiguration, of slug: String) async throws {
        let hosts = Set(configured.list(.hosts))
        guard !hosts.isEmpty else { return }
        for other in try await administration().all() where other.slug != slug {
            if let host = other.configuration.list(.hosts).first(where: { hosts.contains($0) }) {
                throw CommandFailure("hosts: \(host) is bound to the app \(other.slug)")
            }
        }
    }
}
