/// Characters that are not shown, and marks that strike a letter out, frame it or stand above it as another one: a text may have no more of each
/// than the raw one.
enum UnsaidSigns {
    static func areMore(in clean: [Unicode.Scalar], than raw: [Unicode.Scalar]) -> Bool {
        var found = counts(clean)
        guard !found.isEmpty else { return false }
        for (sign, count) in counts(raw) { found[sign, default: 0] -= count }
        return found.values.contains { $0 > 0 }
    }

    private static func counts(_ text: [Unicode.Scalar]) -> [Unicode.Scalar: Int] {
        var counts: [Unicode.Scalar: Int] = [:]
        for (index, scalar) in text.enumerated() where scalar.value >= 0x300 || !(0x20..<0x7F).contains(scalar.value) {
            if isUnsaid(scalar, in: text, at: index) { counts[scalar, default: 0] += 1 }
        }
        return counts
    }

    private static func isUnsaid(_ scalar: Unicode.Scalar, in text: [Unicode.Scalar], at index: Int) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: !["\n", "\r", "\t"].contains(scalar)
        case .format: !(isJoiner(scalar) && isBetweenJoining(text, index))
        case .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned, .enclosingMark: true
        case .nonspacingMark, .spacingMark: isStrange(scalar, in: text, at: index)
        default: fillers.contains(scalar.value)
        }
    }

    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{200C}" || scalar == "\u{200D}" }

    /// Between two letters of a script that needs joiners to spell its words.
    private static func isBetweenJoining(_ text: [Unicode.Scalar], _ index: Int) -> Bool {
        guard index > 0, index + 1 < text.count else { return false }
        return [text[index - 1], text[index + 1]].allSatisfy { scalar in
            isLetterOrMark(scalar) && joining.contains { $0.contains(scalar.value) }
        }
    }

    private static func isLetterOrMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark: true
        default: false
        }
    }

    /// Arabic, Syriac, Thaana, N'Ko, the scripts of India, Tibetan, Burmese, Khmer, Mongolian, Balinese and their like.
    private static let joining: [ClosedRange<UInt32>] = [
        0x600...0x8FF, 0x900...0xDFF, 0xF00...0x109F, 0x1780...0x18AF, 0x1A20...0x1AAF, 0x1B00...0x1C4F, 0xA800...0xAAFF, 0xFB50...0xFDFF,
        0xFE70...0xFEFC, 0x11000...0x11FFF,
    ]

    /// Marks that strike or stand above as letters; variation selectors and the grapheme joiner; on a Latin letter, marks without a letter of
    /// their own in Unicode.
    private static func isStrange(_ scalar: Unicode.Scalar, in text: [Unicode.Scalar], at index: Int) -> Bool {
        if strange.contains(where: { $0.contains(scalar.value) }) || fillers.contains(scalar.value) { return true }
        var cluster: [Unicode.Scalar] = [scalar]
        var before = index
        while before > 0 {
            before -= 1
            cluster.insert(text[before], at: 0)
            switch text[before].properties.generalCategory {
            case .nonspacingMark, .spacingMark: if cluster.count < 8 { continue }
            default: break
            }
            break
        }
        guard let base = cluster.first, isLatin(base), scalar != "\u{307}" else { return false }
        return !composed.contains(String(String.UnicodeScalarView(cluster)))
    }

    private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic && (scalar.value < 0x250 || (0x1E00...0x1EFF).contains(scalar.value))
    }

    private static let strange: [ClosedRange<UInt32>] = [
        0x334...0x338, 0x34F...0x34F, 0x363...0x36F, 0x180B...0x180F, 0x1AB0...0x1ACE, 0x1DC0...0x1DFF, 0x20D0...0x20F0, 0x2DE0...0x2DFF,
        0xFE00...0xFE0F, 0xE0100...0xE01EF,
    ]

    /// Letters that are not seen: of Hangul and Khmer.
    private static let fillers: Set<UInt32> = [0x115F, 0x1160, 0x3164, 0xFFA0, 0x17B4, 0x17B5, 0x2800]

    /// Latin letters with marks. Texts are equal where their characters are, composed or not.
    private static let composed: Set<String> = Set(
        [0xC0...0x24F, 0x1E00...0x1EFF].flatMap { range in range.compactMap { Unicode.Scalar(UInt32($0)).map { String($0) } } })
}
