import FoundationEssentials

enum Version {
    /// The version of the source and of openapi.yaml.
    static let number = "0.1.0"

    /// With the build, where a package was installed: `0.1.0+20251123.001200.g91a88ba`, from `../share/diary/build` beside the program.
    static let text = installed(beside: program) ?? number

    private static var program: String { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "" }

    static func installed(beside program: String) -> String? {
        guard let slash = program.lastIndex(of: "/"),
            let content = FileManager.default.contents(atPath: program[..<slash] + "/../share/diary/build")
        else { return nil }
        let build = String(decoding: content, as: UTF8.self).prefix { $0 != "\n" }
        guard (1...100).contains(build.utf8.count), build.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return build.hasPrefix(number) ? String(build) : "\(number)+\(build)"
    }
}
