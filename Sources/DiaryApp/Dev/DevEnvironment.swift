import FoundationEssentials
import Glibc

/// The settings that `diary dev` runs with, as lines for a shell in the file `environment` of its folder, while it runs. Secrets are named by
/// their files. What came from the environment of `diary dev` itself is left out: it may hold passwords, and its owner has it.
struct DevEnvironment {
    /// Why there are no settings to print.
    struct NotRunning: Error, CustomStringConvertible {
        let path: String
        var description: String { "no `diary dev` runs on \(path): start it first, or name its folder with --folder" }
    }

    private let file: String

    init(folder: String) { file = folder + "/environment" }

    /// - Parameters:
    ///   - chosen: what `diary dev` would choose for each setting.
    ///   - secrets: the files that hold the values of some of these.
    ///   - given: the environment, which overrides `chosen`.
    func write(_ chosen: [String: String], secrets: [String: String], given: Environment) throws {
        let isGiven = { (name: String) in given.names.contains(name) || given.names.contains(name + "_FILE") }
        let lines = chosen.keys.sorted().map { name in
            if isGiven(name) { return "# \(name) is what diary dev was given" }
            return secrets[name].map { "export \(name)_FILE=\(Self.quoted($0))" } ?? "export \(name)=\(Self.quoted(chosen[name] ?? ""))"
        }
        try DevFolder.write(lines.map { $0 + "\n" }.joined(), to: file)
    }

    func remove() { unlink(file) }

    /// - Throws: `NotRunning`. After `kill -9` the file is still there, so the lock of the folder decides.
    static func read(_ folder: String) throws -> String {
        guard DevFolder.isInUse(folder), let data = FileManager.default.contents(atPath: folder + "/environment") else {
            throw NotRunning(path: folder)
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// In single quotes, in which a shell replaces nothing.
    static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
