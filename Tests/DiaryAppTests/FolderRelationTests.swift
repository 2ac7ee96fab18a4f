import Foundation
import Testing

@testable import DiaryApp

@Suite("How two folders lie to each other")
final class FolderRelationTests {
    /// Without symbolic links in its own path.
    private let folder: String

    init() throws {
        folder = "/tmp/diary-folders-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/real/inner", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "real")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @Test("a slash at the end, dots, a link and a folder that is not there yet make no other folder")
    func same() {
        for other in ["/real/", "//real", "/./real", "/real/../real", "/missing/../real", "/link", "/link/", "/link/inner/.."] {
            #expect(FolderRelation(folder + "/real", folder + other) == .same, "\(other)")
        }
        #expect(FolderRelation(folder + "/real/new/deep", folder + "/link/new/./deep/") == .same)
        #expect(FolderRelation("objects", FileManager.default.currentDirectoryPath + "/objects") == .same)
        #expect(FolderRelation("/", "//") == .same)
    }

    @Test("a folder inside the other is found from both sides, by a link too")
    func nested() {
        for inner in ["/real/inner", "/link/inner", "/link/new", "/real/new/deep"] {
            #expect(FolderRelation(folder + "/real", folder + inner) == .nested, "\(inner)")
            #expect(FolderRelation(folder + inner, folder + "/real") == .nested, "\(inner)")
        }
        #expect(FolderRelation("/", folder) == .nested)
    }

    @Test("folders beside each other are apart, also when one name begins with the other")
    func apart() {
        for other in ["/real2", "/link2", "/other/real", "/link/../real2"] {
            #expect(FolderRelation(folder + "/real", folder + other) == .apart, "\(other)")
        }
        #expect(FolderRelation(folder + "/new", folder + "/new2") == .apart)
    }
}
