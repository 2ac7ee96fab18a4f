package import DiaryCore
package import DiaryCrypto

extension DiskObjectStore {
    package func put(
        _ key: ObjectKey, from body: any ByteStream, length: Int64, sha256: [UInt8]?, sealedBy dataKey: DataKey
    ) async throws -> [UInt8] {
        let incoming = try await begin(key, length: length, sealedBy: dataKey)
        do {
            try await receive(body, into: incoming, length: length)
            let digest = try await pool.run { () throws(ObjectStoreError) in try incoming.finish(expecting: sha256) }
            try Task.checkCancellation()
            try Failpoint.putBeforeFsync.hit()
            try await pool.run { () throws(ObjectStoreError) in try incoming.publish() }
            try Failpoint.putAfterRename.hit()
            return digest
        } catch {
            await abandon(incoming)
            throw error
        }
    }

    /// - Parameter descriptor: read from its start with `pread`; it stays the caller's and must stay open until this returns.
    package func put(
        _ key: ObjectKey, descriptor: Int32, length: Int64, sealedBy dataKey: DataKey
    ) async throws(ObjectStoreError) {
        let incoming = try await begin(key, length: length, sealedBy: dataKey)
        do throws(ObjectStoreError) {
            var offset: Int64 = 0
            var ended = false
            while !ended {
                if Task.isCancelled { throw .unavailable(full: false) }
                let start = offset
                // At the announced end this asks for more, so that a file that is longer shows.
                let got = try await pool.run { () throws(ObjectStoreError) in
                    let bytes = try Descriptor.read(descriptor, at: start, count: Self.batch)
                    try incoming.append(bytes)
                    return bytes.count
                }
                offset += Int64(got)
                ended = got < Self.batch
            }
            try await pool.run { () throws(ObjectStoreError) in
                _ = try incoming.finish(expecting: nil)
                try incoming.publish()
            }
        } catch {
            await abandon(incoming)
            throw error
        }
    }

    private func receive(_ body: any ByteStream, into incoming: IncomingObject, length: Int64) async throws {
        var pending: [UInt8] = []
        var received: Int64 = 0
        var isHalfWay = false
        while let chunk = try await body.next() {
            try Task.checkCancellation()
            received += Int64(chunk.count)
            guard received <= length else { throw ObjectStoreError.lengthMismatch }
            if pending.isEmpty { pending = chunk } else { pending += chunk }
            let crossesHalf = !isHalfWay && received >= length - received
            guard pending.count >= Self.batch || crossesHalf else { continue }
            let full = pending
            pending = []
            try await pool.run { () throws(ObjectStoreError) in try incoming.append(full) }
            if crossesHalf {
                isHalfWay = true
                try Failpoint.putHalfBody.hit()
            }
        }
        let rest = pending
        try await pool.run { () throws(ObjectStoreError) in try incoming.append(rest) }
    }

    private func begin(_ key: ObjectKey, length: Int64, sealedBy dataKey: DataKey) async throws(ObjectStoreError) -> IncomingObject {
        try await pool.run { () throws(ObjectStoreError) in
            try IncomingObject(key, in: tree, length: length, sealedBy: dataKey)
        }
    }

    private func abandon(_ incoming: IncomingObject) async {
        _ = try? await pool.run { () throws(ObjectStoreError) in incoming.abandon() }
    }
}
