import DiaryCrypto
package import FoundationEssentials
import WireFormats

/// Shows its holder the progress of an account's erasure. It contains no id of the account; stored as a keyed hash.
package struct ErasureReceipt: Sendable, Equatable {
    /// 24 random bytes.
    private let bytes: [UInt8]

    package init() { bytes = SecureRandom.bytes(24) }

    package init?(parsing text: String) {
        guard text.utf8.count == 32, let bytes = Base64URL.decode(text), bytes.count == 24, Base64URL.encode(bytes) == text else {
            return nil
        }
        self.bytes = bytes
    }

    /// 32 characters of base64url.
    package var text: String { Base64URL.encode(bytes) }

    package func hash(_ serviceKeys: ServiceKeys) -> [UInt8] { HMACSHA256.code(bytes, key: serviceKeys.erasureReceipt) }
}

extension NewDeletion {
    /// A new deletion of an account, and its receipt.
    package static func of(
        _ owner: Owner, uploadSeconds: Int, _ serviceKeys: ServiceKeys, at now: Date
    ) throws(DiaryError) -> (
        NewDeletion, ErasureReceipt
    ) {
        let receipt = ErasureReceipt()
        let id = DeletionID(UUIDv7.make(at: now))
        let deletion = NewDeletion(
            id: id, receiptHash: receipt.hash(serviceKeys), subjectSealed: try serviceKeys.sealSubject(owner, of: id),
            uploadSeconds: uploadSeconds)
        return (deletion, receipt)
    }
}

/// The owner as the deletion's row keeps it: readable only with the service's key.
extension ServiceKeys {
    package func sealSubject(_ owner: Owner, of deletion: DeletionID) throws(DiaryError) -> [UInt8] {
        do {
            return try SealedSecret.seal(
                owner.tenant.uuid.octets + owner.user.uuid.octets, key: erasureSubject,
                context: ["deletions", "subject", deletion.description])
        } catch {
            throw DiaryError(.internalError, cause: "sealing a deletion's subject failed")
        }
    }

    package func subject(_ sealed: [UInt8], of deletion: DeletionID) throws(DiaryError) -> Owner {
        let plain = try? SealedSecret.open(sealed, key: erasureSubject, context: ["deletions", "subject", deletion.description])
        guard let plain, plain.count == 32, let tenant = UUID(octets: plain[0..<16]), let user = UUID(octets: plain[16..<32]) else {
            throw DiaryError(.internalError, cause: "a deletion's subject does not open")
        }
        return Owner(tenant: TenantID(tenant), user: UserID(user))
    }
}
