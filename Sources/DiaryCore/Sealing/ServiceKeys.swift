package import DiaryCrypto
package import FoundationEssentials

/// Keys of the service itself, all derived from one configured secret. They must outlive a rotation of the master key ring
/// (addresses would no longer be found), so they are not derived from the ring.
package struct ServiceKeys: Sendable {
    package let addressIndex: SecretBytes
    package let requestHash: SecretBytes
    package let mailedCode: SecretBytes
    package let refreshToken: SecretBytes
    package let rateSubject: SecretBytes
    package let links: SecretBytes
    package let uploads: SecretBytes
    package let subjectIndex: SecretBytes
    package let challenge: SecretBytes
    package let notice: SecretBytes
    package let appleGrant: SecretBytes
    package let devices: SecretBytes
    package let erasureReceipt: SecretBytes
    package let erasureSubject: SecretBytes
    package let apiTokens: SecretBytes
    private let check: SecretBytes

    package init(secret: SecretBytes) {
        addressIndex = HKDFSHA256.derive(secret, info: "diary/v1/service/address-index")
        requestHash = HKDFSHA256.derive(secret, info: "diary/v1/service/request-hash")
        mailedCode = HKDFSHA256.derive(secret, info: "diary/v1/service/mailed-code")
        refreshToken = HKDFSHA256.derive(secret, info: "diary/v1/service/refresh-token")
        rateSubject = HKDFSHA256.derive(secret, info: "diary/v1/service/rate-subject")
        links = HKDFSHA256.derive(secret, info: "diary/v1/service/links")
        uploads = HKDFSHA256.derive(secret, info: "diary/v1/service/uploads")
        subjectIndex = HKDFSHA256.derive(secret, info: "diary/v1/service/subject-index")
        challenge = HKDFSHA256.derive(secret, info: "diary/v1/service/challenge")
        notice = HKDFSHA256.derive(secret, info: "diary/v1/service/notice")
        appleGrant = HKDFSHA256.derive(secret, info: "diary/v1/service/apple-grant")
        devices = HKDFSHA256.derive(secret, info: "diary/v1/service/known-devices")
        erasureReceipt = HKDFSHA256.derive(secret, info: "diary/v1/service/erasure-receipt")
        erasureSubject = HKDFSHA256.derive(secret, info: "diary/v1/service/erasure-subject")
        apiTokens = HKDFSHA256.derive(secret, info: "diary/v1/service/api-tokens")
        check = HKDFSHA256.derive(secret, info: "diary/v1/service/check")
    }

    /// Tells secrets apart without giving anything of them away.
    package var checkValue: [UInt8] { HMACSHA256.code(Array("service-secret".utf8), key: check) }

    /// The requester of a code: a client's network, so that one client cannot use up the limit of all.
    package func requesterHash(_ client: [UInt8]) -> [UInt8] { HMACSHA256.code(Array("asker/".utf8) + client, key: rateSubject) }

    /// The look-up hash of an address: the same address in two tenants has two hashes.
    package func addressHash(_ normalised: String, tenant: TenantID) -> [UInt8] {
        HMACSHA256.code(tenant.uuid.octets + Array(normalised.utf8), key: addressIndex)
    }

    /// The look-up hash of a provider's subject: the same subject of two providers, or in two tenants, has two hashes.
    package func subjectHash(_ subject: String, of provider: IdentityProvider, tenant: TenantID) -> [UInt8] {
        HMACSHA256.code(tenant.uuid.octets + Array("\(provider.rawValue) \(subject)".utf8), key: subjectIndex)
    }

    package func challengeHash(_ nonce: String, tenant: TenantID) -> [UInt8] {
        HMACSHA256.code(tenant.uuid.octets + Array(nonce.utf8), key: challenge)
    }

    package func noticeHash(_ id: String, tenant: TenantID) -> [UInt8] {
        HMACSHA256.code(tenant.uuid.octets + Array(id.utf8), key: notice)
    }

    /// A provider's report, whichever app it is of.
    package func mailEventHash(_ id: String, of provider: MailProvider) -> [UInt8] {
        HMACSHA256.code(Array("mail \(provider.rawValue) \(id)".utf8), key: notice)
    }

    package func registrationHash(_ registration: Registration, owner: Owner) -> [UInt8] {
        HMACSHA256.code(owner.tenant.uuid.octets + owner.user.uuid.octets + registration.bytes, key: mailedCode)
    }

    /// The hash of a code includes its sign-up's own secret: without it the code is of no use.
    package func codeHash(_ code: String, registration: Registration, owner: Owner) -> [UInt8] {
        HMACSHA256.code(owner.tenant.uuid.octets + owner.user.uuid.octets + registration.bytes + Array(code.utf8), key: mailedCode)
    }
}

/// Signs the fields of a link. Each purpose has its own key, so that a playback link is never accepted as an export link.
package protocol LinkSigning: Sendable {
    /// Base64url of an HMAC over purpose, fields (unambiguously joined) and whole seconds of `expiresAt`.
    func sign(purpose: String, fields: [String], expiresAt: Date) -> String
    func isValid(_ signature: String, purpose: String, fields: [String], expiresAt: Date) -> Bool
}
