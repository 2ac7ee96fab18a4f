package import FoundationEssentials

/// A job under lease. `attempt` is the fencing token: every write carries it (decision D2).
package struct LeasedJob: Sendable, Hashable {
    package let id: JobID
    package let owner: Owner
    package let kind: JobKind
    package let subject: UUID
    package let attempt: Int
    /// Tries that failed so far.
    package let errors: Int
    package let crashes: Int
    /// Seconds of work, estimated when the job was made.
    package var cost: Double = JobCost.small

    package init(
        id: JobID, owner: Owner, kind: JobKind, subject: UUID, attempt: Int, errors: Int, crashes: Int, cost: Double = JobCost.small
    ) {
        self.id = id
        self.owner = owner
        self.kind = kind
        self.subject = subject
        self.attempt = attempt
        self.errors = errors
        self.crashes = crashes
        self.cost = cost
    }

    /// Above ten seconds of work, as in the index `jobs_due`. Short and long jobs have slots of their own (`QueueSlots`).
    package var isLong: Bool { JobCost.isLong(cost) }
}

/// A job that a store inserts in the transaction that writes its subject.
package struct NewJob: Sendable {
    package let id: JobID
    package let kind: JobKind
    /// Seconds (`JobCost`).
    package let cost: Double

    package init(_ kind: JobKind, id: JobID = JobID(UUIDv7.make()), cost: Double = JobCost.small) {
        self.id = id
        self.kind = kind
        self.cost = cost
    }
}

package enum Jobs {}
package typealias JobID = ID<Jobs>

/// The name of a kind of job: stored in the database and in Redis, and shown as `processing.stage`. Never changed once released.
///
/// Any text is a name; the kinds of this version are those of `JobCatalogue.diary`.
package struct JobKind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }
}

/// The work that a job will probably take, in seconds. Claims share a queue out by it; the seconds that a job took correct it afterwards.
package enum JobCost {
    /// A mail, or a job of which nothing is known.
    package static let small = 1.0

    /// Reading a recording and examining its headers: its bytes are hashed and unsealed at some 50 MB a second.
    package static func verify(bytes: Int64) -> Double { 0.5 + Double(max(0, bytes)) / 50_000_000 }

    /// The same once its length is known: decoding it all for the waveform, and encoding it as AAC where a copy is made.
    package static func verify(bytes: Int64, seconds: Double, isCopied: Bool) -> Double {
        guard seconds.isFinite else { return verify(bytes: bytes) }
        return verify(bytes: bytes) + max(0, seconds) / (isCopied ? 25 : 400)
    }

    /// Short and long jobs have slots of their own, so that neither waits for the other.
    package static func isLong(_ seconds: Double) -> Bool { seconds > 10 }

    /// Unpacking a zip and storing the recordings in it, at some 20 MB a second.
    package static func `import`(bytes: Int64) -> Double { 1 + Double(max(0, bytes)) / 20_000_000 }

    /// The local engine takes about a seventh of the recording's time on two processors (Whisper base).
    package static func transcribe(seconds: Double) -> Double {
        guard seconds.isFinite else { return 1 }
        return 1 + max(0, seconds) / 7
    }
}
