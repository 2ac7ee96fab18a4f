import FoundationEssentials
import Glibc

/// Runs a target on files and then on random changes of them, knowing nothing of coverage.
///
/// Arguments: `--seed N --runs N --seconds N --longest BYTES --keep FILE --word HEX… FILE…`. Each input is written to the file of `--keep` before
/// it is run, so that the one that ended the process stays. Run number n of a seed is always the same input.
struct RandomDriver {
    private var seed: UInt64 = 0
    private var runs = 0
    private var limit: Duration = .seconds(3600)
    private var longest = 4096
    private var kept: Int32 = -1
    private var words: [[UInt8]] = []
    private var inputs: [[UInt8]] = []

    struct WrongArgument: Error {
        let text: String
    }

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard name.hasPrefix("--") else {
                inputs.append(Array(try Data(contentsOf: URL(filePath: name))))
                continue
            }
            guard let value = rest.popFirst() else { throw WrongArgument(text: name) }
            switch name {
            case "--seed": seed = try Self.number(value)
            case "--runs": runs = try Self.number(value)
            case "--seconds": limit = .seconds(try Self.number(value) as Int)
            case "--longest": longest = try Self.number(value)
            case "--keep": kept = open(value, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            case "--word": words.append(try Self.bytes(hex: value))
            default: throw WrongArgument(text: name)
            }
        }
    }

    /// How many inputs were run: the files, then changes of them until the count or the time is reached.
    func run(_ target: FuzzTarget) throws -> Int {
        let end = ContinuousClock.now + limit
        for input in inputs { try one(input, target) }
        for number in 0..<runs {
            guard ContinuousClock.now < end else { return inputs.count + number }
            var random = SplitMix64(state: seed &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
            try one(input(&random), target)
        }
        return inputs.count + runs
    }

    private func one(_ bytes: [UInt8], _ target: FuzzTarget) throws {
        if kept >= 0 {
            guard ftruncate(kept, 0) == 0, pwrite(kept, bytes, bytes.count, 0) == bytes.count else { throw WrongArgument(text: "--keep") }
        }
        var input = FuzzBytes(bytes)
        target.run(&input)
    }

    /// A file with one to eight changes; every sixteenth input is random bytes.
    private func input(_ random: inout SplitMix64) -> [UInt8] {
        guard let start = inputs.randomElement(using: &random), random.below(16) > 0 else {
            return random.bytes(random.below(min(longest, 512) + 1))
        }
        var bytes = start
        for _ in 0...random.below(8) { change(&bytes, &random) }
        return Array(bytes.prefix(longest))
    }

    private func change(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let place = random.below(bytes.count + 1)
        let piece = place..<min(bytes.count, place + 1 + random.below(16))
        switch random.below(9) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.below(8))
        case 1 where place < bytes.count: bytes[place] = random.bytes(1)[0]
        case 2 where place < bytes.count: bytes[place] = [0, 1, 0x20, 0x30, 0x39, 0x7F, 0x80, 0xFF][random.below(8)]
        case 3: bytes.removeSubrange(piece)
        case 4: bytes.insert(contentsOf: bytes[piece], at: random.below(bytes.count + 1))
        case 5: bytes.insert(contentsOf: random.bytes(1 + random.below(8)), at: place)
        case 6: bytes.removeSubrange(place...)
        case 7:
            // The end of another file.
            if let other = inputs.randomElement(using: &random) {
                bytes.replaceSubrange(place..., with: other.suffix(random.below(other.count + 1)))
            }
        default:
            if let word = words.randomElement(using: &random) { bytes.insert(contentsOf: word, at: place) }
        }
    }

    private static func number<Number: FixedWidthInteger>(_ text: String) throws -> Number {
        guard let number = Number(text) else { throw WrongArgument(text: text) }
        return number
    }

    private static func bytes(hex: String) throws -> [UInt8] {
        let digits = Array(hex.utf8)
        return try stride(from: 0, to: digits.count - 1, by: 2).map { at in
            guard let byte = UInt8(String(decoding: digits[at..<at + 2], as: UTF8.self), radix: 16) else { throw WrongArgument(text: hex) }
            return byte
        }
    }
}

/// A small generator that gives the same numbers on every machine.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// 0 to `count - 1`.
    mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
