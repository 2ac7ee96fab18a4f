import ArgumentParser
import DiaryCore

extension AppTemplate: ExpressibleByArgument {
    package init?(argument: String) {
        guard let found = Self.named(argument) else { return nil }
        self = found
    }

    package static var allValueStrings: [String] { all.map(\.name) }

    /// Each template with its settings.
    static var help: String {
        all.map { template in
            let settings = template.settings.map { "  \($0.key)=\($0.value)" }
            return (["\(template.name): \(template.about)"] + settings).joined(separator: "\n")
        }
        .joined(separator: "\n")
    }
}
