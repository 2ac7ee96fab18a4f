import CurlTransfer
import Foundation
import TestServers

@testable import S3Client

/// D1's list for URLs that a bucket itself serves: each row changes a genuine request.
///
/// Not here, because services differ and AWS refuses them: unsigned `x-amz-meta-*`, `x-amz-acl`, `x-amz-storage-class` and checksums, which
/// radosgw takes, and Swift the last two, and a second `X-Amz-Expires` before the signed one. None of them changes key, type, length or bytes of the recording, whose
/// hash the service checks and which it seals under another key.
struct TamperedBucketUploads {
    struct Sent: Sendable {
        var method = TransferRequest.Method.put
        var url: String
        var headers: [(name: String, value: String)]
        var body: [UInt8]

        mutating func replace(_ old: String, _ new: String) { url = url.replacingOccurrences(of: old, with: new) }

        func value(_ name: String) -> String {
            url.split(separator: "?").last?.split(separator: "&").first { $0.hasPrefix(name + "=") }
                .map { String($0.dropFirst(name.count + 1)) } ?? ""
        }

        /// A parameter's raw value; nil removes it.
        mutating func set(_ name: String, _ value: String?) {
            let sides = url.split(separator: "?", maxSplits: 1).map(String.init)
            let query = (sides.last ?? "").split(separator: "&").compactMap { piece in
                piece.hasPrefix(name + "=") ? value.map { "\(name)=\($0)" } : String(piece)
            }
            url = (sides.first ?? "") + "?" + query.joined(separator: "&")
        }

        mutating func header(_ name: String, _ value: String?) {
            headers.removeAll { $0.name.lowercased() == name.lowercased() }
            if let value { headers.append((name: name, value: value)) }
        }
    }

    struct Row: Sendable {
        var name: String
        /// Of services that are known not to refuse it.
        var difference: S3Difference?
        var bend: @Sendable (inout Sent) -> Void

        init(_ name: String, unless difference: S3Difference? = nil, _ bend: @escaping @Sendable (inout Sent) -> Void) {
            self.name = name
            self.difference = difference
            self.bend = bend
        }
    }

    /// Objects' names in the bucket: that of the URL, and of others.
    var name: String
    var others: [(label: String, name: String)]

    private static let parameters = [
        "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires", "X-Amz-SignedHeaders", "X-Amz-Signature",
    ]

    /// For the URL of a recording and for that of a part.
    var common: [Row] { parameterRows + valueRows + pathRows + requestRows }

    private var parameterRows: [Row] {
        Self.parameters.flatMap { name -> [Row] in
            let difference: S3Difference? = name == "X-Amz-Expires" ? .failsOnEmptyExpiry : nil
            return [
                Row("\(name) missing") { $0.set(name, nil) },
                Row("\(name) empty", unless: difference) { $0.set(name, "") },
                Row("\(name) in other letters") { $0.replace("\(name)=", "\(name.lowercased())x=") },
                Row("\(name) with another end") {
                    $0.set(name, String($0.value(name).dropLast()) + ($0.value(name).hasSuffix("1") ? "2" : "1"))
                },
            ]
        }
    }

    private var valueRows: [Row] {
        [
            Row("valid for longer") { $0.set("X-Amz-Expires", "604800") },
            Row("valid without an end") { $0.set("X-Amz-Expires", "99999999999") },
            Row("signed a day later") { $0.set("X-Amz-Date", AmzDate(.now.addingTimeInterval(86_400)).description) },
            Row("signed for another region") { $0.replace("us-east-1", "eu-central-1") },
            Row("signed for another service") { $0.replace("%2Fs3%2F", "%2Fsqs%2F") },
            Row("signed by an unknown key") { $0.set("X-Amz-Credential", "unknown" + $0.value("X-Amz-Credential").dropFirst(4)) },
            Row("signature in upper case") { $0.set("X-Amz-Signature", $0.value("X-Amz-Signature").uppercased()) },
            Row("signature of zeros") { $0.set("X-Amz-Signature", String(repeating: "0", count: 64)) },
            Row("host alone signed") { $0.set("X-Amz-SignedHeaders", "host") },
            Row("length not signed") { $0.replace("content-length%3B", "") },
            Row("another algorithm") { $0.set("X-Amz-Algorithm", "AWS4-HMAC-SHA1") },
            Row("no query at all", unless: .servesUnsigned) { $0.url = String($0.url.prefix { $0 != "?" }) },
        ]
            + ["acl", "uploads=", "versionId=1", "tagging=", "a=b", "X-Amz-Security-Token=t"].map { extra in
                Row("extra \(extra)") { $0.url += "&" + extra }
            }
    }

    private var pathRows: [Row] {
        let name = name
        return others.map { label, other in Row("the key of \(label)") { $0.replace(name, other) } } + [
            Row("another bucket") { $0.replace("/tests/", "/others/") },
            Row("a longer key") { $0.replace(name, name + "/x") },
            Row("a key with a slash more") { $0.replace(name, name + "/") },
            Row("a key with two slashes") { $0.replace("/staging/", "//staging/") },
            Row("a key in upper case") { $0.replace(name, name.uppercased()) },
        ]
    }

    private var requestRows: [Row] {
        [
            Row("a byte less") { $0.body.removeLast() },
            Row("a byte more") { $0.body.append(1) },
            Row("no byte") { $0.body = [] },
            Row("GET") { ($0.method, $0.body) = (.get, []) },
            Row("HEAD") { ($0.method, $0.body) = (.head, []) },
            Row("DELETE") { ($0.method, $0.body) = (.delete, []) },
            Row("POST") { $0.method = .post },
            Row("signed by a header too", unless: .ignoresSecondSignature) {
                $0.header("Authorization", "AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=0")
            },
        ]
    }

    /// For the URL of a recording, whose type and hash are signed.
    var whole: [Row] {
        [
            Row("another type") { $0.header("Content-Type", "text/html") },
            Row("no type") { $0.header("Content-Type", nil) },
            Row("a longer type") { $0.header("Content-Type", "audio/mp4; a=b") },
            Row("another checksum") { $0.header("x-amz-checksum-sha256", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=") },
            Row("no checksum") { $0.header("x-amz-checksum-sha256", nil) },
            Row("as a part") { $0.url += "&partNumber=1&uploadId=x" },
        ]
    }

    /// For the URL of part 2 of a set.
    /// - Parameters:
    ///   - sets: ids of other sets.
    ///   - query: of the recording's own URL.
    static func part(sets: [(label: String, id: String)], whole query: String) -> [Row] {
        let numbers: [String] = ["1", "3", "0", "02", "10001", "-2", "%2B2", "2.0", "%D9%A2", "2%2C1"]
        return numbers.map { (number: String) in Row("part \(number)") { $0.set("partNumber", number) } }
            + sets.map { label, id in Row("the set of \(label)") { $0.set("uploadId", id) } } + [
                Row("no number") { $0.set("partNumber", nil) },
                Row("no set") { $0.set("uploadId", nil) },
                Row("neither") {
                    $0.set("partNumber", nil)
                    $0.set("uploadId", nil)
                },
                Row("a number more", unless: .ignoresRepeatedParameters) { $0.url += "&partNumber=1" },
                Row("the whole's signature") {
                    $0.set("X-Amz-Signature", Sent(url: "?" + query, headers: [], body: []).value("X-Amz-Signature"))
                },
                Row("the whole's URL with this part") { sent in
                    let (number, set) = (sent.value("partNumber"), sent.value("uploadId"))
                    sent.url = sent.url.prefix { $0 != "?" } + "?partNumber=\(number)&uploadId=\(set)&" + query
                },
            ]
    }
}
