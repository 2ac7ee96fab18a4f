package import DiaryCore
package import DiaryCrypto
package import DiaryObjectStore

/// The product's sealing layer over a store in memory. By key, tests see and set plain bytes.
package struct MemoryObjects: Sendable {
    package let bytes = MemoryByteStore()
    package let dataKey: DataKey

    package init(sealedBy dataKey: DataKey = .generate()) { self.dataKey = dataKey }

    package var store: SealedObjectStore { SealedObjectStore(bytes: bytes) }

    /// As in a bucket: staging holds plain bytes.
    package var plainlyStaged: SealedObjectStore { SealedObjectStore(bytes: bytes, staging: .plain) }

    package var keys: [ObjectKey] { bytes.keys }

    /// Nil also for an object that does not open.
    package subscript(key: ObjectKey) -> [UInt8]? {
        get { bytes[key].flatMap { try? opened($0, key) } }
        nonmutating set { bytes[key] = newValue.flatMap { try? sealed($0, key) } }
    }

    private func sealed(_ plain: [UInt8], _ key: ObjectKey) throws -> [UInt8] {
        var sealer = try SegmentSealer(key: dataKey, purpose: key.purpose, objectID: key.object, plainLength: Int64(plain.count))
        return try sealer.header + sealer.seal(plain) + sealer.finish()
    }

    private func opened(_ sealed: [UInt8], _ key: ObjectKey) throws -> [UInt8] {
        let header = try SealedObjectHeader(parsing: sealed)
        let opener = try SegmentOpener(key: dataKey, purpose: key.purpose, header: header, objectID: key.object)
        var plain: [UInt8] = []
        for segment in 0..<SealedObjectLayout.segmentCount(ofPlain: header.plainLength) {
            guard let place = SealedObjectLayout.sealedRange(ofSegment: segment, total: header.plainLength),
                place.upperBound <= Int64(sealed.count)
            else { throw CryptoError.malformed }
            plain += try opener.open(segment: segment, sealed[Int(place.lowerBound)..<Int(place.upperBound)])
        }
        return plain
    }
}
