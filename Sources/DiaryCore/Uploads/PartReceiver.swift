package import DiaryCrypto

/// The parts of an upload where the API itself is the upload server.
package protocol PartReceiver: Sendable {
    /// Seals the body while it arrives. The part is durable when this returns, in place of an earlier one of its number.
    /// - Returns: the plaintext's SHA-256.
    /// - Throws: `lengthMismatch`, what the body throws.
    func receive(_ part: PartKey, from body: any ByteStream, length: Int64, sealedBy dataKey: DataKey) async throws -> [UInt8]
}
