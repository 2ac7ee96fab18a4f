import DiaryCrypto
import FoundationEssentials

/// Entries with their words. A part that was altered where it lies takes its own words with it and nothing else: the entry says so, and the
/// rest of the diary stays readable.
extension Vault {
    /// - Throws: `internalError` when another key sealed it, which is this service's fault and no damage.
    package func open(_ stored: StoredEntry) throws(DiaryError) -> Entry {
        let opener = try opener()
        return try open(stored, with: opener)
    }

    /// - Throws: `internalError` when not one of them opens with this key: with a wrong key a whole diary would look damaged.
    package func open(_ stored: [StoredEntry]) throws(DiaryError) -> [Entry] {
        let opener = try opener()
        var entries: [Entry] = []
        entries.reserveCapacity(stored.count)
        var foreign: DiaryError?
        for one in stored {
            do throws(DiaryError) {
                entries.append(try open(one, with: opener))
            } catch {
                foreign = error
                entries.append(
                    Entry(
                        facts: one.facts, personal: PersonalPart(), machine: MachinePart(), version: one.version,
                        damage: [.personal, .machine]))
            }
        }
        if let foreign, !zip(stored, entries).contains(where: { ($0.personal != nil || $0.machine != nil) && !$1.isDamaged }) {
            throw foreign
        }
        return entries
    }

    private func opener() throws(DiaryError) -> PartOpener {
        do { return try PartOpener(key: key) } catch { throw DiaryError(.internalError, cause: "the key cannot be used") }
    }

    private func open(_ stored: StoredEntry, with opener: borrowing PartOpener) throws(DiaryError) -> Entry {
        let row = stored.facts.id.uuid
        let personal: PersonalPart? = try open(stored.personal, .personal, row, with: opener)
        let machine: MachinePart? = try open(stored.machine, .machine, row, with: opener)
        var damage: Entry.Damage = []
        if personal == nil, stored.personal != nil { damage.insert(.personal) }
        if machine == nil, stored.machine != nil { damage.insert(.machine) }
        return Entry(
            facts: stored.facts, personal: personal ?? PersonalPart(), machine: machine ?? MachinePart(), version: stored.version,
            damage: damage)
    }

    /// nil for no part and for a damaged one.
    private func open<Value: SealablePart>(
        _ sealed: SealedColumn?, _ part: Part, _ row: UUID, with opener: borrowing PartOpener
    ) throws(DiaryError) -> Value? {
        guard let sealed else { return nil }
        do throws(CryptoError) {
            return Value(plainBytes: try opener.open(sealed.bytes, context: context(part, row, sealed.version)))
        } catch .refused, .malformed {
            return nil
        } catch {
            throw DiaryError(.internalError, cause: "sealed \(part.rawValue) does not open: \(error)")
        }
    }
}
