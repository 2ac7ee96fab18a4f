extension EngineSettings {
    package static let timeouts = 1...7_200
    package static let slotCounts = 1...1_000

    /// What an operator must change before the engine can be stored, each beginning with the option of `diary tenant engine set`.
    /// Empty when nothing is wrong.
    /// - Parameter allowsPrivateHosts: `DIARY_ENGINES_PRIVATE`.
    package func faults(allowsPrivateHosts: Bool) -> [String] {
        var faults: [String] = []
        if !Self.isName(name) { faults.append("the name must be 1 to 40 of a-z, 0-9 and -, and begin with a letter") }
        if name == EngineReference.client { faults.append("the name client stands for words that clients have recognised themselves") }
        switch kind {
        case .local: faults += unwanted
        case .openai: faults += unwanted + Self.faults(of: url, allowsPrivateHosts: allowsPrivateHosts) + modelFaults
        case .command: faults += unwanted + commandFaults
        }
        if let secret, !Self.isName(secret) { faults.append("--secret must be 1 to 40 of a-z, 0-9 and -, and begin with a letter") }
        if !Self.timeouts.contains(timeoutSeconds) {
            faults.append("--timeout must be from \(Self.timeouts.lowerBound) to \(Self.timeouts.upperBound) seconds")
        }
        if !Self.slotCounts.contains(slots) {
            faults.append("--slots must be from \(Self.slotCounts.lowerBound) to \(Self.slotCounts.upperBound)")
        }
        if stage == .text, maxBytes != nil || maxSeconds != nil { faults.append("--max-bytes and --max-seconds are for speech") }
        if (maxBytes ?? 100_000) < 100_000 { faults.append("--max-bytes must be 100000 or more, or 0 for any") }
        if (maxSeconds ?? 10) < 10 { faults.append("--max-seconds must be 10 or more, or 0 for any") }
        if stage == .text, price.perMinute != 0 { faults.append("--price-per-minute is for speech") }
        return faults
    }

    /// Whether an engine or a secret may have this name: a letter, then up to 39 of `a-z`, `0-9` and `-`.
    package static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first), text.utf8.count <= 40 else { return false }
        return text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    /// Options of another kind.
    private var unwanted: [String] {
        var faults: [String] = []
        if !kind.isServer {
            let servers = EngineKind.allCases.filter(\.isServer).map(\.rawValue).joined(separator: " or ")
            for (option, value) in [("--url", url), ("--model", model), ("--secret", secret)] where value != nil {
                faults.append("\(option) is for --kind \(servers)")
            }
            if isLocal { faults.append("--local is for --kind \(servers)") }
        }
        if kind != .command, !command.isEmpty { faults.append("--command is for --kind command") }
        if kind == .command, stage == .text { faults.append("--kind command is for speech") }
        return faults
    }

    private var modelFaults: [String] {
        guard let model else { return ["--model is required: the model's name, as the server knows it, e.g. whisper-1"] }
        return OneLineText.fault(ofName: model, max: 200).map { ["--model \($0)"] } ?? []
    }

    private var commandFaults: [String] {
        guard let program = command.first else {
            return ["--command is required: the program's absolute path; give it again for each argument"]
        }
        guard program.utf8.first == UInt8(ascii: "/"), program.utf8.count > 1 else {
            return ["--command must begin with the program's absolute path, e.g. /usr/local/bin/whisper-cli"]
        }
        guard command.count <= 50, command.allSatisfy({ $0.utf8.count <= 1_000 && OneLineText.accepts($0) }) else {
            return ["--command may have 49 arguments, each of one line and at most 1000 bytes"]
        }
        return []
    }

    /// Words spoken in private leave the machine under TLS only.
    package static func faults(of url: String?, allowsPrivateHosts: Bool) -> [String] {
        guard let url else { return ["--url is required: the base address, e.g. https://api.openai.com/v1"] }
        guard let address = EngineAddress(url) else {
            return ["--url must be https://host[:port][/path] without user, query and fragment"]
        }
        if address.isPrivate, !allowsPrivateHosts {
            return [
                "--url names a host of this machine or of a private network: DIARY_ENGINES_PRIVATE=1 permits it, here and for the workers"
            ]
        }
        if !address.isHTTPS, !address.isPrivate { return ["--url must be https: what is sent is private"] }
        return []
    }
}
