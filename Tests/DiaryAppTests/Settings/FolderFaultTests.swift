import FoundationEssentials
import Glibc
import SystemPackage
import Testing

@testable import DiaryApp

@Suite("Folders that cannot be used at the start")
struct FolderFaultTests {
    @Test(
        "a full or failing disk may be mended, and the unit starts the worker again",
        arguments: [ENOSPC, EDQUOT, EIO, EMFILE, ENFILE, ENOMEM])
    func passing(code: Int32) throws {
        let underlying = POSIXError(try #require(POSIXErrorCode(rawValue: code)))
        for error in [Errno(rawValue: code), underlying, CocoaError(.fileWriteUnknown, userInfo: ["NSUnderlyingError": underlying])]
            as [any Error]
        {
            #expect(FolderFault.of(error, WorkerSettings.temporary) is FolderFault, "\(error)")
        }
    }

    @Test("a folder that is none, or of another user, is a fault of the settings", arguments: ["/dev/null/x", "/proc/diary"])
    func settings(path: String) {
        let error = #expect(throws: (any Error).self) { try TemporaryFolder(in: path) }
        #expect(error.map { FolderFault.of($0, WorkerSettings.temporary) } as? SettingsError != nil)
    }
}
