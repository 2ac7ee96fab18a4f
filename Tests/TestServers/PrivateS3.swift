import Foundation
import Synchronization
import TestPrograms

/// A real S3 service for this process, on a free port of 127.0.0.1. It ends with this process, however that ends.
package final class PrivateS3: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Ceph's gateway: the normal one.
        case radosgw
        /// OpenStack Swift: refuses every conditional PUT.
        case swift
        /// An imitation of AWS: checks checksums and conditions as AWS does, and signatures in URLs alone.
        case localstack

        /// Radosgw and Swift are Debian's packages; `DIARY_TEST_CEPH` and `DIARY_TEST_SWIFT` name another root in which these lie.
        /// LocalStack is in the virtual environment that `DIARY_TEST_LOCALSTACK` names by its absolute path; CONTRIBUTING says how to make it.
        package var isInstalled: Bool {
            let environment = ProcessInfo.processInfo.environment
            let packages = environment["DIARY_TEST_LOCALSTACK"] ?? ""
            let program =
                switch self {
                case .radosgw: (environment["DIARY_TEST_CEPH"] ?? "") + "/usr/bin/radosgw"
                case .swift: (environment["DIARY_TEST_SWIFT"] ?? "") + "/usr/lib/python3/dist-packages/swift/__init__.py"
                case .localstack: packages.isEmpty ? "" : packages + "/bin/localstack"
                }
            return program.hasPrefix("/") && FileManager.default.fileExists(atPath: program)
        }

        package var accessKey: String {
            switch self {
            case .radosgw: "testaccesskey"
            case .swift: "test:tester"
            case .localstack: "test"
            }
        }

        package var secretKey: String {
            switch self {
            case .radosgw: "testsecretkey"
            case .swift: "testing"
            case .localstack: "test"
            }
        }
    }

    package enum Failure: Error { case noFolder, noPort, notStarted }

    package let kind: Kind
    package let port: Int
    private let program: LeashedProgram

    package var endpoint: String { "http://127.0.0.1:\(port)" }

    /// Returns when its processes run; it answers some seconds later.
    package init(_ kind: Kind) async throws {
        // Not in memory: Swift needs extended attributes.
        var template = Array("/tmp/ds3-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure.noFolder }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let port = Self.freePort() else { throw Failure.noPort }
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "S3/\(kind.rawValue).sh").path
        let isStarted = Flag()
        program = try LeashedProgram(["/bin/bash", script, folder, String(port)]) { _ in isStarted.raise() }
        self.kind = kind
        self.port = port
        let deadline = ContinuousClock.now + .seconds(90)
        while !isStarted.isRaised {
            guard program.isRunning, ContinuousClock.now < deadline else { throw Failure.notStarted }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)
        var isRaised: Bool { value.withLock { $0 } }
        func raise() { value.withLock { $0 = true } }
    }

    /// A port that was free a moment ago.
    private static func freePort() -> Int? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        return isBound ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }
}
