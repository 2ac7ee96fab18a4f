import FoundationEssentials
import Testing

@testable import DiaryApp

@Suite("diary check")
struct CheckCommandTests {
    @Test("names what is missing, misspelt and not acceptable at once, and no value")
    func all() {
        let environment = Environment.service([
            "DIARY_REDIS_URL": nil, "DIARY_REDIS_ULR": "redis://hunter2", "DIARY_SPEECH": "scripted", "DIARY_PROBE": "scripted",
            "DIARY_SERVICE_SECERT_FILE": "/hunter2", "DIARY_LEASE_SECONDS": "hunter2", "DAIRY_LISTEN": "hunter2",
            "DIARY_NOTHING_LIKE_IT": "1",
        ])

        let faults = CheckCommand.faults(environment, for: nil)

        let reasons = Dictionary(faults.map { ($0.name, $0.reason) }) { first, _ in first }
        #expect(reasons["DIARY_REDIS_URL"] == "is required")
        #expect(reasons["DIARY_REDIS_ULR"] == "is no setting; did you mean DIARY_REDIS_URL?")
        #expect(reasons["DIARY_SERVICE_SECERT_FILE"] == "is no setting; did you mean DIARY_SERVICE_SECRET_FILE?")
        #expect(reasons["DAIRY_LISTEN"] == "is no setting; did you mean DIARY_LISTEN?")
        #expect(reasons["DIARY_NOTHING_LIKE_IT"] == "is no setting")
        #expect(reasons["DIARY_LEASE_SECONDS"] != nil && faults.count == 6)
        #expect(!faults.contains { "\($0)".contains("hunter2") })
    }

    @Test("what only workers read is not asked of the API")
    func roles() {
        let environment = Environment.service(["DIARY_TEMPORARY": nil, "DIARY_MAIL_OUTBOX": nil, "DIARY_SANDBOX": "hunter2"])

        #expect(CheckCommand.faults(environment, for: .serve).isEmpty)
        #expect(
            Set(CheckCommand.faults(environment, for: .work).map(\.name)) == ["DIARY_TEMPORARY", "DIARY_MAIL_OUTBOX", "DIARY_SANDBOX"])
    }

    @Test("a file of the contract that is not beside the program is named, and not asked of workers")
    func contract() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "diary-share-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder + "/migrations/main", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(FileManager.default.createFile(atPath: "\(folder)/openapi.yaml", contents: nil))
        let environment = Environment.service(["DIARY_SHARE": folder, "DIARY_SPEECH": "scripted", "DIARY_PROBE": "scripted"])

        for process in [CheckCommand.Process.serve, nil] {
            #expect(CheckCommand.faults(environment, for: process).map(\.name) == ["DIARY_SHARE"])
            #expect(CheckCommand.faults(environment, for: process).first?.reason.contains("docs/export-manifest.schema.json") == true)
        }
        #expect(!CheckCommand.faults(environment, for: .work).contains { $0.name == "DIARY_SHARE" })
    }

    @Test("a start tells a misspelt name with what is missing, and is not stopped by it alone")
    func start() throws {
        let error = try #require(throws: SettingsError.self) {
            try Settings(.service(["DIARY_OBJECTS": nil, "DIARY_OBJEKTS": "/srv/objects"]))
        }

        #expect(([error] + error.others).map(\.name) == ["DIARY_OBJECTS", "DIARY_OBJEKTS"])
        _ = try Settings(.service(["DIARY_OBJEKTS": "/srv/objects"]))
    }

    @Test(
        "a misspelt name is near to what it should be, and another word is not",
        arguments: [
            ("LISTN", "LISTEN"), ("REDIS_ULR", "REDIS_URL"), ("POOLSIZE", "POOL_SIZE"), ("TMEPORARY", "TEMPORARY"), ("PROGRAM", nil),
            ("", nil),
        ])
    func near(_ name: String, _ meant: String?) {
        #expect(ClosestName.of(name, among: ["LISTEN", "REDIS_URL", "POOL_SIZE", "TEMPORARY", "SPEECH"]) == meant)
    }
}
