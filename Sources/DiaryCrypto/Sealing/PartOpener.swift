import FoundationEssentials

/// Opens many parts of one owner with the key set up once, which takes as long as opening a short part.
package struct PartOpener: ~Copyable {
    private let keyID: UUID
    private let cipher: GCMContext

    package init(key: DataKey, purpose: SealPurpose = .content) throws(CryptoError) {
        keyID = key.id
        cipher = try GCMContext.opening(with: key.subkey(purpose))
    }

    /// - Throws: `wrongKey` when another data key sealed it, `refused` when it was altered or belongs elsewhere.
    package borrowing func open(_ sealed: [UInt8], context: PartContext) throws(CryptoError) -> [UInt8] {
        let prefix = try SealedPrefix(parsing: sealed)
        guard prefix.keyID == keyID else { throw .wrongKey }
        return try AES256GCM.open(
            sealed.dropFirst(SealedPrefix.count), with: cipher, nonce: prefix.nonce, additional: context.additional)
    }
}
