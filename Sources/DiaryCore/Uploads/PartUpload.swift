/// A recording that is sent in parts: all of one length but the last, numbered from 1.
package struct PartUpload: Sendable, Equatable {
    /// The key of the joined recording.
    package let key: ObjectKey
    /// The store's name of the set of parts; another one after an abort.
    package let id: String
    package let contentType: String
    package let size: Int64
    package let partSize: Int64

    package init(key: ObjectKey, id: String, contentType: String, size: Int64, partSize: Int64) {
        self.key = key
        self.id = id
        self.contentType = contentType
        self.size = max(1, size)
        self.partSize = max(1, partSize)
    }

    package var plan: PartPlan { PartPlan(partSize: partSize, count: Int(clamping: (size - 1) / partSize + 1)) }

    /// Nil for a number that no part has.
    package func length(of number: Int) -> Int64? {
        let count = plan.count
        guard (1...count).contains(number) else { return nil }
        return number < count ? partSize : size - partSize * Int64(count - 1)
    }

    /// All parts, as they have arrived when the store has joined them.
    var joined: [ArrivedPart] {
        (1...plan.count).compactMap { number in length(of: number).map { ArrivedPart(number: number, size: $0) } }
    }

    /// - Parameter arrived: in order of their numbers.
    package func isComplete(_ arrived: [ArrivedPart]) -> Bool {
        arrived.count == plan.count && arrived.enumerated().allSatisfy { $1.number == $0 + 1 && $1.size == length(of: $1.number) }
    }
}

/// One part of a set.
package struct PartKey: Sendable, Hashable {
    package let key: ObjectKey
    package let upload: String
    package let number: Int

    package init(key: ObjectKey, upload: String, number: Int) {
        self.key = key
        self.upload = upload
        self.number = number
    }
}

package struct ArrivedPart: Sendable, Equatable {
    package let number: Int
    /// Bytes before sealing.
    package let size: Int64
    /// What the store wants to be told when the parts are joined (S3's `ETag`); nil when it wants nothing.
    package var tag: String? = nil

    package init(number: Int, size: Int64, tag: String? = nil) {
        self.number = number
        self.size = size
        self.tag = tag
    }
}

/// How a recording is cut into parts.
package struct PartPlan: Sendable, Equatable {
    package let partSize: Int64
    package let count: Int

    /// From this size on an answer offers parts even when the client did not ask for them.
    package static let fromBytes: Int64 = 16 * 1_048_576
    /// The most entries of one account that may have an open set of parts.
    package static let openMost = 20

    private static let step: Int64 = 1_048_576
}

extension PartPlan {
    /// At most 200 parts, of whole MiB: a link that breaks costs half a part on average, so that 20 breaks cost a 20th of the recording; and
    /// one answer has the URLs of all of them.
    /// - Parameter smallest: what the store takes.
    init(of size: Int64, smallest: Int64) {
        let even = (max(1, size) - 1) / 200 + 1
        partSize = max(smallest, ((even - 1) / Self.step + 1) * Self.step)
        count = Int(clamping: (max(1, size) - 1) / partSize + 1)
    }
}
