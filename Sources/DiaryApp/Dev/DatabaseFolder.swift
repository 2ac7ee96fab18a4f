import DiaryCrypto
import FoundationEssentials
import Glibc
import WireFormats

/// Where the databases of a `.diary` are, kept in its file `databases`: the folder, and the word `made` once there is a cluster in it.
///
/// `.diary` itself, unless the servers run as another user that may not enter it (a checkout below a closed folder): then a folder of
/// `/var/lib/diary-dev`, which outlives restarts and is not swept, as `/tmp` and `/var/tmp` are.
struct DatabaseFolder: Sendable {
    let path: String
    let isMade: Bool
    private let state: String

    struct Lost: Error, CustomStringConvertible {
        let state: String
        let path: String
        var description: String {
            "the databases of \(state) lay in \(path), and are not there any more. Bring that folder back; or, to begin again with empty ones, "
                + "remove \(state): what else is in it belongs to the lost databases"
        }
    }

    private static let outside = "/var/lib/diary-dev"
    private static let inside = "."

    init(of state: String, for user: ServerUser?) throws {
        self.state = state
        let file = state + "/databases"
        if let text = try Self.read(file) {
            let lines = text.split(separator: "\n").map(String.init)
            guard let first = lines.first else { throw SettingsError("--folder", "\(file) is empty") }
            isMade = lines.dropFirst().first == "made"
            path = first == Self.inside ? state : first
            if isMade, access(path + "/postgres/PG_VERSION", F_OK) != 0 { throw Lost(state: state, path: path + "/postgres") }
            if first != Self.inside { try Self.settle(path, of: state, user) }
        } else {
            isMade = false
            path = user?.mayEnter(state) ?? true ? state : "\(Self.outside)/\(Hex.encode(SecureRandom.bytes(4)))"
            if path != state { try Self.settle(path, of: state, user) }
            // Written before it is filled, so that an interrupted first start continues there.
            try write(isMade: false)
        }
        if let user, path == state, !user.mayEnter(state) {
            throw SettingsError(
                "--folder",
                "\(state) holds databases that must run as \(user.name), who may not enter it: open the folders above it (chmod o+x)")
        }
    }

    /// The cluster is complete: from now on its absence is an error.
    func noteMade() throws { if !isMade { try write(isMade: true) } }

    private func write(isMade: Bool) throws {
        try DevFolder.write((path == state ? Self.inside : path) + "\n" + (isMade ? "made\n" : ""), to: state + "/databases")
    }

    private static func read(_ file: String) throws -> String? {
        if let data = FileManager.default.contents(atPath: file) { return String(decoding: data, as: UTF8.self) }
        guard access(file, F_OK) != 0, errno == ENOENT else { throw SettingsError("--folder", "\(file) cannot be read") }
        return nil
    }

    /// Makes the outside folder, or finds it. A copy of a `.diary` names the databases of its original and must not change them.
    private static func settle(_ path: String, of state: String, _ user: ServerUser?) throws {
        guard path.hasPrefix(outside + "/") else { throw SettingsError("--folder", "the file databases names a folder that is not ours") }
        guard mkdir(outside, 0o755) == 0 || errno == EEXIST, chmod(outside, 0o755) == 0 else {
            throw SettingsError("--folder", "\(outside) cannot be made: \(String(cString: strerror(errno)))")
        }
        if mkdir(path, 0o700) == 0 {
            if let user, chown(path, user.uid, user.gid) != 0 { throw SettingsError("--folder", "\(path) cannot be given to \(user.name)") }
        } else if errno != EEXIST {
            throw SettingsError("--folder", "\(path) cannot be made: \(String(cString: strerror(errno)))")
        }
        let note = path + "/of"
        if let original = try read(note)?.trimmed, original != state, access(original + "/databases", F_OK) == 0 {
            throw SettingsError(
                "--folder",
                "\(state) is a copy of \(original), whose databases lie in \(path); remove the copy's file `databases` to begin it empty")
        }
        try DevFolder.write(state, to: note)
    }
}
