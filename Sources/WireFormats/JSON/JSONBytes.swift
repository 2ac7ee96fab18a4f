/// The bytes of a document while it is written. It owns its memory: Array and ByteBuffer check uniqueness and capacity on each append,
/// which for the thousand members of a page took longer than the copying (docs/performance.md). Every append reserves its space first.
@safe @usableFromInline
package struct JSONBytes: ~Copyable {
    @usableFromInline var memory: UnsafeMutableRawPointer
    @usableFromInline var capacity: Int
    @usableFromInline var count = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 64)
        unsafe memory = UnsafeMutableRawPointer.allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit { unsafe memory.deallocate() }

    /// Space for `more` bytes after `count`.
    @inlinable @inline(__always)
    mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(more) }
    }

    @usableFromInline
    mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        let wider = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        unsafe wider.copyMemory(from: memory, byteCount: count)
        unsafe memory.deallocate()
        unsafe memory = wider
    }

    @inlinable @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    @inlinable @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        unsafe (memory + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    @inlinable @inline(__always)
    mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe append($0) }
    }

    /// The bytes of a literal live as long as the program.
    @inlinable @inline(__always)
    mutating func append(_ literal: StaticString) {
        unsafe append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// `,"name":` with the comma only when asked for; one reservation for all of it, because a page has more than a thousand.
    @inlinable @inline(__always)
    mutating func append(key name: StaticString, separated: Bool) {
        let length = name.utf8CodeUnitCount
        reserve(length + 4)
        var place = count
        if separated {
            unsafe memory.storeBytes(of: UInt8(ascii: ","), toByteOffset: place, as: UInt8.self)
            place += 1
        }
        unsafe memory.storeBytes(of: UInt8(ascii: "\""), toByteOffset: place, as: UInt8.self)
        unsafe (memory + place + 1).copyMemory(from: name.utf8Start, byteCount: length)
        unsafe memory.storeBytes(of: UInt8(ascii: "\""), toByteOffset: place + 1 + length, as: UInt8.self)
        unsafe memory.storeBytes(of: UInt8(ascii: ":"), toByteOffset: place + 2 + length, as: UInt8.self)
        count = place + 3 + length
    }

    /// Up to eight characters, the first in the lowest byte.
    @inlinable @inline(__always)
    package mutating func append(characters word: UInt64, _ count: Int) {
        reserve(8)
        unsafe memory.storeBytes(of: word.littleEndian, toByteOffset: self.count, as: UInt64.self)
        self.count += count
    }

    /// At most `count` bytes, written in place.
    @inlinable @inline(__always)
    package mutating func append(atMost count: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        reserve(count)
        let space = unsafe UnsafeMutableBufferPointer(start: (memory + self.count).assumingMemoryBound(to: UInt8.self), count: count)
        var out = unsafe OutputSpan(buffer: space, initializedCount: 0)
        write(&out)
        self.count += unsafe out.finalize(for: space)
    }

    /// The bytes of `range` once more.
    mutating func repeatBytes(_ range: Range<Int>) {
        guard range.lowerBound >= 0, range.upperBound <= count else { return }
        reserve(range.count)
        unsafe (memory + count).copyMemory(from: memory + range.lowerBound, byteCount: range.count)
        count += range.count
    }

    /// Drops what came after `count`.
    mutating func truncate(to count: Int) {
        if count >= 0, count < self.count { self.count = count }
    }

    /// Whether anything from `start` on must be escaped.
    func needsEscape(from start: Int) -> Bool {
        guard start >= 0, start <= count else { return false }
        return unsafe JSONEscapes.areNeeded(
            in: UnsafeBufferPointer(start: (memory + start).assumingMemoryBound(to: UInt8.self), count: count - start).span)
    }

    func withSpan<Result>(_ read: (Span<UInt8>) -> Result) -> Result {
        unsafe read(UnsafeBufferPointer(start: memory.assumingMemoryBound(to: UInt8.self), count: count).span)
    }
}
