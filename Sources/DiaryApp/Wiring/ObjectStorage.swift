import DiaryCore
import DiaryHTTP
import DiaryObjectStore
import Logging
import S3Client
import ServiceLifecycle

/// The folder or the bucket of `DIARY_OBJECTS`, and the parts of the service that differ between the two.
enum ObjectStorage: Sendable {
    case disk(DiskByteStore)
    case s3(S3ByteStore)

    /// Connects to nothing.
    init(_ settings: ObjectSettings, logger: Logger) throws {
        switch settings.place {
        case .folder(let root):
            do { self = .disk(try DiskByteStore(root: root)) } catch .unavailable(full: true) {
                throw FolderFault(name: Settings.objects.name, reason: "its disk is full")
            } catch {
                throw SettingsError(Settings.objects, "cannot be used as a folder")
            }
        case .bucket(let bucket):
            do {
                self = .s3(
                    S3ByteStore(
                        client: try S3Client(bucket.s3, logger: logger), prefix: bucket.prefix, guardsOverwrites: bucket.guardsOverwrites,
                        signsChecksums: bucket.signsChecksums))
            } catch {
                throw SettingsError(Settings.objects, "the client for it cannot be started")
            }
        }
    }

    var bytes: any ByteStore {
        switch self {
        case .disk(let disk): disk
        case .s3(let bucket): bucket
        }
    }

    /// Clients upload to a bucket directly, so staging is plain there. What the API receives itself is sealed while it arrives.
    var objects: SealedObjectStore {
        switch self {
        case .disk(let disk): SealedObjectStore(bytes: disk)
        case .s3(let bucket): SealedObjectStore(bytes: bucket, staging: .plain)
        }
    }

    var marks: any SweepMarks {
        switch self {
        case .disk(let disk): disk
        case .s3(let bucket): bucket
        }
    }

    /// - Parameter own: of the API as upload server.
    func uploadSigner(_ own: SigV4UploadSigner) -> any UploadSigner {
        switch self {
        case .disk: own
        case .s3(let bucket): S3UploadSigner(store: bucket)
        }
    }

    /// Recordings that arrive in parts.
    var parts: any UploadParts {
        switch self {
        case .disk(let disk): SealedUploadParts(bytes: disk, objects: objects)
        case .s3(let bucket): S3UploadParts(store: bucket)
        }
    }

    /// Nil for a bucket, which receives parts itself.
    var partReceiver: (any PartReceiver)? {
        switch self {
        case .disk(let disk): SealedUploadParts(bytes: disk, objects: objects)
        case .s3: nil
        }
    }

    /// - Parameter own: of the API as upload server.
    func partSigner(_ own: SigV4UploadSigner) -> any PartSigner {
        switch self {
        case .disk: own
        case .s3(let bucket): S3UploadParts(store: bucket)
        }
    }

    /// Removes half-written files of killed processes; files of running ones are locked and stay. In a bucket nothing is half-written.
    func wipeTemporary() async {
        if case .disk(let disk) = self { _ = try? await disk.wipeTemporary() }
    }

    /// `degraded` when the disk is nearly full: uploads will be refused (507), everything else is served.
    func state(largest: Int64) async -> ReadinessState {
        switch self {
        case .disk(let disk):
            guard await disk.isWritable(), let space = await disk.space() else { return .down }
            return Self.isShort(space, largest: largest) ? .degraded : .ok
        case .s3(let bucket): return (try? await bucket.client.headBucket()) == nil ? .down : .ok
        }
    }

    /// Two of the largest recordings, or a thousand files, no longer fit.
    static func isShort(_ space: DiskSpace, largest: Int64) -> Bool {
        space.bytes / 2 < largest || space.files.map { $0 < 1_000 } ?? false
    }

    /// Services that stop after everything that uses the store.
    var services: [any Service] {
        switch self {
        case .disk: []
        case .s3(let bucket): [S3Shutdown(client: bucket.client)]
        }
    }
}

/// Ends the client's thread when everything that used it has stopped.
private struct S3Shutdown: Service {
    let client: S3Client

    func run() async throws {
        try? await gracefulShutdown()
        await client.close(within: .seconds(2))
    }
}
