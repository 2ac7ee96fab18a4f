import ArgumentParser
import DiaryCrypto
import FoundationEssentials
import Glibc
import HTTPListener
import ServiceLifecycle
import UnixSignals

struct DevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev",
        abstract: "Runs everything on this machine: private Postgres, Redis and speech server, API, workers, mail as files.",
        discussion: """
            Needs no configuration. State lives in .diary/ of the working directory; mail is written to .diary/mail/*.eml.
            Any setting of the environment that `diary serve` reads may be set and wins over what dev would choose.
            Mails and their codes are announced on standard output. Other commands reach it with: eval "$(diary dev env)"
            """,
        subcommands: [Env.self])

    @Option(help: "Where to listen.")
    var host = "127.0.0.1"

    @Option(help: "Port of the API.")
    var port = 8080

    @Option(help: "How clients reach this server, e.g. http://192.168.1.5:8080; signed URLs and mail links begin with it.")
    var publicURL: String?

    @OptionGroup var options: DevOptions

    func validate() throws {
        guard (1...65_535).contains(port) else { throw ValidationError("--port must be 1 to 65535") }
    }

    func run() async throws {
        // Independent of the shell's umask: keys, mail and logs are readable by their owner only.
        umask(0o077)
        // Settings of libpq in the environment are meant for other databases than the private ones.
        if try Environment.process.text(DatabaseSettings.main) == nil {
            for name in Environment.process.names where name.hasPrefix("PG") { unsetenv(name) }
        }
        let listen = Settings.listenAddress
        let listening = Environment.process.defaulting(to: [listen.name: ListenAddress.text(host: host, port: port)])
        let address = try Settings.listen(listening)
        // Every fault that can be found without servers is reported before they are started.
        let binaries = try DevPostgres.findBinaries()
        try NeededPrograms.check(
            NeededPrograms.redis + (geteuid() == 0 ? NeededPrograms.otherUser : []), in: try NeededPrograms.path(.process))
        try address.probe(names: try Environment.process.text(listen) == nil ? .options : .setting)
        let folder = try DevFolder(options.folder)
        let postgres = DevPostgres(folder, binaries: binaries)
        let redis = DevRedis(folder)
        let speech = try DevSpeech(folder, try InstalledFiles.find(listening), listening)
        let chosen = try settings(folder, postgres, redis, speech, publicURL ?? address.localURL)
        let environment = listening.defaulting(to: chosen)
        let application = try Application(environment, for: .worker, label: "diary")
        let worker = try WorkerSettings(environment)
        try NeededPrograms.check(worker.media.programs)
        let session = DevSession(
            folder: folder, postgres: postgres, redis: redis, speech: speech, application: application, worker: worker,
            shareSettings: {
                try DevEnvironment(folder: folder.path).write(
                    chosen, secrets: Self.secrets.mapValues { folder.secretFile($0) }, given: .process)
            })
        try await ServiceGroup(
            services: [session], gracefulShutdownSignals: [.sigterm, .sigint, .sighup], logger: application.logger
        ).run()
    }

    private func settings(
        _ folder: DevFolder, _ postgres: DevPostgres, _ redis: DevRedis, _ speech: DevSpeech, _ url: String
    ) throws -> [String: String] {
        [
            Settings.publicURL.name: url,
            DatabaseSettings.main.name: postgres.conninfo("diary"),
            DatabaseSettings.keys.name: postgres.conninfo("diary_keys"),
            Settings.redis.name: redis.url,
            Settings.objects.name: folder.path + "/objects",
            MediaSettings.speechSocket.name: speech.socket,
            WorkerSettings.temporary.name: folder.temporary,
            MailSettings.outbox.name: folder.path + "/mail",
            // A speech server on this machine is what developers try; the default engines are local either way.
            HostedSettings.privateHosts.name: "1",
            KeySettings.masters.name: try folder.secret(Self.masters) { "m1:\(Self.random())" },
            KeySettings.serviceSecret.name: try folder.secret(Self.serviceSecret) { Self.random() },
            KeySettings.signingKey.name: try folder.secret(Self.signingKey) { try P256PrivateKey.generate().pem },
        ]
    }

    private static let masters = "master-keys"
    private static let serviceSecret = "service-secret"
    private static let signingKey = "signing-key.pem"
    /// The files of secrets by their settings.
    private static let secrets = [
        KeySettings.masters.name: masters, KeySettings.serviceSecret.name: serviceSecret, KeySettings.signingKey.name: signingKey,
    ]

    private static func random() -> String { Data(SecureRandom.bytes(32)).base64EncodedString() }
}

extension DevCommand {
    struct Env: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the settings of a running `diary dev`, with which every other command reaches it.",
            discussion: """
                eval "$(diary dev env)"; diary tenant list

                Lines for a shell: export NAME='value'. Secrets are named by their files.
                """)

        @OptionGroup var options: DevOptions

        func run() throws { print(try DevEnvironment.read(DevFolder.absolute(options.folder)), terminator: "") }
    }
}

/// The options that `diary dev` shares with its subcommands. A group: an option declared by the command itself would not reach a subcommand.
struct DevOptions: ParsableArguments {
    @Option(help: "Where state is kept.")
    var folder = ".diary"
}
