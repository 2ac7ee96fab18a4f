import CLibzip

/// C macros and variadic functions that Swift does not import.
enum ZipCommands {
    /// The `ZIP_SOURCE_MAKE_COMMAND_BITMASK` of all, combined.
    static func mask(_ commands: [zip_source_cmd_t]) -> Int64 {
        commands.reduce(0) { $0 | 1 << Int64($1.rawValue) }
    }

    /// The reply to `ZIP_SOURCE_ERROR`: two ints, libzip's code and `errno`.
    static func writeError(_ code: Int32, _ system: Int32, _ data: UnsafeMutableRawPointer?, _ length: UInt64) -> Int64 {
        let size = 2 * MemoryLayout<Int32>.size
        guard let data, length >= UInt64(size) else { return -1 }
        data.storeBytes(of: code, as: Int32.self)
        data.storeBytes(of: system, toByteOffset: MemoryLayout<Int32>.size, as: Int32.self)
        return Int64(size)
    }
}
