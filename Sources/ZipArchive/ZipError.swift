/// Why an archive could not be written. The descriptions hold neither names nor contents.
package enum ZipError: Error, Sendable, CustomStringConvertible {
    /// A member's path is empty, absolute, climbs (`..`), or holds a backslash, a control or a direction-changing character.
    case invalidPath
    /// Two members would unpack to the same file, also on a disk that ignores case or Unicode composition.
    case duplicatePath
    /// libzip writes no file for an archive without members.
    case noMembers
    /// A member's stated length is negative.
    case invalidLength
    /// A source returned more or fewer bytes than its member stated.
    case lengthMismatch
    /// A source threw.
    case memberFailed(any Error)
    /// `finish` was called before.
    case alreadyFinished
    case cancelled
    /// The temporary file: `errno`.
    case file(Int32)
    /// libzip's code (`ZIP_ER_…`) and the `errno` or zlib code behind it.
    case library(code: Int32, system: Int32)

    package var description: String {
        switch self {
        case .invalidPath: "zip: a member's path is not allowed"
        case .duplicatePath: "zip: two members have the same path"
        case .noMembers: "zip: no members"
        case .invalidLength: "zip: a member's length is negative"
        case .lengthMismatch: "zip: a member's length differs from what was stated"
        case .memberFailed: "zip: a member's source failed"
        case .alreadyFinished: "zip: already finished"
        case .cancelled: "zip: cancelled"
        case .file(let code): "zip: file error \(code)"
        case .library(let code, let system): "zip: libzip error \(code), system \(system)"
        }
    }
}
