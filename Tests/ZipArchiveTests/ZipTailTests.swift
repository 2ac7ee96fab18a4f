import Testing

@testable import ZipArchive

@Suite("The end of an archive in memory")
struct ZipTailTests {
    @Test("what is written over it and behind its end, at any place, is what an array would hold")
    func writes() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20 {
            let start = Int64.random(in: 0...(1 << 33), using: &generator)
            var (tail, model) = (ZipTail(at: start), [UInt8]())
            for _ in 0..<60 {
                let count = [0, 1, 30, 8_192, ZipTail.blockSize, ZipTail.blockSize + 1].randomElement(using: &generator) ?? 0
                let bytes = [UInt8](repeating: .random(in: 0...255, using: &generator), count: count)
                let position = Bool.random(using: &generator) ? model.count : Int.random(in: 0...model.count, using: &generator)
                bytes.withUnsafeBytes { tail.write($0, at: start + Int64(position)) }
                model.replaceSubrange(position..<min(model.count, position + count), with: bytes)

                #expect(tail.count == model.count && tail.end == start + Int64(model.count))
            }
            #expect(tail.blocks.flatMap(\.self) == model)

            let full = tail.takeFullBlocks()

            #expect(full.allSatisfy { $0.count == ZipTail.blockSize } && tail.count < ZipTail.blockSize)
            #expect(tail.start == start + Int64(model.count - tail.count) && tail.end == start + Int64(model.count))
            #expect((full + tail.blocks).flatMap(\.self) == model)
        }
    }
}
