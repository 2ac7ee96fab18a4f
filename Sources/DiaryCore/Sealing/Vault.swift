package import DiaryCrypto
package import FoundationEssentials

/// Seals and opens the parts of decision D15. Every part's additional data names its table, part, owner, row and version, so that it opens
/// in no other place (G3).
package struct Vault: Sendable {
    /// The name of a sealed column and its table, as additional data has them. Each stands with its feature, as in `Entries/PersonalPart.swift`.
    package struct Part: Sendable {
        let name: String
        let table: String
    }

    package let key: DataKey
    package let owner: Owner

    package init(key: DataKey, owner: Owner) {
        self.key = key
        self.owner = owner
    }

    package func seal(_ plain: [UInt8], _ part: Part, row: UUID, version: Int64 = 1) throws(DiaryError) -> [UInt8] {
        do {
            return try SealedPart.seal(plain, key: key, context: context(part, row, version))
        } catch {
            throw DiaryError(.internalError, cause: "sealing \(part.name) failed")
        }
    }

    package func open(_ sealed: [UInt8], _ part: Part, row: UUID, version: Int64 = 1) throws(DiaryError) -> [UInt8] {
        do {
            return try SealedPart.open(sealed, key: key, context: context(part, row, version))
        } catch {
            throw DiaryError(.internalError, cause: "sealed \(part.name) does not open")
        }
    }

    package func seal(_ value: some Encodable, as part: Part, row: UUID, version: Int64 = 1) throws(DiaryError) -> [UInt8] {
        guard let plain = try? JSONEncoder().encode(value) else {
            throw DiaryError(.internalError, cause: "encoding \(part.name) failed")
        }
        return try seal(Array(plain), part, row: row, version: version)
    }

    package func open<Value: Decodable>(
        _ type: Value.Type, _ sealed: [UInt8], as part: Part, row: UUID, version: Int64 = 1
    ) throws(DiaryError) -> Value {
        let plain = try open(sealed, part, row: row, version: version)
        guard let value = try? JSONDecoder().decode(type, from: Data(plain)) else {
            throw DiaryError(.internalError, cause: "opened \(part.name) does not decode")
        }
        return value
    }

    package func seal(_ value: some SealablePart, as part: Part, row: UUID, version: Int64 = 1) throws(DiaryError) -> [UInt8] {
        try seal(value.plainBytes, part, row: row, version: version)
    }

    package func open<Value: SealablePart>(
        _ type: Value.Type, _ sealed: [UInt8], as part: Part, row: UUID, version: Int64 = 1
    )
        throws(DiaryError) -> Value
    {
        let plain = try open(sealed, part, row: row, version: version)
        guard let value = Value(plain: plain.span) else {
            throw DiaryError(.internalError, cause: "opened \(part.name) does not decode")
        }
        return value
    }

    func context(_ part: Part, _ row: UUID, _ version: Int64) -> PartContext {
        PartContext(table: part.table, part: part.name, tenant: owner.tenant.uuid, user: owner.user.uuid, row: row, version: version)
    }
}

/// A part that can be encoded for sealing.
package protocol SealablePart: Sendable {
    var plainBytes: [UInt8] { get }
    init?(plain: Span<UInt8>)
}

/// A sealed part and the content version that its additional data names.
package struct SealedColumn: Sendable, Equatable {
    package var sealed: SealedBytes
    package var version: Int64

    package init(_ sealed: SealedBytes, version: Int64) {
        self.sealed = sealed
        self.version = version
    }

    package init(bytes: [UInt8], version: Int64) { self.init(SealedBytes(bytes), version: version) }

    package var bytes: [UInt8] { sealed.array }
}

/// A part that a worker sealed, its new version and the version it replaces.
package struct SealedResult: Sendable {
    package var sealed: [UInt8]
    package var version: Int64
    package var keyID: UUID

    package init(sealed: [UInt8], version: Int64, keyID: UUID) {
        self.sealed = sealed
        self.version = version
        self.keyID = keyID
    }
}
