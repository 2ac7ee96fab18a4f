import FoundationEssentials
import Glibc
import SystemPackage

/// A folder of the settings that cannot be used now, because its disk is full or fails. Unlike a `SettingsError` it lets a unit start the
/// process again: the disk may be freed.
struct FolderFault: Error, CustomStringConvertible {
    let name: String
    let reason: String

    var description: String { "setting \(name): \(reason)" }

    /// What an error at the first use of a folder means.
    static func of(_ error: any Error, _ setting: any DeclaredSetting) -> any Error {
        if isPassing(error) {
            FolderFault(name: setting.name, reason: "its disk is full or fails, or there are too many open files")
        } else {
            SettingsError(setting, "cannot be used as a folder")
        }
    }

    private static func isPassing(_ error: any Error) -> Bool {
        switch error {
        case let error as Errno: [ENOSPC, EDQUOT, EIO, EMFILE, ENFILE, ENOMEM].contains(error.rawValue)
        case let error as POSIXError: isPassing(Errno(rawValue: error.code.rawValue))
        case let error as CocoaError: error.code == .fileWriteOutOfSpace || error.underlying.map(isPassing) ?? false
        default: false
        }
    }
}
