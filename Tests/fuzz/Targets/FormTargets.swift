import WireFormats

extension FuzzTarget {
    /// Bodies of forms: the same parts however they are cut, and the same as a search for the delimiter in the whole finds.
    static let form = FuzzTarget(name: "form") { input in
        let cut = 1 + input.choice(40)
        let bytes = input.all()
        let whole = parts(of: bytes, cut: max(1, bytes.count))
        hold(parts(of: bytes, cut: cut) == whole, "other parts when the bytes come in pieces")
        guard case .success(let events) = whole else { return }

        let text = String(decoding: bytes, as: Unicode.ASCII.self)
        var depth = 0
        for event in events {
            switch event {
            case .begin(let head):
                depth += 1
                hold(head.name.utf8.count <= MultipartReader.headerBytes * 3, "a name from elsewhere")
            case .bytes(let piece):
                hold(depth == 1 && !piece.isEmpty, "bytes of no part")
                hold(!piece.includes(delimiter), "a delimiter inside a part")
            case .end: depth -= 1
            }
            hold(depth == 0 || depth == 1, "a part inside a part")
        }
        hold(depth == 0 && text.contains("--b--"), "an end that is none")
        hold(events.reduce(0) { if case .begin = $1 { $0 + 1 } else { $0 } } <= MultipartReader.mostParts, "too many parts")
    }

    private static let delimiter = Array("\r\n--b".utf8)

    /// With the bytes of a part in one event.
    private static func parts(of bytes: [UInt8], cut: Int) -> Result<[MultipartReader.Event], MultipartReader.Fault> {
        guard var reader = MultipartReader(boundary: "b") else { return .failure(.incomplete) }
        var events: [MultipartReader.Event] = []
        var rest = bytes[...]
        do throws(MultipartReader.Fault) {
            while !rest.isEmpty {
                for event in try reader.read(Array(rest.prefix(cut))) {
                    if case .bytes(let more) = event, case .bytes(let before)? = events.last {
                        events[events.count - 1] = .bytes(before + more)
                    } else {
                        events.append(event)
                    }
                }
                rest = rest.dropFirst(cut)
            }
            try reader.finish()
        } catch {
            return .failure(error)
        }
        return .success(events)
    }
}

extension [UInt8] {
    fileprivate func includes(_ other: [UInt8]) -> Bool {
        count >= other.count && (0...(count - other.count)).contains { self[$0..<($0 + other.count)].elementsEqual(other) }
    }
}
