import DiaryCrypto
import FoundationEssentials

/// Opens entries. A part that was altered in the database loses its own text only: the entry is marked as damaged, and the rest of the
/// diary stays readable.
extension Vault {
    /// - Throws: `internalError` when another key sealed it, which is a fault of the service and no damage.
    package func open(_ stored: StoredEntry) throws(DiaryError) -> Entry {
        var opener = try opener()
        return try opener.open(stored)
    }

    /// - Throws: `internalError` when none of them opens with this key: with a wrong key the whole diary would look damaged.
    package func open(_ stored: [StoredEntry]) throws(DiaryError) -> [Entry] {
        var opener = try opener()
        var entries: [Entry] = []
        entries.reserveCapacity(stored.count)
        var wrongKey: DiaryError?
        for one in stored {
            do throws(DiaryError) {
                entries.append(try opener.open(one))
            } catch {
                wrongKey = error
                entries.append(
                    Entry(
                        facts: one.facts, personal: PersonalPart(), machine: MachinePart(), version: one.version,
                        damage: [.personal, .machine]))
            }
        }
        if let wrongKey, !zip(stored, entries).contains(where: { ($0.personal != nil || $0.machine != nil) && !$1.isDamaged }) {
            throw wrongKey
        }
        return entries
    }

    private func opener() throws(DiaryError) -> EntryOpener { try EntryOpener(self) }
}

/// Opens the parts of one owner's entries, one entry after the other.
struct EntryOpener: ~Copyable {
    private var parts: PartOpener
    private var personal: PartLocation
    private var machine: PartLocation

    init(_ vault: Vault) throws(DiaryError) {
        do { parts = try PartOpener(key: vault.key) } catch { throw DiaryError(.internalError, cause: "the key cannot be used") }
        let noRow = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        personal = PartLocation(vault.context(.personal, noRow, 0))
        machine = PartLocation(vault.context(.machine, noRow, 0))
    }

    mutating func open(_ stored: StoredEntry) throws(DiaryError) -> Entry {
        var entry = Entry(facts: stored.facts, personal: PersonalPart(), machine: MachinePart(), version: stored.version)
        if let sealed = stored.personal {
            if let part = try openPersonal(sealed, of: stored.facts.id) { entry.personal = part } else { entry.damage.insert(.personal) }
        }
        if let sealed = stored.machine {
            if let part = try openMachine(sealed, of: stored.facts.id) {
                entry.machine = part
                entry.personal.dropCorrected(of: part)
            } else {
                entry.damage.insert(.machine)
            }
        }
        return entry
    }

    /// nil for a damaged one.
    mutating func openPersonal(_ sealed: SealedColumn, of id: EntryID) throws(DiaryError) -> PersonalPart? {
        personal.move(to: id.uuid, version: sealed.version)
        return try Self.open(sealed, at: personal, &parts)
    }

    /// Likewise.
    mutating func openMachine(_ sealed: SealedColumn, of id: EntryID) throws(DiaryError) -> MachinePart? {
        machine.move(to: id.uuid, version: sealed.version)
        return try Self.open(sealed, at: machine, &parts)
    }

    /// nil for a damaged one.
    private static func open<Value: SealablePart>(
        _ column: SealedColumn, at place: borrowing PartLocation, _ parts: inout PartOpener
    ) throws(DiaryError) -> Value? {
        do throws(CryptoError) {
            return try parts.open(column.sealed, at: place) { Value(plain: $0) }
        } catch .refused, .malformed {
            return nil
        } catch {
            throw DiaryError(.internalError, cause: "a sealed part of an entry does not open: \(error)")
        }
    }
}

/// Keyed hashes of tags, moods and metadata, for look-up (docs/sealed-format.md). An entry that they find is confirmed on its opened part.
extension Vault {
    /// Sorted, so that the order of tags does not show; empty without labels.
    package func hashes(of labels: Set<EntryLabel>) -> [Int64] {
        guard !labels.isEmpty else { return [] }
        let subkey = key.subkey(.index)
        return labels.map { Self.hash(of: $0, subkey) }.sorted()
    }

    /// One for each, in their order.
    package func hashes(inOrderOf labels: [EntryLabel]) -> [Int64] {
        guard !labels.isEmpty else { return [] }
        let subkey = key.subkey(.index)
        return labels.map { Self.hash(of: $0, subkey) }
    }

    private static func hash(of label: EntryLabel, _ subkey: SecretBytes) -> Int64 {
        let code = HMACSHA256.code(Array("\(label.kind.rawValue)\0\(label.text)".utf8), key: subkey)
        return Int64(bitPattern: UInt64(bigEndianBytes: code[..<8]) & ~3) | label.kind.mark
    }
}

extension EntryLabel.Kind {
    /// The two lowest bits of a hash: the database counts tags without reading what else entries are found by.
    package var mark: Int64 {
        switch self {
        case .tag: 0
        case .mood: 1
        case .metadata: 2
        }
    }
}
