import DiaryHTTP
import DiaryObjectStore
import FoundationEssentials
import Glibc
import HTTPListener
import Testing

@testable import DiaryApp

@Suite("Reading the environment")
struct EnvironmentTests {
    private static func withFile(_ text: String, _ test: (_ path: String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appending(component: "setting-\(UUID())").path
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try test(path)
    }

    @Test("a file holds the value, less one line end; the variable itself wins, unless it is empty")
    func files() throws {
        try Self.withFile("https://file.example.org\n") { (path: String) throws in
            let environment = Environment.service(["DIARY_PUBLIC_URL": nil, "DIARY_PUBLIC_URL_FILE": path])
            #expect(try environment.read(Settings.publicURL).description == "https://file.example.org")

            let both = Environment.service(["DIARY_PUBLIC_URL_FILE": path])
            #expect(try both.read(Settings.publicURL).description == "https://diary.example.org")

            let empty = Environment.service(["DIARY_PUBLIC_URL": "", "DIARY_PUBLIC_URL_FILE": path])
            #expect(try empty.read(Settings.publicURL).description == "https://file.example.org")
        }
    }

    @Test("an unreadable file is reported by its setting's name, and a bad value in a file is not shown")
    func badFiles() throws {
        #expect(throws: SettingsError("DIARY_POOL_SIZE_FILE", "the file cannot be read")) {
            try Settings(.service(["DIARY_POOL_SIZE_FILE": "/nowhere/pool-size"]))
        }
        try Self.withFile("hunter2") { (path: String) throws in
            let error = #expect(throws: SettingsError.self) {
                try Settings(.service(["DIARY_SERVICE_SECRET": nil, "DIARY_SERVICE_SECRET_FILE": path]))
            }
            #expect(error?.name == "DIARY_SERVICE_SECRET" && !String(reflecting: error).contains("hunter2"))
        }
    }

    @Test("a file that only root reads is found among the unit's credentials by its name; an empty credential counts as none")
    func credentials() throws {
        let folder = FileManager.default.temporaryDirectory.appending(component: "credentials-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("hunter2\n".utf8).write(to: URL(filePath: folder + "/smtp-password"))
        try Data("\n".utf8).write(to: URL(filePath: folder + "/apple.p8"))

        let environment = Environment([
            "CREDENTIALS_DIRECTORY": folder, "DIARY_SMTP_PASSWORD_FILE": "/etc/nowhere/keys/smtp-password",
            "DIARY_APPLE_KEY_FILE": folder + "/apple.p8", "DIARY_SIGNING_KEY_FILE": "/etc/nowhere/keys/signing-key.pem",
        ])

        #expect(try environment.read(MailSettings.password) == "hunter2")
        #expect(try environment.read(IdentityProviderSettings.applePEM) == nil)
        #expect(throws: SettingsError("DIARY_SIGNING_KEY_FILE", "the file cannot be read")) { try environment.read(KeySettings.signingKey) }
    }

    @Test("defaults fill in what is set neither by name nor by file")
    func defaulting() throws {
        try Self.withFile("/from/file") { (path: String) throws in
            let environment = Environment(["DIARY_OBJECTS": "/own", "DIARY_TEMPORARY_FILE": path])
                .defaulting(to: ["DIARY_OBJECTS": "/default", "DIARY_TEMPORARY": "/default", "DIARY_MAIL_OUTBOX": "/default"])

            #expect(try environment.read(Settings.objects) == "/own")
            #expect(try environment.read(WorkerSettings.temporary) == "/from/file")
            #expect(try environment.read(MailSettings.outbox) == "/default")
        }
    }

    @Test("a setting that the catalogue does not list cannot be read")
    func unlisted() {
        let unlisted = Setting.whole("DIARY_UNLISTED", 1...2, default: 1, "")

        #expect(throws: SettingsError("DIARY_UNLISTED", "is not in the catalogue of settings")) {
            try Environment(["DIARY_UNLISTED": "1"]).read(unlisted)
        }
    }

    @Test("a socket that the service manager hands over is listened on, by the process it is for")
    func inheritedSocket() throws {
        let own = String(getpid())

        guard case .inherited(descriptor: 3) = try Settings.listen(Environment(["LISTEN_PID": own, "LISTEN_FDS": "1"])) else {
            throw SettingsError("LISTEN_FDS", "is not taken")
        }
        guard case .tcp = try Settings.listen(Environment(["LISTEN_PID": "1", "LISTEN_FDS": "1"])) else {
            throw SettingsError("LISTEN_PID", "is not looked at")
        }
        #expect(throws: SettingsError("LISTEN_FDS", "must be 1: the service listens on one socket")) {
            try Settings.listen(Environment(["LISTEN_PID": own, "LISTEN_FDS": "2"]))
        }
    }
}
