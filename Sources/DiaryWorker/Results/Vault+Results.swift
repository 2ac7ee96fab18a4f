import DiaryCore
import DiaryCrypto
import FoundationEssentials

extension Vault {
    func seal(_ value: some Encodable, _ part: Part, row: UUID, replacing version: Int64) throws(JobStop) -> SealedResult {
        do throws(DiaryError) {
            return SealedResult(sealed: try seal(value, as: part, row: row, version: version + 1), version: version + 1, keyID: key.id)
        } catch {
            throw JobStop(error)
        }
    }

    func seal(_ value: some SealablePart, _ part: Part, row: UUID, replacing version: Int64) throws(JobStop) -> SealedResult {
        do throws(DiaryError) {
            return SealedResult(sealed: try seal(value, as: part, row: row, version: version + 1), version: version + 1, keyID: key.id)
        } catch {
            throw JobStop(error)
        }
    }

    /// What earlier stages wrote. A damaged part stops the job: the result would overwrite what a backup may still restore.
    func machine(of entry: StoredEntry) throws(JobStop) -> MachinePart {
        guard let sealed = entry.machine else { return MachinePart() }
        do throws(DiaryError) {
            return try open(MachinePart.self, sealed.bytes, as: .machine, row: entry.facts.id.uuid, version: sealed.version)
        } catch {
            throw JobStop(error)
        }
    }
}
