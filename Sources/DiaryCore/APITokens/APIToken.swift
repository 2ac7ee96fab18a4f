package import DiaryCrypto
import FoundationEssentials
import WireFormats

/// A token of a member's device or script. Whose it is and what it may do stands in it, so that a request with it takes one round trip, as one
/// with a session does; the database has its hash.
///
/// `diary_token_` and base64url of tenant, user, id (16 bytes each), scopes (1), secret (24), code (16) and checksum (4). The code is the start
/// of a keyed hash of what stands before it: a guess is refused without a query and without charging the member that it names. The checksum is
/// the start of the SHA-256 of what stands before it: scanners for leaked secrets need no key to tell a token from what looks like one.
package struct APIToken: Sendable, Equatable {
    package static let prefix = "diary_token_"

    package let owner: Owner
    package let id: APITokenID
    package let scopes: Set<APITokenScope>
    private let bytes: [UInt8]

    private static let codeLength = 16
    private static let checksumLength = 4
    /// Bytes in front of the code, of the whole, and characters of the whole.
    private static let length = (named: 73, whole: 93, text: 124)

    private init(owner: Owner, id: APITokenID, scopes: Set<APITokenScope>, bytes: [UInt8]) {
        self.owner = owner
        self.id = id
        self.scopes = scopes
        self.bytes = bytes
    }

    package var text: String { Self.prefix + Base64URL.encode(bytes) }

    /// The hash that the database keeps.
    package var hash: [UInt8] { SHA256.digest(bytes) }

    private static func code(_ named: [UInt8], key: SecretBytes) -> [UInt8] {
        Array(HMACSHA256.code(named, key: key).prefix(codeLength))
    }

    private static func checksum(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.digest(bytes).prefix(checksumLength)) }
}

extension APIToken {
    /// A new token.
    init(_ id: APITokenID, _ scopes: Set<APITokenScope>, of owner: Owner, key: SecretBytes) {
        var named = owner.tenant.uuid.octets + owner.user.uuid.octets + id.uuid.octets
        named.append(APITokenScope.bits(scopes))
        named += SecureRandom.bytes(24)
        let signed = named + Self.code(named, key: key)
        self.init(owner: owner, id: id, scopes: scopes, bytes: signed + Self.checksum(signed))
    }

    /// nil when this service did not make it. Whether it lives says the database.
    package init?(parsing text: String, key: SecretBytes) {
        guard text.hasPrefix(Self.prefix), text.utf8.count == Self.prefix.utf8.count + Self.length.text,
            let bytes = Base64URL.decode(String(text.dropFirst(Self.prefix.count))), bytes.count == Self.length.whole
        else { return nil }
        let signed = Array(bytes.dropLast(Self.checksumLength))
        let named = Array(signed.dropLast(Self.codeLength))
        guard named.count == Self.length.named, Self.checksum(signed) == Array(bytes.suffix(Self.checksumLength)),
            ConstantTime.equal(Self.code(named, key: key), Array(signed.suffix(Self.codeLength))),
            let tenant = UUID(octets: named[0..<16]), let user = UUID(octets: named[16..<32]), let id = UUID(octets: named[32..<48]),
            let scopes = APITokenScope.scopes(bits: named[48])
        else { return nil }
        self.init(
            owner: Owner(tenant: TenantID(tenant), user: UserID(user)), id: APITokenID(id), scopes: scopes, bytes: bytes)
    }
}

package enum APITokens {}
package typealias APITokenID = ID<APITokens>

/// What an API token may do. Stored, and a bit of the token.
package enum APITokenScope: String, Sendable, CaseIterable {
    case entriesRead = "entries:read"
    case entriesWrite = "entries:write"
    case exports
    /// Everything that a token may do at all.
    case all

    private var bit: UInt8 {
        switch self {
        case .entriesRead: 1
        case .entriesWrite: 2
        case .exports: 4
        case .all: 8
        }
    }

    static func bits(_ scopes: Set<APITokenScope>) -> UInt8 { scopes.reduce(0) { $0 | $1.bit } }

    /// nil for none, and for a bit that stands for no scope.
    static func scopes(bits: UInt8) -> Set<APITokenScope>? {
        let scopes = Set(allCases.filter { bits & $0.bit != 0 })
        return bits != 0 && Self.bits(scopes) == bits ? scopes : nil
    }
}
