import Glibc

/// Programs of the distribution that the service needs, looked for at the start rather than at the first use.
struct NeededPrograms {
    /// Program and the Debian package it comes with.
    typealias Needed = (program: String, package: String)

    static let redis: [Needed] = [("redis-server", "redis-server"), ("redis-cli", "redis-tools")]
    static let ffmpeg: [Needed] = [("ffmpeg", "ffmpeg"), ("ffprobe", "ffmpeg")]
    /// To run servers as another user.
    static let otherUser: [Needed] = [("setpriv", "util-linux")]

    struct Missing: Error, CustomStringConvertible {
        let programs: [String]
        let packages: [String]
        var description: String {
            "not installed: \(programs.joined(separator: ", ")). Get \(programs.count == 1 ? "it" : "them") with: "
                + "apt-get install \(packages.joined(separator: " "))"
        }
    }

    /// - Parameter folders: where programs are looked for; a name with a slash is a file that must be there.
    static func check(_ needed: [Needed], in folders: [String] = ["/usr/bin", "/bin"]) throws(Missing) {
        let missing = needed.filter { item in
            if item.program.contains("/") { return access(item.program, R_OK) != 0 }
            return !folders.contains { access("\($0)/\(item.program)", X_OK) == 0 }
        }
        guard !missing.isEmpty else { return }
        var programs: [String] = []
        var packages: [String] = []
        for item in missing {
            let program = item.program.split(separator: "/").last.map(String.init) ?? item.program
            if !programs.contains(program) { programs.append(program) }
            if !packages.contains(item.package) { packages.append(item.package) }
        }
        throw Missing(programs: programs, packages: packages)
    }

    /// The folders of `PATH`, as a shell searches them.
    static func path(_ environment: Environment) throws(SettingsError) -> [String] {
        (try environment.text(.path) ?? "/usr/bin:/bin").split(separator: ":").map(String.init)
    }
}
