package import FoundationEssentials

/// Tags and moods of a diary as things: listed with counts, and tags renamed, coloured and taken away in all entries.
package struct TagFeature: Sendable {
    package let read: ReadTags
    package let change: ChangeTag

    init(_ ports: FeaturePorts) {
        let keys = ports.memberKeys
        read = ReadTags(store: ports.tags, keys: keys)
        change = ChangeTag(
            store: ports.tags, schedules: ports.exportSchedules,
            editSchedule: EditExportSchedule(store: ports.exportSchedules, keys: keys, zones: .system), keys: keys, read: read)
    }
}

extension DiaryFeatures {
    package var tags: TagFeature { TagFeature(ports) }
}

/// A tag or a mood, with what its owner's entries tell of it.
package struct LabelSummary: Sendable, Equatable {
    /// In the spelling of the newest entry that has it.
    package var name: String
    /// How many entries have it.
    package var count: Int64
    /// When the newest of them was recorded; nil for a tag that has a colour and no entries.
    package var lastUsedAt: Date?
    package var color: TagColor?

    /// In a list.
    package static let most = 1_000

    package init(name: String, count: Int64, lastUsedAt: Date?, color: TagColor?) {
        self.name = name
        self.count = count
        self.lastUsedAt = lastUsedAt
        self.color = color
    }
}

/// `#` and six hex digits.
package struct TagColor: Sendable, Equatable {
    /// In lower case.
    package let text: String

    package init?(_ text: String) {
        guard text.utf8.count == 7, text.utf8.first == UInt8(ascii: "#"), text.utf8.dropFirst().allSatisfy(Self.isHex) else { return nil }
        self.text = text.lowercased()
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
        default: false
        }
    }
}

/// Changes of a tag; nil: as it was.
package struct TagPatch: Sendable {
    /// Tidied.
    package var name: String?
    package var color = Patch<TagColor>.absent

    package init() {}
}
