import DiaryCore
import WireFormats

/// The field `file` of a form; other fields are ignored, whether they come before it or after it.
actor FormFile: ByteStream {
    private let body: IncomingBody
    private var reader: MultipartReader
    private var events: ArraySlice<MultipartReader.Event> = []
    private var hasEnded = false

    init(_ body: IncomingBody, _ reader: MultipartReader) {
        self.body = body
        self.reader = reader
    }

    /// Reads up to the file.
    func open() async throws -> MultipartHead {
        while let event = try await nextEvent() {
            guard case .begin(let head) = event, head.name == Self.field else { continue }
            guard head.filename != nil || head.contentType != nil else {
                throw DiaryError.invalid("/\(Self.field)", "is a text and no file (curl takes a file by `@`)")
            }
            return head
        }
        throw DiaryError.invalid("/\(Self.field)", "is required")
    }

    /// Reads on to the end of the form where the file ends: it may be cut there, too.
    func next() async throws -> [UInt8]? {
        while !hasEnded, let event = try await nextEvent() {
            switch event {
            case .bytes(let piece): return piece
            case .begin: break
            case .end: hasEnded = true
            }
        }
        while let event = try await nextEvent() {
            if case .begin(let head) = event, head.name == Self.field { throw DiaryError.invalid("/\(Self.field)", "comes twice") }
        }
        return nil
    }

    private static let field = "file"

    /// nil behind the form's end.
    private func nextEvent() async throws -> MultipartReader.Event? {
        while events.isEmpty {
            guard let piece = try await body.next() else {
                do throws(MultipartReader.Fault) { try reader.finish() } catch { throw Self.refusal(error) }
                return nil
            }
            do throws(MultipartReader.Fault) { events = try reader.read(piece)[...] } catch { throw Self.refusal(error) }
        }
        return events.popFirst()
    }

    private static func refusal(_ fault: MultipartReader.Fault) -> DiaryError {
        let detail =
            switch fault {
            case .incomplete: "The form ends before its last boundary."
            case .delimiter: "A boundary of the form is followed by something else than a line end."
            case .header: "A part of the form has no header that names it, or one that cannot be read."
            case .encoding: "A part of the form is encoded; send its bytes as they are."
            case .tooManyParts: "The form has more than \(MultipartReader.mostParts) parts."
            }
        return DiaryError(.malformedRequest, detail: detail)
    }
}
