/// Questions that an app asks its members, one a day: a list for each language, set as `prompts.en` or `prompts.de-AT`, a question a line.
package enum DailyPrompts {
    package static let prefix = "prompts."
    package static let form = "up to \(most) lines of up to \(length) characters, together \(bytes) bytes"

    private static let most = 366
    private static let length = 200
    /// Of one list: twenty of them fit into what the configuration of an app may hold (`tenants_configuration_form`).
    private static let bytes = 12_000

    /// The language of a setting's name; nil for another setting.
    static func language(of name: String) -> String? {
        guard name.hasPrefix(prefix) else { return nil }
        let tag = String(name.dropFirst(prefix.count))
        return MailLocale(tag)?.tag == tag ? tag : nil
    }

    /// The lines of a list as an operator typed it; empty ones are left out.
    /// - Returns: nil when one is too long or no line of text, and when there are none or too many.
    static func normalised(_ text: String) -> String? {
        let lines = self.lines(text)
        guard (1...most).contains(lines.count), lines.allSatisfy({ OneLineText.fault(ofName: $0, max: length) == nil }) else { return nil }
        let joined = lines.joined(separator: "\n")
        return joined.utf8.count <= bytes ? joined : nil
    }

    static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { SingleLine.trimmed(String($0)) }.filter { !$0.isEmpty }
    }
}

extension TenantConfiguration {
    /// The list of the first of the languages that has one.
    func prompts(in languages: [String]) -> (language: String, prompts: [String])? {
        for language in languages {
            guard case .text(let text)? = values[DailyPrompts.prefix + language] else { continue }
            return (language, DailyPrompts.lines(text))
        }
        return nil
    }

    /// Languages with a list.
    package var promptLanguages: [String] { values.keys.compactMap { DailyPrompts.language(of: $0) }.sorted() }

    /// Languages with a list, and how many prompts it has.
    package var promptCounts: [(name: String, count: Int)] {
        values.compactMap { setting -> (name: String, count: Int)? in
            guard DailyPrompts.language(of: setting.key) != nil, case .text(let text) = setting.value else { return nil }
            return (name: setting.key, count: DailyPrompts.lines(text).count)
        }
        .sorted { $0.name < $1.name }
    }
}
