import FoundationEssentials
import Testing

@testable import DiaryMedia

/// The sandbox of this machine, with notes of what the programs in it did (`Tests/blackbox/traced.py`).
struct ObservedSandbox {
    let sandbox: Sandbox
    /// Apart from the jobs' folders, which the programs see.
    private let folder: JobFolder

    struct Note: Decodable {
        /// The most bytes that a process had resident.
        var memory: Int
        /// nil without strace.
        var sockets: Int?
        /// Paths outside the job's folder and `/usr`, opened or not.
        var opened: [String]?
    }

    /// What the loader and the libraries of ffmpeg look at: the last where a recording states a date.
    private static let usual = [
        "/etc/ld.so.", "/etc/gcrypt/", "/etc/alternatives/", "/etc/ssl/openssl.cnf", "/proc/", "/sys/devices/system/", "/dev/null",
        "/etc/localtime",
    ]

    init() async throws {
        folder = try JobFolder()
        sandbox = Sandbox(
            isolation: await TestSandbox.shared().isolation,
            observer: ["/usr/bin/python3", "-ISE", MediaScript.path("traced.py"), "\(folder.path)/notes"])
    }

    /// Of each run since the last call.
    func notes() throws -> [Note] {
        let lines = try folder.read("notes").split(separator: UInt8(ascii: "\n"))
        try folder.empty()
        return try lines.map { try JSONDecoder().decode(Note.self, from: Data($0)) }
    }

    /// Checks the runs since the last call.
    func expectConfined(_ name: String) throws {
        let notes = try notes()
        #expect(!notes.isEmpty, "\(name)")
        for note in notes {
            #expect(note.memory < 512 << 20, "\(name)")
            #expect(note.sockets ?? 0 == 0, "\(name)")
            // Without namespaces the job's folder has its own path, and nothing is held.
            guard sandbox.isolation == .namespaces else { continue }
            let others = (note.opened ?? []).filter { path in !Self.usual.contains { path.hasPrefix($0) } }
            #expect(others.isEmpty, "\(name)")
        }
    }
}
