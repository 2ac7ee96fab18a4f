/// Corrections as the database holds them. The sealed column's version is that of the entry's personal part which was written with them.
package struct StoredCorrections: Sendable, Equatable {
    package var sealed: SealedColumn
    /// The content version of the segments that they belong to; of other segments they change nothing.
    package var segmentsVersion: Int64

    package init(sealed: SealedColumn, segmentsVersion: Int64) {
        self.sealed = sealed
        self.segmentsVersion = segmentsVersion
    }
}

/// Corrections to be written with an entry's personal part, in place of those that are there.
package struct CorrectionsWrite: Sendable {
    package var sealed: [UInt8]
    /// Nothing is written when the entry has other segments by now.
    package var segmentsVersion: Int64
}
