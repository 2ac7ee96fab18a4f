import DiaryCrypto
import FoundationEssentials

/// Given to the requester of a code, and sent back with it: 16 random bytes, as of a sign-up. The mail proves the address, this proves that
/// the requester is the same. So a code that an attacker requested opens nothing in the app of the owner
/// who reads it, and the owner's code nothing in the attacker's app.
package typealias CodeRequest = Registration

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
