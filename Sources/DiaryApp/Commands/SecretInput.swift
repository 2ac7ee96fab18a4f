import DiaryCrypto
import Glibc

/// Reads a secret from standard input.
enum SecretInput {
    static let longest = 4_096

    /// - Parameter example: how to give it.
    /// - Throws: `CommandFailure`, which never repeats what was read.
    static func read(orGive example: String, from descriptor: Int32 = STDIN_FILENO) throws -> SecretBytes {
        try secret(try input(orGive: example, from: descriptor), example)
    }

    /// A password, which may have spaces and letters of any script.
    static func password(orGive example: String) throws -> String {
        let bytes = withoutLineEnd(try input(orGive: example, from: STDIN_FILENO))
        guard let text = String(validating: bytes, as: UTF8.self) else { throw CommandFailure("the password is not UTF-8: \(example)") }
        return text
    }

    private static func input(orGive example: String, from descriptor: Int32) throws -> [UInt8] {
        guard isatty(descriptor) == 0 else {
            throw CommandFailure("a secret is read from standard input, and a terminal would show it: \(example)")
        }
        // Reads one byte more than allowed, and a line end, so that a longer input is noticed.
        var bytes = [UInt8](repeating: 0, count: longest + 3)
        var count = 0
        while count < bytes.count {
            let read = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count) }
            if read < 0 && errno == EINTR { continue }
            guard read >= 0 else { throw CommandFailure("standard input cannot be read: \(example)") }
            if read == 0 { break }
            count += read
        }
        return Array(bytes.prefix(count))
    }

    private static func withoutLineEnd(_ input: [UInt8]) -> [UInt8] {
        var bytes = input
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return bytes
    }

    static func secret(_ input: [UInt8], _ example: String) throws -> SecretBytes {
        let bytes = withoutLineEnd(input)
        guard !bytes.isEmpty else { throw CommandFailure("nothing came on standard input: \(example)") }
        // The secret is sent in a header, so it must be visible ASCII.
        guard bytes.count <= longest, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandFailure("a secret must be at most \(longest) visible ASCII characters, without spaces")
        }
        return SecretBytes(bytes)
    }
}
