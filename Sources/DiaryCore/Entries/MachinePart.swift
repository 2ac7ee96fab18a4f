/// The text recognised in the recording. Only the worker writes this part.
package struct MachinePart: Sendable, Equatable {
    package var raw: String?
    package var clean: String?

    package init(raw: String? = nil, clean: String? = nil) {
        self.raw = raw
        self.clean = clean
    }
}

extension MachinePart: SealablePart {
    package var plainBytes: [UInt8] {
        var fields = PartFields()
        fields.add(1, raw)
        fields.add(2, clean)
        return fields.bytes
    }

    package init?(plain: Span<UInt8>) {
        self.init()
        let isWhole = PartFields.read(plain) { tag, text in
            switch tag {
            case 1: raw = text
            case 2: clean = text
            default: break
            }
        }
        if !isWhole { return nil }
    }
}
