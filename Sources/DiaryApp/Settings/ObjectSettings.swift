import DiaryCrypto
import S3Client
import WireFormats

/// Where recordings and zips are stored: a folder, or a bucket of an S3-compatible service.
struct ObjectSettings: Sendable {
    enum Place: Sendable {
        case folder(String)
        case bucket(Bucket)
    }

    struct Bucket: Sendable {
        let s3: S3Configuration
        /// Empty, or it ends with a slash.
        let prefix: String
        let guardsOverwrites: Bool
        let signsChecksums: Bool
    }

    let place: Place

    var isBucket: Bool { if case .bucket = place { true } else { false } }

    init(_ environment: Environment) throws(SettingsError) {
        let text = try environment.read(Settings.objects)
        guard text.hasPrefix(Self.scheme) else {
            place = .folder(text)
            return
        }
        let parts = text.dropFirst(Self.scheme.count).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let bucketName = parts.first ?? ""
        guard S3Bucket.isName(bucketName) else {
            throw SettingsError(Settings.objects, "does not name a bucket: s3://bucket or s3://bucket/prefix")
        }
        var prefix = parts.dropFirst().first ?? ""
        while prefix.hasSuffix("/") { prefix.removeLast() }
        guard Self.isPrefix(prefix) else {
            throw SettingsError(Settings.objects, "the prefix must be names of letters, digits, '.', '_' and '-' with slashes between them")
        }
        let style = try environment.read(Self.style)
        guard let endpoint = try environment.read(Self.endpoint) else {
            throw SettingsError(Self.endpoint, "is required with \(Self.scheme)…")
        }
        guard let bucket = S3Bucket(bucketName, at: endpoint, style: style) else {
            throw SettingsError(Settings.objects, "does not name a bucket")
        }
        guard let key = try environment.read(Self.accessKey) else {
            throw SettingsError(Self.accessKey, "is required with \(Self.scheme)…")
        }
        guard let secret = try environment.read(Self.secretKey) else {
            throw SettingsError(Self.secretKey, "is required with \(Self.scheme)…")
        }
        let token = try environment.read(Self.sessionToken).map { String(decoding: $0.bytes(), as: UTF8.self) }
        place = .bucket(
            Bucket(
                s3: S3Configuration(
                    bucket: bucket, publicEndpoint: try environment.read(Self.publicEndpoint), region: try environment.read(Self.region),
                    credentials: SigV4Credentials(accessKeyID: key, secret: secret, sessionToken: token),
                    certificateFile: try environment.read(Self.certificates)),
                prefix: prefix.isEmpty ? "" : prefix + "/", guardsOverwrites: try environment.read(Self.ifNoneMatch) == 1,
                signsChecksums: try environment.read(Self.checksums) == 1))
    }

    static let scheme = "s3://"

    private static func isPrefix(_ text: String) -> Bool {
        text.isEmpty
            || text.utf8.count <= 512
                && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                    !["", ".", ".."].contains(part) && !part.contains("~") && PercentEncoding.encode(part.utf8) == part
                }
    }
}

extension ObjectSettings {
    static let endpoint = Setting<S3Endpoint?>.optional(
        "DIARY_S3_ENDPOINT", address, without: "required with `s3://…`", "where the service answers API and workers",
        example: .comment("https://s3.eu-central-1.amazonaws.com"))
    static let publicEndpoint = Setting<S3Endpoint?>.optional(
        "DIARY_S3_PUBLIC_ENDPOINT", address, without: "the endpoint", "where clients reach it, when that is another address",
        example: .comment("https://objects.example.org"))
    static let region = Setting.defaulted(
        "DIARY_S3_REGION", .region, default: "us-east-1", "part of every signature", example: .comment("eu-central-1"))
    static let style = Setting.choice(
        "DIARY_S3_STYLE", default: S3Bucket.Style.path, "addresses as endpoint/bucket/key or bucket.endpoint/key")
    static let accessKey = Setting<String?>.optional(
        "DIARY_S3_ACCESS_KEY", .accessKey, without: "required with `s3://…`", "the id of the key that signs",
        example: .comment("AKIAIOSFODNN7EXAMPLE"))
    static let secretKey = secret(
        "DIARY_S3_SECRET_KEY", without: "required with `s3://…`", "signs requests and upload URLs", "s3-secret-key")
    static let sessionToken = secret(
        "DIARY_S3_SESSION_TOKEN", without: "none", "of a key that was issued for a while; such a key must outlive the upload URLs",
        "s3-session-token")
    static let certificates = Setting<String?>.optional(
        "DIARY_S3_CERTIFICATES", .text("PEM file"), without: "the system's", "certificates that the service's is checked against",
        example: .comment("/etc/diary/s3-ca.pem"))
    static let ifNoneMatch = Setting.whole(
        "DIARY_S3_IF_NONE_MATCH", 0...1, default: 1,
        "`0` for services that refuse `If-None-Match` on PUT (501): nothing then stops a second upload by the same URL; `diary objects check` tells"
    )

    static let checksums = Setting.whole(
        "DIARY_S3_CHECKSUMS", 0...1, default: 1,
        "`0` for services that refuse `x-amz-checksum-sha256` on PUT (Backblaze B2): the worker alone then compares a recording with the hash that was announced; `diary objects check` tells"
    )

    private static let address = SettingForm<S3Endpoint>("`http(s)://host[:port]`", fault: "must be http(s)://host[:port] without a path") {
        S3Endpoint($0)
    }

    private static func secret(_ name: String, without: String, _ meaning: String, _ file: String) -> Setting<SecretBytes?> {
        Setting<SecretBytes?>.optional(
            name, .visibleBytes(8_192), without: without, secrecy: .secret, meaning, example: .file("/etc/diary/keys/\(file)"))
    }

    static let group = SettingsGroup(
        title: "S3",
        notes: [
            "Read when DIARY_OBJECTS is a bucket. `diary objects check` tries the bucket and says what is wrong with it."
        ],
        settings: [endpoint, publicEndpoint, region, style, accessKey, secretKey, sessionToken, certificates, ifNoneMatch, checksums])
}
