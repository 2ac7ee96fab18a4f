import DiaryCrypto
package import FoundationEssentials

/// Given to the requester of a code, and sent back with it: 16 random bytes, as of a sign-up. The mail proves the address, this proves that
/// the requester is the same. So a code that an attacker requested opens nothing in the app of the owner
/// who reads it, and the owner's code nothing in the attacker's app.
package typealias CodeRequest = Registration

extension CodeRequest {
    /// Of a member's request with an `Idempotency-Key`, always the same: a repetition is answered with it although it is stored nowhere.
    init(_ purpose: CodePurpose, _ key: RequestKey, by member: Member, _ serviceKeys: ServiceKeys) {
        guard let text = key.text else {
            self.init()
            return
        }
        var canon = CanonicalBytes()
        for part in ["code request", member.tenant.description, member.user.description, purpose.rawValue, text] { canon.add(part) }
        self.init(derived: HMACSHA256.code(canon.bytes, key: serviceKeys.requestHash))
    }
}

/// Makes mailed codes for accounts that exist, and reads those that clients send back.
struct AccountCodes: Sendable {
    let serviceKeys: ServiceKeys
    let limits: Limits
    let clock: WallClock

    func make(
        _ purpose: CodePurpose, to address: String, _ request: CodeRequest, vault: Vault,
        addressHash: [UInt8]? = nil, newAddress: (hash: [UInt8], sealed: [UInt8])? = nil
    ) throws(DiaryError) -> (AccountCode, QueuedMail) {
        let digits = OneTimeCode.make()
        let code = AccountCode(
            id: UUIDv7.make(at: clock.now()), purpose: purpose,
            hash: serviceKeys.accountCodeHash(digits, purpose, request: request, owner: vault.owner),
            requestHash: serviceKeys.registrationHash(request, owner: vault.owner), lifetimeSeconds: limits.codeSeconds,
            addressHash: addressHash, newAddress: newAddress)
        return (code, try vault.mail(purpose.mail, MailPayload(to: address, code: digits), at: clock.now()))
    }

    func presented(_ digits: String, _ purpose: CodePurpose, _ request: CodeRequest, owner: Owner) -> PresentedCode {
        PresentedCode(
            purpose: purpose, hash: serviceKeys.accountCodeHash(digits, purpose, request: request, owner: owner),
            requestHash: serviceKeys.registrationHash(request, owner: owner), maxTries: limits.codeTries)
    }
}

extension CodePurpose {
    fileprivate var mail: MailKind {
        switch self {
        case .verify: .verificationCode
        case .login: .signInCode
        case .reset: .resetCode
        case .address: .addressCode
        case .reauthenticate: .reauthenticationCode
        }
    }
}

extension ServiceKeys {
    /// A code is valid for its purpose, its requester and its account only.
    func accountCodeHash(_ digits: String, _ purpose: CodePurpose, request: CodeRequest, owner: Owner) -> [UInt8] {
        HMACSHA256.code(
            owner.tenant.uuid.octets + owner.user.uuid.octets + request.bytes + Array("\(purpose.rawValue)/\(digits)".utf8), key: mailedCode
        )
    }
}

extension DataKeys {
    /// For sign-in: an account whose key was destroyed, and whose rows were restored from a backup, gets the answer of an unknown one.
    func vault(of owner: Owner, orRefuse code: ErrorCode) async throws(DiaryError) -> Vault {
        do { return try await vault(of: owner) } catch {
            throw error.code == .notFound ? DiaryError(code, cause: "the account's key is gone") : error
        }
    }
}

/// A mailed code for an account that exists, hashed. (Codes of a sign-up are `NewCode`.)
package struct AccountCode: Sendable {
    package var id: UUID
    package var purpose: CodePurpose
    package var hash: [UInt8]
    /// Keyed hash of the secret that only the requester was given.
    package var requestHash: [UInt8]
    package var lifetimeSeconds: Int
    /// The address it is mailed to, when that must still be the account's: a code mailed to a former address is refused.
    package var addressHash: [UInt8]?
    /// The address that the code proves, when it is a new one.
    package var newAddress: (hash: [UInt8], sealed: [UInt8])?
}

/// The purpose of a mailed code. Stable strings.
package enum CodePurpose: String, Sendable, CaseIterable { case verify, login, reset, address, reauthenticate }

/// The requester of a code.
package enum CodeRequester: Sendable {
    /// Its session must not have ended.
    case member(Member)
    /// A keyed hash of a client's network.
    case client([UInt8])

    package var member: Member? { if case .member(let member) = self { member } else { nil } }
    package var hash: [UInt8]? { if case .client(let hash) = self { hash } else { nil } }
}

/// A code as a client sends it back.
package struct PresentedCode: Sendable {
    package var purpose: CodePurpose
    package var hash: [UInt8]
    package var requestHash: [UInt8]
    package var maxTries: Int
}

/// The digits of a mailed code: eight, because codes can be requested repeatedly. 60 codes an hour of one purpose with five tries each are
/// 300 tries, a chance of one in 330,000.
enum OneTimeCode {
    static let count = 8

    /// Uniform over all texts of so many digits: a word above the largest multiple of their number is drawn again.
    /// - Parameter count: 1 … 9.
    static func make(_ count: Int = Self.count) -> String {
        let numbers = (0..<count).reduce(UInt32(1)) { product, _ in product * 10 }
        let bound = UInt32.max - UInt32.max % numbers
        while true {
            let word = SecureRandom.bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard word < bound else { continue }
            let digits = String(word % numbers)
            return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
        }
    }
}
