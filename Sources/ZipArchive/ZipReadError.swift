/// Why an archive, or one member of it, is not read. The descriptions hold neither names nor contents.
package enum ZipReadError: Error, Sendable, Equatable, CustomStringConvertible {
    /// No end record: no zip, or one that was cut off.
    case noArchive
    /// Records that contradict each other or the file's length.
    case damaged
    /// More than one end record: readers would disagree about the members.
    case ambiguous
    case tooManyMembers
    /// All members together, uncompressed.
    case tooLarge
    /// A member that claims to unpack to many times its size.
    case suspiciousRatio
    /// Two members share bytes of the file.
    case overlapping
    case duplicateName
    /// A name that is absolute, climbs (`..`) or holds a backslash or a control or direction-changing character.
    case unsafeName
    case encrypted
    case unsupportedMethod
    /// A symbolic link or another special file.
    case specialFile
    /// The member unpacks to another length or checksum than the directory states, or does not unpack.
    case damagedMember
    /// The file itself: `errno`.
    case file(Int32)
    /// libzip's code (`ZIP_ER_…`) and the `errno` or zlib code behind it.
    case library(code: Int32, system: Int32)

    package var description: String {
        switch self {
        case .noArchive: "zip: no archive"
        case .damaged: "zip: damaged"
        case .ambiguous: "zip: more than one end record"
        case .tooManyMembers: "zip: too many members"
        case .tooLarge: "zip: too large unpacked"
        case .suspiciousRatio: "zip: suspicious compression ratio"
        case .overlapping: "zip: members overlap"
        case .duplicateName: "zip: duplicate name"
        case .unsafeName: "zip: unsafe name"
        case .encrypted: "zip: encrypted"
        case .unsupportedMethod: "zip: unsupported compression method"
        case .specialFile: "zip: special file"
        case .damagedMember: "zip: damaged member"
        case .file(let code): "zip: file error \(code)"
        case .library(let code, let system): "zip: libzip error \(code), system \(system)"
        }
    }
}
