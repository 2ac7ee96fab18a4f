import DiaryCrypto
import Foundation
import S3Client
import Testing
import WireFormats

/// One folder of the AWS suite.
struct SuiteCase: Sendable, CustomTestStringConvertible {
    let folder: URL
    let request: SigV4Request
    let credentials: SigV4Credentials
    let normalizes: Bool
    let signsBody: Bool
    /// The token is added after signing.
    let omitsToken: Bool
    let date = AmzDate(Date(timeIntervalSince1970: 1_440_938_160))

    var testDescription: String { folder.lastPathComponent }

    private struct Context: Decodable {
        struct Credentials: Decodable {
            var access_key_id: String
            var secret_access_key: String
            var token: String?
        }
        var credentials: Credentials
        var normalize: Bool
        var sign_body: Bool
        var omit_session_token: Bool?
    }

    static func load() -> [SuiteCase] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Vectors/aws-sigv4/tests/aws-signing-test-suite/v4")
        let folders = (try? FileManager.default.contentsOfDirectory(at: root, includingPropertiesForKeys: nil)) ?? []
        return folders.compactMap(SuiteCase.init).sorted { $0.testDescription < $1.testDescription }
    }

    init?(_ folder: URL) {
        guard let json = try? Data(contentsOf: folder.appending(path: "context.json")),
            let context = try? JSONDecoder().decode(Context.self, from: json),
            let text = try? String(contentsOf: folder.appending(path: "request.txt"), encoding: .utf8)
        else { return nil }
        self.folder = folder
        request = Self.parse(text)
        normalizes = context.normalize
        signsBody = context.sign_body
        omitsToken = context.omit_session_token ?? false
        credentials = SigV4Credentials(
            accessKeyID: context.credentials.access_key_id, secret: SecretBytes(Array(context.credentials.secret_access_key.utf8)),
            sessionToken: omitsToken ? nil : context.credentials.token)
    }

    func expected(_ file: String) -> String {
        (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? "no \(file)"
    }

    /// A request as text; header lines that start with white space continue the line before.
    static func parse(_ text: String) -> SigV4Request {
        let ends = text.firstRange(of: "\n\n")
        let head = ends.map { text[..<$0.lowerBound] } ?? text[...]
        let body = ends.map { text[$0.upperBound...] } ?? ""
        var lines = head.split(separator: "\n").map(String.init)
        let start = lines.removeFirst()
        let method = start.prefix { $0 != " " }
        let target = start.dropFirst(method.count + 1).dropLast(" HTTP/1.1".count)
        let sides = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var headers: [(name: String, value: String)] = []
        for line in lines {
            if line.first == " " {
                headers[headers.count - 1].value += "\n" + line
            } else {
                let colon = line.firstIndex(of: ":") ?? line.endIndex
                headers.append((name: String(line[..<colon]), value: String(line[colon...].dropFirst())))
            }
        }
        let trimmed = body.hasPrefix("\n") ? "" : body
        return SigV4Request(
            method: String(method), path: String(sides[0]), query: sides.count > 1 ? String(sides[1]) : "", headers: headers,
            payloadHash: Hex.encode(SHA256.digest(Array(trimmed.utf8))))
    }
}
