import FoundationEssentials
import WireFormats

@testable import DiaryCore
@testable import DiaryCrypto
@testable import DiaryObjectStore
@testable import S3Client

private let signingTime = Date(timeIntervalSince1970: 1_790_000_000)
private let secret = SecretBytes(Array(repeating: 7, count: 32))

extension FuzzTarget {
    /// Upload URLs: what is taken is what was signed.
    static let sigv4 = FuzzTarget(name: "sigv4") { input in
        switch input.choice(4) {
        case 0:
            let signed = Upload.signed
            let path = input.edited(signed.path)
            let query = input.edited(signed.query)
            guard let grant = Upload.grant(path, query, signed.headers) else {
                return hold(!path.isExactly(signed.path) || !query.isExactly(signed.query), "a good upload is refused")
            }
            hold(grant == Upload.expected, "another upload than was signed")
            hold(path.isExactly(signed.path), "another path than was signed")
            hold(SigV4.canonicalQuery(query).isExactly(SigV4.canonicalQuery(signed.query)), "another query than was signed")
        case 1:
            let signed = Upload.signed
            var headers = signed.headers
            let at = input.choice(headers.count + 1)
            if at == headers.count {
                headers.append((input.shortText(), input.text()))
            } else if input.flag() {
                headers[at].name = input.edited(headers[at].name)
            } else {
                headers[at].value = input.edited(headers[at].value)
            }
            guard let grant = Upload.grant(signed.path, signed.query, headers) else { return }
            hold(grant == Upload.expected, "another upload than was signed")
        case 2:
            let query = input.text()
            hold(
                Upload.grant(Upload.signed.path, query, Upload.signed.headers) == nil || query == Upload.signed.query,
                "a forged query passes")
            let pairs = query.split(separator: "&").map {
                (name: String($0.prefix { $0 != "=" }), value: String($0.drop { $0 != "=" }.dropFirst()))
            }
            if let presented = SigV4Presented(parameters: pairs) {
                hold((1...604_800).contains(presented.expires ?? 0) && presented.signature.utf8.count == 64, "parameters out of range")
            }
            let canonical = SigV4.canonicalQuery(query)
            hold(SigV4.canonicalQuery(canonical).isExactly(canonical), "a canonical query is not its own canonical query")
        default:
            let date = input.shortText()
            if let parsed = AmzDate(date) {
                hold(parsed.description.isExactly(date) && AmzDate(parsed.date) == parsed, "a date with two spellings")
            }
            if let url = PublicURL(input.shortText()) {
                hold(PublicURL(url.description) == url, "a public address that does not read again")
            }
            let text = input.text()
            _ = SigV4Presented(authorization: text, date: date)
            // The head's rules let ASCII alone through.
            if text.utf8.allSatisfy({ $0 < 0x80 }) {
                let path = SigV4.normalized(text)
                hold(SigV4.normalized(path).isExactly(path), "a normalized path is not normal")
            }
            hold(PercentEncoding.decode(PercentEncoding.encode(text.utf8)) == text.bytes, "percent encoding loses something")
        }
    }

    /// Signed links: to recordings, to exports, and object keys in paths.
    static let links = FuzzTarget(name: "links") { input in
        let signer = LinkSigner(key: secret)
        switch input.choice(4) {
        case 0:
            let fields = [input.shortText(), input.shortText()]
            let signature = signer.sign(purpose: "audio", fields: fields, expiresAt: signingTime)
            hold(signer.isValid(signature, purpose: "audio", fields: fields, expiresAt: signingTime), "a signature does not verify")
            hold(!signer.isValid(signature, purpose: "export", fields: fields, expiresAt: signingTime), "a signature serves two purposes")
            let moved = [fields[0] + fields[1].prefix(1), String(fields[1].dropFirst())]
            if !moved[0].isExactly(fields[0]) {
                hold(!signer.isValid(signature, purpose: "audio", fields: moved, expiresAt: signingTime), "fields can be cut elsewhere")
            }
            let other = input.edited(signature)
            hold(
                signer.isValid(other, purpose: "audio", fields: fields, expiresAt: signingTime) == other.isExactly(signature),
                "an altered signature passes")
        case 1:
            let owner = Owner(tenant: TenantID(input.uuid()), user: UserID(input.uuid()))
            let seconds = input.number(in: 1...253_402_300_799)
            let link = ExportLink(
                owner: owner, export: ExportID(input.uuid()), expiresAt: Date(timeIntervalSince1970: Double(seconds)), links: signer)
            hold(ExportLink(token: link.token, links: signer) == link, "a link does not read again")
            let other = input.edited(link.token)
            hold((ExportLink(token: other, links: signer) != nil) == other.isExactly(link.token), "an altered link passes")
        case 2:
            hold(ExportLink(token: input.text(), links: signer) == nil, "a forged link passes")
        default:
            let path = input.text()
            if let key = ObjectKey(path: path) { hold(key.description.isExactly(path), "a key with two spellings") }
            let prefix = PublicURL("https://diary.example/api")
            if let prefix, let key = UploadPath.key(in: path, under: prefix) { hold(key.kind == .staging, "a path to a finished object") }
            if let bytes = Base64URL.decode(path) { hold(Base64URL.encode(bytes).isExactly(path), "base64url with two spellings") }
            if let bytes = Base64.decode(path) { hold(Base64.encode(bytes).isExactly(path), "base64 with two spellings") }
            if let bytes = Hex.decode(path) { hold(Hex.encode(bytes).isExactly(path.lowercased()), "hex that does not read again") }
        }
    }
}

private enum Upload {
    struct Signed: Sendable {
        let path: String
        let query: String
        let headers: [(name: String, value: String)]
    }

    static let credentials = SigV4Credentials(accessKeyID: "diary", secret: secret)
    static let url: PublicURL = {
        guard let url = PublicURL("https://diary.example/api") else { fatalError("no address") }
        return url
    }()
    static let expected = UploadGrant(
        key: ObjectKey(
            kind: .staging, tenant: TenantID(fixed), user: UserID(fixed), object: fixed),
        contentType: "audio/mp4", length: 482_133, sha256: Array(repeating: 9, count: 32))
    static let fixed = UUID(uuidString: "00000000-0000-4000-8000-000000000001") ?? UUID()

    static let signed: Signed = {
        let target = SigV4UploadSigner(publicURL: url, credentials: credentials, region: "eu").sign(
            expected.key, contentType: expected.contentType, length: expected.length, sha256: expected.sha256, at: signingTime,
            lifetime: 900)
        let rest = target.url.dropFirst("https://diary.example".count)
        return Signed(
            path: String(rest.prefix { $0 != "?" }), query: String(rest.drop { $0 != "?" }.dropFirst()),
            headers: target.headers + [("Content-Length", String(expected.length))])
    }()

    static func grant(_ path: String, _ query: String, _ headers: [(name: String, value: String)]) -> UploadGrant? {
        try? UploadVerifier(publicURL: url, credentials: credentials, region: "eu", longestLifetime: 900)
            .check(method: "PUT", path: path, query: query, headers: headers, at: signingTime)
    }
}
