import ArgumentParser

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Names every setting of this environment that is missing, misspelt or not acceptable. Connects to nothing.",
        discussion: """
            As `diary serve` and `diary work` check at their start, but a name that is no setting is a fault too; they only warn of it. Also looks for \
            the files that ship beside the program, and for the programs that workers run. Ends with 78 when something is wrong. No value is printed.
            """)

    enum Process: String, ExpressibleByArgument, CaseIterable {
        case serve, work
    }

    @Option(name: .customLong("for"), help: "Only what this process reads: serve or work (default: both).")
    var process: Process?

    private static let report = ReportForm<(faults: [SettingsError], notes: [String])>(
        .list("faults", ReportForm<SettingsError>(.member("name") { $0.name }, .member("reason") { $0.reason })) { $0.faults },
        .member("notes") { $0.notes })

    @Flag(help: "Print JSON: \(Self.report.shape).")
    var json = false

    func run() throws {
        let faults = Self.faults(.process, for: process)
        let notes = process == .serve ? [] : Self.notes(.process)
        if json {
            Self.report.show(json: (faults, notes))
            if !faults.isEmpty { throw ExitCode(78) }
        } else {
            if let first = faults.first { throw SettingsError(first.name, first.reason, others: Array(faults.dropFirst())) }
            print("all settings of diary \(process.map(\.rawValue) ?? "serve and diary work") are there and acceptable")
            for note in notes { print("note: \(note)") }
        }
    }

    /// What is missing now and may come later.
    static func notes(_ environment: Environment) -> [String] {
        guard let missing = (try? MediaSettings(environment))?.missingServer else { return [] }
        return ["no speech server at \(missing): recordings wait until it runs (\(EngineTrial.speechServer))"]
    }

    /// - Parameter process: nil for both. A worker reads all settings that the API reads, but publishes no contract.
    static func faults(_ environment: Environment, for process: Process?) -> [SettingsError] {
        let role: SettingsCheck.Role = process == .serve ? .api : .worker
        var faults = SettingsCheck(environment, of: role).faults
        do throws(SettingsError) {
            let installedFiles = try InstalledFiles.find(environment)
            if process != .work { _ = try installedFiles.contract() }
        } catch {
            if !faults.contains(where: { $0.name == error.name }) { faults.append(error) }
        }
        if role == .worker, let media = try? MediaSettings(environment) {
            do throws(NeededPrograms.Missing) { try NeededPrograms.check(media.programs) } catch {
                faults.append(SettingsError("\(MediaSettings.probe.name), \(MediaSettings.speech.name)", "\(error)"))
            }
        }
        return faults + UnknownSettings.of(environment)
    }
}
