import DiaryCore
import DiaryCrypto
import SystemPackage

/// A recording decrypted into a job's folder, for programs that read files.
struct RecordingFile: Sendable {
    let path: String
    let size: Int64
    let sha256: [UInt8]

    /// - Parameter facts: of the object, read just before.
    static func open(
        _ key: ObjectKey, _ facts: ObjectFacts, from objects: any ObjectStore, with dataKey: DataKey, in folder: String
    ) async throws -> RecordingFile {
        let path = "\(folder)/recording"
        do {
            let file = try await BlockingWork.run { try Self.create(path) }
            defer { try? file.close() }
            var hash = SHA256Stream()
            var size: Int64 = 0
            if facts.size > 0 {
                let stream = try await objects.read(key, range: 0..<facts.size, openedBy: dataKey)
                while let piece = try await stream.next() {
                    try Task.checkCancellation()
                    hash.update(piece)
                    size += Int64(piece.count)
                    _ = try await BlockingWork.run { try file.writeAll(piece) }
                }
            }
            return RecordingFile(path: path, size: size, sha256: hash.finish())
        } catch let error as Errno where error == .noSpace || error == .diskQuotaExceeded || error == .fileTooLarge {
            throw JobStop(outcome: .outage(.storageUnavailable), cause: "job folder full")
        }
    }

    private static func create(_ path: String) throws -> FileDescriptor {
        do {
            return try FileDescriptor.open(
                FilePath(path), .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: .ownerReadWrite)
        } catch {
            // As for the folder itself: no program has written there yet, so it is full, or this machine's disk fails.
            throw JobStop(outcome: .outage(.storageUnavailable), cause: "job folder")
        }
    }
}

extension ObjectStore {
    /// Looks for what a job's row names.
    /// - Parameter places: the first that has an object counts.
    func locate(_ places: [ObjectKey]) async throws -> (ObjectKey, ObjectFacts) {
        for key in places {
            do throws(ObjectStoreError) {
                return (key, try await facts(key))
            } catch .missing {
                continue
            }
        }
        // The job was inserted when the upload was seen, so the store does not find it at the moment.
        throw JobStop.retry(.storageUnavailable, cause: "upload missing")
    }
}
