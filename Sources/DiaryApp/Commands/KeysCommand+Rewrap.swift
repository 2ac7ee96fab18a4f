import ArgumentParser
import DiaryCore
import DiaryCrypto
import DiaryDatabase

extension KeysCommand {
    struct Rewrap: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Rewraps all keys and the secrets of apps under the current master (the first of DIARY_MASTER_KEYS).",
            discussion: """
                While the service runs; may be interrupted and run again. All processes must have both masters before it is run, and the old one may
                leave DIARY_MASTER_KEYS when `diary keys list` shows that it wraps nothing. Exits with 1 when a key could not be read, or the main \
                database, which has the secrets, did not answer.
                """)

        @Option(help: "Keys per transaction, 1 to 1000.")
        var batch = 100

        @Flag(
            help:
                "Print JSON: {master, data_keys, signing_keys, secrets, changed, unreadable, left}; no secrets when the main database is away."
        )
        var json = false

        func validate() throws {
            guard (1...1_000).contains(batch) else { throw ValidationError("--batch must be 1 to 1000") }
        }

        private struct Done: Encodable {
            let master: String
            let data_keys: Int
            let signing_keys: Int
            let secrets: Int?
            let changed: Int
            let unreadable: Int
            let left: Int
        }

        func run() async throws {
            let session = try await KeyAdministrationSession()
            let masters = session.settings.masters
            let done = try await RewrapKeys(keys: session.keys, masters: masters, batch: batch).run()
            // After the keys: those must not wait for the main database.
            let secrets = try await appSecrets(session)
            let counts = [try await session.keys.dataKeysByMaster(), secrets?.byMaster ?? [:]]
            let left = counts.map { $0.filter { $0.key != masters.currentID }.values.reduce(0, +) }.reduce(0, +)
            let changed = done.changed + (secrets?.report.changed ?? 0)
            let unreadable = done.unreadable + (secrets?.report.unreadable ?? 0)
            if json {
                try CommandOutput.json(
                    Done(
                        master: masters.currentID, data_keys: done.dataKeys, signing_keys: done.signingKeys,
                        secrets: secrets?.report.secrets,
                        changed: changed, unreadable: unreadable, left: left))
            } else {
                print(
                    """
                    \(done.dataKeys) data keys, \(done.signingKeys) signing keys and \(secrets?.report.secrets ?? 0) secrets of apps are now under \
                    \(masters.currentID); left under others: \(left); unreadable: \(unreadable)
                    """)
            }
            if secrets == nil {
                CommandOutput.note("the main database did not answer: the secrets of apps are as they were; run it again when it does")
            }
            if unreadable > 0 || secrets == nil { throw ExitCode.failure }
        }

        /// nil while the main database is down.
        private func appSecrets(
            _ session: KeyAdministrationSession
        ) async throws -> (report: RewrapAppSecrets.Report, byMaster: [String: Int])? {
            let store = try session.appSecrets()
            do throws(DiaryError) {
                let report = try await RewrapAppSecrets(store: store, masters: session.settings.masters).run()
                return (report, try await store.secretsByMaster())
            } catch {
                guard error.code == .unavailable else { throw error }
                return nil
            }
        }
    }
}
