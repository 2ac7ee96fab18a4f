import FoundationEssentials
package import WireFormats

/// The settings of one app: a catalogue of names (`TenantSetting`), lists of prompts (`DailyPrompts`), and flags that the service only passes
/// to the app.
package struct TenantConfiguration: Sendable, Equatable {
    /// Returned by `GET /v1/config`; the service itself does not use them.
    package static let flagPrefix = "flags."
    private static let flagCount = 64

    /// Values by name, as stored.
    package private(set) var values: [String: TenantValue]

    package init() { values = [:] }

    /// - Parameter json: an object; members whose name, type or value this version does not have are left out, each on its own.
    package init(json: String) {
        let read = (try? JSONDecoder().decode([String: StoredValue].self, from: Data(json.utf8))) ?? [:]
        values = read.compactMapValues(\.known).filter { Self.accepts($0.key, $0.value) }
    }

    package var json: String {
        let bytes = JSONWriter.object { w in
            for (name, value) in values.sorted(by: { $0.key < $1.key }) { w.member(JSONName(name), value) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// One setting from what an operator typed: `limits.entries_per_day` `200`, `flags.new_player` `true`.
    package mutating func set(_ name: String, to text: String) throws(TenantSettingError) {
        let value: TenantValue
        if name.hasPrefix(Self.flagPrefix) {
            guard Self.isFlagName(name) else {
                throw TenantSettingError(
                    description: "\(name): a flag's name is flags. and up to 40 of a-z, 0-9 and _, beginning with a letter")
            }
            guard text.unicodeScalars.count <= 200 else { throw TenantSettingError(description: "\(name): at most 200 characters") }
            guard OneLineText.accepts(text) else {
                throw TenantSettingError(description: "\(name): must be one line without control characters and changes of direction")
            }
            value = text == "true" ? .flag(true) : text == "false" ? .flag(false) : Int64(text).map { .whole($0) } ?? .text(text)
            guard values[name] != nil || flags.count < Self.flagCount else {
                throw TenantSettingError(description: "at most \(Self.flagCount) flags")
            }
        } else if name.hasPrefix(DailyPrompts.prefix) {
            guard DailyPrompts.language(of: name) != nil else {
                throw TenantSettingError(description: "\(name): must be prompts. and a language, such as prompts.en or prompts.de-AT")
            }
            guard let prompts = DailyPrompts.normalised(text) else {
                throw TenantSettingError(description: "\(name): must be \(DailyPrompts.form), without control characters")
            }
            value = .text(prompts)
        } else {
            guard let setting = TenantSetting.named(name) else {
                throw TenantSettingError(description: "\(name): no such setting; `diary tenant settings` lists them")
            }
            switch setting.form {
            case .whole(let range):
                guard let number = Int64(text), range.contains(number) else {
                    throw TenantSettingError(description: "\(name): must be a whole number from \(range.lowerBound) to \(range.upperBound)")
                }
                value = .whole(number)
            case .choice(let choices):
                guard choices.contains(text) else {
                    throw TenantSettingError(description: "\(name): must be \(choices.joined(separator: " or "))")
                }
                value = .text(text)
            case .list(let item):
                let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { item.normalised($0.filter { $0 != " " }) }
                let items = parts.compactMap(\.self)
                guard items.count == parts.count, items.count <= TenantSetting.Item.most, Set(items).count == items.count else {
                    throw TenantSettingError(description: "\(name): must be up to \(TenantSetting.Item.most) different \(item.rule)")
                }
                value = .text(items.joined(separator: ","))
            case .line(let most):
                if let fault = TenantSetting.fault(ofLine: text, max: most) { throw TenantSettingError(description: "\(name): \(fault)") }
                value = .text(text)
            case .name(let most):
                guard TenantSetting.isName(text, max: most) else {
                    throw TenantSettingError(description: "\(name): must be 1 to \(most) letters, digits, hyphens and underscores")
                }
                value = .text(text)
            case .pattern(let pattern):
                guard pattern.accepts(text) else { throw TenantSettingError(description: "\(name): must be \(pattern.rule)") }
                value = .text(text)
            }
        }
        values[name] = value
    }

    package mutating func unset(_ name: String) { values[name] = nil }

    package func whole(_ setting: TenantSetting) -> Int64? {
        if case .whole(let value)? = values[setting.name] { value } else { nil }
    }

    package func text(_ setting: TenantSetting) -> String? {
        if case .text(let value)? = values[setting.name] { value } else { nil }
    }

    /// Empty when it is not set.
    package func list(_ setting: TenantSetting) -> [String] { text(setting)?.split(separator: ",").map(String.init) ?? [] }

    /// Without the prefix.
    package var flags: [(name: String, value: TenantValue)] {
        values.filter { $0.key.hasPrefix(Self.flagPrefix) }.sorted { $0.key < $1.key }
            .map { (String($0.key.dropFirst(Self.flagPrefix.count)), $0.value) }
    }

    private static func accepts(_ name: String, _ value: TenantValue) -> Bool {
        if name.hasPrefix(flagPrefix) { return isFlagName(name) }
        if DailyPrompts.language(of: name) != nil, case .text(let text) = value { return DailyPrompts.normalised(text) == text }
        return switch (TenantSetting.named(name)?.form, value) {
        case (.whole(let range)?, .whole(let number)): range.contains(number)
        case (.choice(let choices)?, .text(let text)): choices.contains(text)
        case (.list(let item)?, .text(let text)):
            text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { item.normalised($0) == String($0) }
        case (.line(let most)?, .text(let text)): TenantSetting.fault(ofLine: text, max: most) == nil
        case (.name(let most)?, .text(let text)): TenantSetting.isName(text, max: most)
        case (.pattern(let pattern)?, .text(let text)): pattern.accepts(text)
        default: false
        }
    }

    private static func isFlagName(_ name: String) -> Bool {
        let rest = name.utf8.dropFirst(flagPrefix.utf8.count)
        guard let first = rest.first, (0x61...0x7A).contains(first), rest.count <= 40 else { return false }
        return rest.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }
}

/// A stored value; nil when it is of a type that this version does not have.
private struct StoredValue: Decodable {
    let known: TenantValue?

    init(from decoder: any Decoder) throws { known = try? TenantValue(from: decoder) }
}

/// The value of a tenant's setting or flag, as it is stored and as `GET /v1/config` shows a flag.
package enum TenantValue: Sendable, Equatable, Decodable, JSONWritable {
    case whole(Int64)
    case text(String)
    case flag(Bool)

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let whole = try? container.decode(Int64.self) {
            self = .whole(whole)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    package func write(to writer: inout JSONWriter) {
        switch self {
        case .whole(let value): value.write(to: &writer)
        case .text(let value): value.write(to: &writer)
        case .flag(let value): value.write(to: &writer)
        }
    }
}

/// What is wrong with a setting that an operator typed.
package struct TenantSettingError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
}
