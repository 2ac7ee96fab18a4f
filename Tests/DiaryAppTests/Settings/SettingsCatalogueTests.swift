import FoundationEssentials
import Testing

@testable import DiaryApp

@Suite("The catalogue of settings and the documents")
struct SettingsCatalogueTests {
    @Test("every setting is there once, by a name of the service, with a meaning")
    func names() {
        let names = SettingsCatalogue.all.map(\.name)

        #expect(Set(names).count == names.count)
        #expect(SettingsCatalogue.all.allSatisfy { $0.name.hasPrefix("DIARY_") && !$0.form.isEmpty && !$0.meaning.isEmpty })
        #expect(!SettingsCatalogue.all.contains { $0.meaning.contains("|") || $0.form.contains("|") }, "a cell of a table would end there")
    }

    @Test("the table of docs/configuration.md is what `diary settings --markdown` prints")
    func readme() throws {
        #expect(try Repository.block("settings", in: "docs/configuration.md") == SettingsDocument.markdown)
    }

    @Test(".env.example is what `diary settings --env` prints")
    func example() throws {
        #expect(try Repository.text(".env.example") == SettingsDocument.example)
    }

    @Test("the table of rate limits in docs/reference.md is what `diary settings --rate-limits` prints")
    func rateLimits() throws {
        #expect(try Repository.block("rate limits", in: "docs/reference.md") == RateLimitDocument.markdown)
    }

    @Test(".env.example, with what it leaves to the operator, is a service's environment")
    func exampleIsGood() throws {
        let lines = SettingsDocument.example.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let set = Dictionary(
            uniqueKeysWithValues: lines.map { line in
                let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
                return (parts[0], parts[1])
            })
        let left = Environment.needed.filter { ["DIARY_MASTER_KEYS", "DIARY_SERVICE_SECRET", "DIARY_TEMPORARY"].contains($0.key) }

        _ = try Settings(Environment(set.merging(left) { own, _ in own }), for: .worker)
    }

    @Test("documents, deployment and code name no setting that is not there")
    func mentions() throws {
        // Of proxies, of tests, and of debug builds.
        let others: Set = ["DIARY_HOST", "DIARY_TIMES", "DIARY_FAIL", "DIARY_FAIL_ONCE", "DIARY_FAILPOINTS", "DIARY_FUZZ_COVERAGE"]
        for file in try Repository.files(["README.md", "docs", "deploy", "Sources/DiaryApp"]) {
            for match in try Repository.text(file).matches(of: /DIARY_[A-Z0-9_]*[A-Z0-9]/) {
                let name = String(match.output)
                let setting = name.hasSuffix("_FILE") ? String(name.dropLast("_FILE".count)) : name
                #expect(SettingsCatalogue.names.contains(setting) || others.contains(name), "\(name) in \(file)")
            }
        }
    }
}

/// Files of the checkout.
enum Repository {
    private static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

    static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    /// The lines between `<!-- name -->` and `<!-- end of name -->`.
    static func block(_ name: String, in path: String) throws -> String {
        let parts = try text(path).split(separator: "<!-- \(name) -->\n", omittingEmptySubsequences: false)
        try #require(parts.count == 2, "the mark is there once")
        let rest = parts[1].split(separator: "<!-- end of \(name) -->", omittingEmptySubsequences: false)
        try #require(rest.count == 2, "the mark of the end is there once")
        return String(rest[0])
    }

    /// Text files at or below these paths.
    static func files(_ paths: [String]) throws -> [String] {
        try paths.flatMap { path in
            let full = root.appending(path: path).path
            var isFolder = false
            isFolder = (try? FileManager.default.attributesOfItem(atPath: full)[.type] as? FileAttributeType) == .typeDirectory
            guard isFolder else { return [path] }
            let names = try FileManager.default.subpathsOfDirectory(atPath: full)
            return names.map { "\(path)/\($0)" }.filter { name in
                let type = try? FileManager.default.attributesOfItem(atPath: root.appending(path: name).path)[.type] as? FileAttributeType
                return type == .typeRegular
            }
        }
    }
}
