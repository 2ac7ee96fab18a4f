import DiaryCore
import FoundationEssentials
import WireFormats
import ZipArchive

/// A zip that has been opened, what it is, and where its lists and recordings are. Its calls block on the disk.
struct ImportArchive: Sendable {
    let source: ImportSource
    /// Members that are lists of entries, in the order in which they are read.
    let lists: [ZipEntry]
    /// Elements in all of them.
    let total: Int64
    /// Files that are part of no known form.
    let unknownFiles: Int
    /// The list of an own export that says what was deleted since an earlier one; nil when it says nothing of that.
    let deletions: ZipEntry?
    /// Of an own export.
    let tags: [ColoredTag]
    /// Of an own export: those of the account.
    let speakers: [ImportedSpeaker]
    private let reader: ZipReader
    /// The folder of the list with a slash, where everything was packed again in one; else empty.
    private let base: String
    private let members: [String: ZipEntry]
    /// Members below `audios/`, by the hash of their names without ending, in lower case.
    private let recordings: [Int: ZipEntry]

    /// Why a zip is not imported.
    struct Refusal: Error {
        let code: ProcessingCode
        let cause: String
    }

    /// Bytes of one element; the report tells of a longer one. Segments with the times of every word take some 70 bytes and five values a word;
    /// four hours have 40,000. A text of 200,000 characters with its twenty revisions takes up to 17 MB.
    static let maximumElement = 24 << 20
    /// Bytes of all lists together, unpacked.
    static let maximumLists: Int64 = 4 << 30
    /// Size of a list of more than a megabyte to what it takes in the zip; text seldom passes 50.
    static let maximumRatio: UInt64 = 100

    private static let rules = JSONRules(maximumDepth: 32, allowsEquivalentNames: true)

    /// - Parameter maximumEntries: of all lists together.
    /// - Parameter stop: ends the reading of lists, which may take minutes.
    init(
        _ file: UnlinkedTempFile, limits: ZipReadLimits = ZipReadLimits(), maximumEntries: Int, stop: ImportWork.Stop = ImportWork.Stop()
    ) throws {
        var files: [String: ZipEntry] = [:]
        var others = 0
        do throws(ZipReadError) {
            reader = try ZipReader(file, limits: limits) { entry in
                guard entry.kind != .folder, !Self.isOfMac(entry.path) else { return }
                if Self.isNeeded(entry.path) { files[entry.path] = entry } else if !Self.isAttachment(entry.path) { others += 1 }
            }
        } catch {
            throw Self.refusal(error)
        }
        members = files
        let manifests = files.keys.filter { $0 == "manifest.json" || Self.isJournal($0) && $0.hasSuffix("/manifest.json") }
        var listed: Int64 = 0
        var known: (path: String, manifest: ZipEntry, count: Int, version: Int, hasDeletions: Bool, head: JSONListReader)?
        for path in manifests.sorted() {
            guard let manifest = files[path], case let (count, head) = try Self.count(manifest, reader, maximumEntries, &listed, stop),
                head.hasList,
                let version = Self.version(head)
            else { continue }
            // Parts of an export that were packed into one zip: which of them would be read?
            guard known == nil else { throw Refusal(code: .zipUnknown, cause: "several manifests") }
            known = (path, manifest, count, version, head.members["deleted"] != nil, head)
        }
        if let known {
            guard known.version == ExportManifest.formatVersion else {
                throw Refusal(code: .zipUnknown, cause: "manifest of version \(known.version)")
            }
            (source, lists, total) = (.diary, [known.manifest], Int64(known.count))
            (unknownFiles, recordings, base) = (0, [:], String(known.path.dropLast("manifest.json".count)))
            deletions = known.hasDeletions ? known.manifest : nil
            (tags, speakers) = (Self.tags(known.head), Self.speakers(known.head))
            return
        }
        var journals: [ZipEntry] = []
        var found = 0
        for path in files.keys.sorted() where Self.isJournal(path) {
            guard let entry = files[path] else { continue }
            let (count, head) = try Self.count(entry, reader, maximumEntries - found, &listed, stop)
            guard head.hasList else { continue }
            journals.append(entry)
            found += count
        }
        guard !journals.isEmpty else { throw Refusal(code: .zipUnknown, cause: "no list of entries") }
        (source, lists, total) = (.dayOne, journals, Int64(found))
        var recordings: [Int: ZipEntry] = [:]
        for path in files.keys.sorted() where !Self.isJournal(path) {
            let name = path.split(separator: "/").last ?? ""
            recordings[(name.split(separator: ".").first ?? "").lowercased().hashValue] = files[path]
        }
        self.recordings = recordings
        base = ""
        (deletions, tags, speakers) = (nil, [], [])
        unknownFiles = others
    }

    // MARK: Members

    /// What macOS packs beside a folder's files: their attributes, under the name of the file behind `._`.
    private static func isOfMac(_ path: String) -> Bool {
        path.hasPrefix("__MACOSX/") || path.contains("/__MACOSX/") || path.split(separator: "/").last?.hasPrefix("._") == true
    }

    /// What may have to be read; the names of the rest are not kept.
    private static func isNeeded(_ path: String) -> Bool {
        isJournal(path) || path.split(separator: "/").contains { ["audio", "audios"].contains($0.lowercased()) }
    }

    /// At the root, or in a folder or two: an unpacked export that was packed again has one.
    private static func isJournal(_ path: String) -> Bool {
        path.lowercased().hasSuffix(".json") && !isAttachment(path) && path.utf8.count { $0 == UInt8(ascii: "/") } <= 2
    }

    private static func isAttachment(_ path: String) -> Bool {
        path.split(separator: "/").dropLast().contains { ["photos", "videos", "pdfs", "audios"].contains($0.lowercased()) }
    }

    func recordingPath(_ name: String) -> String? { recordings[name.lowercased().hashValue]?.path }

    /// The member of that path, by its place in the zip's directory.
    func place(of path: String) -> Int? { members[base + path]?.index }

    /// - Throws: `ZipReadError`.
    func open(_ path: String) throws(ZipReadError) -> ZipMemberReader? {
        guard let entry = members[base + path] else { return nil }
        return try reader.open(entry)
    }

    // MARK: Lists

    /// Reads a list to its end, so that nothing is imported of one that breaks off.
    /// - Parameter listed: bytes of the lists so far.
    private static func count(
        _ entry: ZipEntry, _ reader: ZipReader, _ most: Int, _ listed: inout Int64, _ stop: ImportWork.Stop
    ) throws -> (Int, JSONListReader) {
        listed += min(entry.size, maximumLists + 1)
        guard listed <= maximumLists else { throw Refusal(code: .zipUnsafe, cause: "the lists are too long") }
        var list = try ImportList(entry, reader)
        var count = 0
        while try list.next(stop) != nil {
            count += 1
            guard count <= most else { throw Refusal(code: .zipTooLarge, cause: "more entries than allowed") }
        }
        return (count, list.json)
    }

    private static func version(_ head: JSONListReader) -> Int? {
        guard let bytes = head.members["format_version"], case .number(let spelling)? = try? JSONParser.parse(bytes) else { return nil }
        return Int(spelling)
    }

    /// Those that are not as an export writes them are left out.
    private static func tags(_ head: JSONListReader) -> [ColoredTag] {
        guard let bytes = head.members["tags"], let list = (try? JSONParser.parse(bytes))?.array else { return [] }
        return list.prefix(ColoredTag.most).compactMap { element in
            guard let name = element.object?["name"]?.string, name.unicodeScalars.count <= PersonalPart.tagLength, !name.utf8.contains(0),
                let tidied = PersonalPart.tidied([name]).first, let color = element.object?["color"]?.string.flatMap({ TagColor($0) })
            else { return nil }
            return ColoredTag(name: tidied, color: color)
        }
    }

    /// Those that are not as an export writes them are left out.
    private static func speakers(_ head: JSONListReader) -> [ImportedSpeaker] {
        guard let bytes = head.members["speakers"], let list = (try? JSONParser.parse(bytes))?.array else { return [] }
        var ids: Set<SpeakerID> = []
        return list.prefix(SpeakerFeature.most).compactMap { element in
            guard let id = element.object?["id"]?.string.flatMap({ SpeakerID($0) }), ids.insert(id).inserted,
                let name = element.object?["name"]?.string.map(SingleLine.trimmed), !name.isEmpty, !name.utf8.contains(0),
                name.unicodeScalars.count <= SpeakerFeature.nameLength
            else { return nil }
            return ImportedSpeaker(id: id, name: name)
        }
    }

    func list(_ entry: ZipEntry) throws -> ImportList { try ImportList(entry, reader) }

    /// The elements of `deletions`, an id and a time each. The list of entries is passed, which is nested once more then.
    func deletionList(_ entry: ZipEntry) throws -> ImportList {
        try ImportList(entry, reader, JSONListReader(list: "deleted", maximumElement: 1_024, maximumDepth: 33))
    }

    /// Other diaries' programs are read as well as they can be; what is this service's own is as it wrote it, or was changed.
    static func object(_ element: [UInt8], of source: ImportSource = .diary) -> JSONObject? {
        source == .diary ? JSONParser.object(element, rules) : LenientJSON.value(element)?.object
    }

    static func refusal(_ error: ZipReadError) -> any Error {
        switch error {
        case .ambiguous, .tooManyMembers, .tooLarge, .suspiciousRatio, .overlapping, .duplicateName, .unsafeName:
            Refusal(code: .zipUnsafe, cause: error.description)
        case .noArchive, .damaged, .damagedMember, .encrypted, .unsupportedMethod, .specialFile:
            Refusal(code: .zipUnreadable, cause: error.description)
        case .file, .library: JobStop.retry(.storageUnavailable, cause: error.description)
        }
    }
}

/// The elements of one list of a zip. Its calls block on the disk.
struct ImportList {
    private let member: ZipMemberReader
    fileprivate(set) var json: JSONListReader

    init(
        _ entry: ZipEntry, _ reader: ZipReader,
        _ json: JSONListReader = JSONListReader(list: "entries", maximumElement: ImportArchive.maximumElement, maximumDepth: 32)
    ) throws {
        guard entry.size <= 1 << 20 || UInt64(entry.size) / ImportArchive.maximumRatio <= UInt64(entry.compressedSize) else {
            throw ImportArchive.Refusal(code: .zipUnsafe, cause: "a list is packed too densely")
        }
        do throws(ZipReadError) { member = try reader.open(entry) } catch { throw ImportArchive.refusal(error) }
        self.json = json
    }

    /// - Parameter stop: an element that is passed may have gigabytes.
    mutating func next(_ stop: ImportWork.Stop) throws -> JSONListReader.Element? {
        do {
            return try json.next { [member] in
                if stop.isRaised { throw CancellationError() }
                return try member.read(max: 1 << 18)
            }
        } catch let error as ZipReadError {
            throw ImportArchive.refusal(error)
        } catch let error as JSONParsingError {
            throw ImportArchive.Refusal(code: .zipUnreadable, cause: "list: \(error.reason)")
        }
    }
}

/// A speaker of the account that an export was made of.
struct ImportedSpeaker: Sendable, Equatable {
    let id: SpeakerID
    let name: String
}
