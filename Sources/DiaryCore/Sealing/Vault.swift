package import DiaryCrypto
package import FoundationEssentials

/// Seals and opens the parts of decision D15. Every part's additional data names its table, part, owner, row and version, so that it opens
/// in no other place (G3).
package struct Vault: Sendable {
    /// The name of a sealed column and its table, as additional data has them.
    package struct Part: Sendable {
        let name: String
        let table: String

        package static let personal = Part(name: "personal", table: "entries")
        package static let machine = Part(name: "machine", table: "entries")
        package static let segments = Part(name: "segments", table: "entry_segments")
        /// A heard part of a long recording; row = the entry's id, version = its number from 1.
        package static let speechPart = Part(name: "part", table: "speech_parts")
        /// Row = the id of the recording's object: another recording of the same entry has another.
        package static let waveform = Part(name: "waveform", table: "entry_renditions")
        /// The name of a file in a zip; row = the import's id, version = the item's number.
        package static let importName = Part(name: "name", table: "import_items")
        package static let email = Part(name: "email", table: "users")
        package static let name = Part(name: "name", table: "users")
        /// JSON.
        package static let vocabulary = Part(name: "vocabulary", table: "users")
        package static let device = Part(name: "device", table: "sessions")
        package static let place = Part(name: "place", table: "sessions")
        package static let payload = Part(name: "payload", table: "mails")
        /// JSON; row = the user's id, so that a schedule's row can be copied into an export's.
        package static let exportTags = Part(name: "export_tags", table: "exports")
        /// A provider's subject and address.
        package static let subject = Part(name: "subject", table: "identities")
        package static let address = Part(name: "address", table: "identities")
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
