package import FoundationEssentials
package import WireFormats

/// The system's zone database (tzdata), for times that people read and for those of schedules. Times of entries are computed by Postgres.
package struct ZoneDatabase: Sendable {
    package static let system = ZoneDatabase(folder: "/usr/share/zoneinfo")

    let folder: String

    /// The names of the system's database, by their small letters.
    private static let names: [String: String] = {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: system.folder)) ?? []
        // Beside the zones there are tables, which have a dot, and the zones once more.
        let names = paths.filter { !$0.contains(".") && !$0.hasPrefix("posix/") && !$0.hasPrefix("right/") }
        return Dictionary(names.map { ($0.lowercased(), $0) }) { first, _ in first }
    }()

    /// A name in any case, which Postgres takes, as the system's database spells it; nil when that has no such zone.
    package static func spelling(of name: String) -> String? { names[name.lowercased()] }

    /// In any case. nil when the zone is not there.
    package func zone(_ name: String) -> ZoneFile? { file(name) ?? Self.spelling(of: name).flatMap { $0 == name ? nil : file($0) } }

    private func file(_ name: String) -> ZoneFile? {
        // No other file than one of the folder.
        let isName = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "/_+-".utf8.contains(byte)
        }
        guard isName, !name.isEmpty, !name.hasPrefix("/"), let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
            return nil
        }
        return ZoneFile([UInt8](data))
    }

    /// Seconds east of UTC; nil when the zone is not there.
    package func offset(of zone: String, at date: Date) -> Int? {
        self.zone(zone)?.offset(at: Int(date.timeIntervalSince1970.rounded(.down)))
    }
}
