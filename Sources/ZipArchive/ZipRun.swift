import CLibzip
import Synchronization

/// Writes one archive. The libzip handle exists only inside `write`, on one thread.
final class ZipRun: Sendable {
    private let descriptor: Int32
    /// Until libzip has them.
    private let members: Mutex<[ZipMember]>
    private let count: Int
    private let progress: (@Sendable (Double) -> Void)?
    /// Through which the archive is read while it is written.
    let pipe: ZipPipe?
    private let cancelled = Atomic(false)
    private let firstFailure = Mutex<ZipError?>(nil)
    private let completed = Atomic(0)

    init(descriptor: Int32, members: [ZipMember], pipe: ZipPipe?, progress: (@Sendable (Double) -> Void)?) {
        self.descriptor = descriptor
        self.members = Mutex(members)
        count = members.count
        self.pipe = pipe
        self.progress = progress
    }

    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func cancel() {
        cancelled.store(true, ordering: .relaxed)
        pipe?.abandon()
    }

    /// Waits until the reader has taken enough.
    func waitForRoom() throws(ZipError) { try pipe?.waitForRoom() }

    /// The cause behind libzip's code; the first one is kept.
    func fail(_ error: ZipError) {
        firstFailure.withLock { if $0 == nil { $0 = error } }
    }

    func memberCompleted() { completed.add(1, ordering: .relaxed) }

    func report(_ fraction: Double) { progress?(fraction) }

    func write() -> Result<Int64, ZipError> {
        do throws(ZipError) {
            let size = try writeArchive()
            pipe?.end(nil)
            return .success(size)
        } catch {
            pipe?.end(error)
            // The bytes written so far are no archive, and may hold private content.
            try? DescriptorIO.truncate(descriptor)
            return .failure(error)
        }
    }

    private func writeArchive() throws(ZipError) -> Int64 {
        if isCancelled { throw .cancelled }
        let archive = try openArchive()
        do throws(ZipError) {
            try addMembers(to: archive)
        } catch {
            zip_discard(archive)
            throw error
        }
        register(archive)

        // libzip reads every source and writes every byte here.
        guard zip_close(archive) == 0 else {
            let failure = libraryError(archive)
            zip_discard(archive)  // a failed close leaves the handle open
            if isCancelled { throw .cancelled }
            throw firstFailure.withLock { $0 } ?? failure
        }
        if let failure = firstFailure.withLock({ $0 }) { throw failure }
        guard completed.load(ordering: .relaxed) == count else { throw .lengthMismatch }
        let size = try DescriptorIO.size(descriptor)
        pipe?.settle(size)
        return size
    }

    private func openArchive() throws(ZipError) -> OpaquePointer {
        var error = zip_error_t()
        zip_error_init(&error)
        defer { zip_error_fini(&error) }
        guard let destination = ZipDestination(descriptor: descriptor, run: self).makeSource(&error) else {
            throw .library(code: error.zip_err, system: error.sys_err)
        }
        guard let archive = zip_open_from_source(destination, ZIP_CREATE | ZIP_TRUNCATE, &error) else {
            zip_source_free(destination)
            throw .library(code: error.zip_err, system: error.sys_err)
        }
        return archive
    }

    private func addMembers(to archive: OpaquePointer) throws(ZipError) {
        let members = members.withLock { members in
            defer { members = [] }
            return members
        }
        for member in members { try add(member, to: archive) }
    }

    private func add(_ member: ZipMember, to archive: OpaquePointer) throws(ZipError) {
        guard let source = ZipMemberFeed(member: member, run: self).makeSource(archive) else { throw libraryError(archive) }
        let index = zip_file_add(archive, member.path, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            zip_source_free(source)
            throw libraryError(archive)
        }
        let position = zip_uint64_t(index)
        let method = if case .stored = member.method { ZIP_CM_STORE } else { ZIP_CM_DEFLATE }
        guard zip_set_file_compression(archive, position, method, 0) == 0,
            zip_file_set_dostime(archive, position, member.modified.time, member.modified.date, 0) == 0,
            zip_file_set_external_attributes(archive, position, 0, UInt8(ZIP_OPSYS_UNIX), 0o100644 << 16) == 0
        else { throw libraryError(archive) }
    }

    private func register(_ archive: OpaquePointer) {
        let this = Unmanaged.passUnretained(self).toOpaque()
        if progress != nil {
            zip_register_progress_callback_with_state(
                archive, 0.001,
                { _, fraction, state in
                    guard let state else { return }
                    Unmanaged<ZipRun>.fromOpaque(state).takeUnretainedValue().report(fraction)
                }, nil, this)
        }
        zip_register_cancel_callback_with_state(
            archive,
            { _, state in
                guard let state else { return 0 }
                return Unmanaged<ZipRun>.fromOpaque(state).takeUnretainedValue().isCancelled ? 1 : 0
            }, nil, this)
    }

    private func libraryError(_ archive: OpaquePointer) -> ZipError {
        guard let error = zip_get_error(archive) else { return .library(code: ZIP_ER_INTERNAL, system: 0) }
        let hasSystemCode = zip_error_system_type(error) != ZIP_ET_NONE
        return .library(code: zip_error_code_zip(error), system: hasSystemCode ? zip_error_code_system(error) : 0)
    }
}
