import FoundationEssentials

/// Playback: the member gets a signed, time-bound link, whose holder may read ranges until it expires (decision D15).
///
/// A link ends earlier with its entry, with its account, and with all of the account's sessions, which raises the account's link generation.
package struct PlayRecording: Sendable {
    package struct Recording: Sendable {
        package var size: Int64
        package var contentType: String
        package var filename: String
        /// Its check failed: nothing shows that it is a recording.
        package var isRefused: Bool
        package var read: @Sendable (Range<Int64>) async throws(DiaryError) -> any ByteStream
    }

    let entries: any EntryStore
    let objects: any ObjectStore
    let keys: DataKeys
    let links: any LinkSigning
    let publicURL: String
    let limits: Limits
    let clock: WallClock

    /// - Parameter original: as it was uploaded, also where a copy plays in its place, or the check refused it.
    /// - Returns: its URL is `{public URL}/audio/{tenant}/{user}/{object}/{file name}?expires=…&signature=…`
    package func link(_ id: EntryID, original: Bool = false, for member: Member) async throws(DiaryError) -> PlaybackLink {
        guard let (stored, generation) = try await entries.recording(id, of: member) else { throw .notFound }
        let facts = stored.entry.facts
        guard facts.audioRemovedAt == nil else { throw DiaryError(.audioRemoved) }
        guard !facts.isOnDevice else { throw DiaryError(.audioOnDevice) }
        guard let playable = stored.playable else { throw DiaryError(.notAVoiceEntry) }
        let chosen: PlayableRecording?
        if facts.isPlayable {
            chosen = original ? stored.original : playable
        } else {
            // A recording that failed its check never becomes playable.
            guard original, facts.status == .failed else {
                throw DiaryError(.audioNotReady, retryAfter: facts.status == .failed ? nil : 2)
            }
            chosen = try await refused(stored, of: member)
        }
        guard let recording = chosen, let size = recording.sizeBytes else {
            throw DiaryError(original && stored.original == nil ? .originalNotKept : .audioNotReady)
        }
        let life = PlaybackLink.life(ofRecording: facts.durationSeconds, limits)
        let end = Date(timeIntervalSince1970: (clock.now().timeIntervalSince1970 + life).rounded(.down))
        let (object, filename) = (ObjectID(recording.object), recording.filename)
        let key = ObjectKey(kind: .audio, owner: member.owner, object: recording.object)
        let signature = PlaybackSignature(generation, of: key, filename, expiresAt: end, links)
        return PlaybackLink(
            url: "\(publicURL)/audio/\(member.tenant)/\(member.user)/\(object)/\(filename)"
                + "?expires=\(Int64(end.timeIntervalSince1970))&signature=\(signature.text)",
            expiresAt: end, filename: filename, contentType: Self.contentType(of: filename), sizeBytes: size)
    }

    package func open(
        tenant: TenantID, user: UserID, object: ObjectID, filename: String, expires: Int64, signature: String
    ) async throws(DiaryError) -> Recording {
        let key = ObjectKey(kind: .audio, tenant: tenant, user: user, object: object.uuid)
        let end = Date(timeIntervalSince1970: Double(expires))
        guard let signature = PlaybackSignature(signature, of: key, filename, expiresAt: end, links) else { throw DiaryError(.linkRefused) }
        guard clock.now() < end else { throw DiaryError(.linkExpired) }
        let owner = Owner(tenant: tenant, user: user)
        // A link ends with its recording and with its account, whatever this process has cached.
        guard let generation = try await entries.linkGeneration(of: object.uuid, owner) else { throw .notFound }
        guard generation == signature.generation else { throw DiaryError(.linkExpired) }
        let dataKey = try await keys.key(of: owner)
        let size: Int64
        do { size = try await objects.facts(key).size } catch { throw DiaryError(reading: error) }
        let isRefused = filename.hasSuffix(Self.refusedEnding)
        return Recording(size: size, contentType: Self.contentType(of: filename), filename: filename, isRefused: isRefused) {
            [objects] range async throws(DiaryError) in
            do throws(ObjectStoreError) { return try await objects.read(key, range: range, openedBy: dataKey) } catch {
                throw DiaryError(reading: error)
            }
        }
    }

    /// Of a file that no type is claimed for; `AudioFormat` has no such ending.
    private static let refusedEnding = ".bin"

    /// The bytes of a recording whose check failed. The sweeper brings them to their final key some minutes after it (`DiarySweeps.sealTrashedUploads`), unless they
    /// never arrived as announced.
    private func refused(_ stored: StoredRecording, of member: Member) async throws(DiaryError) -> PlayableRecording? {
        let facts = stored.entry.facts
        let comes = facts.processing?.code.map { ![.uploadExpired, .uploadMissing, .uploadSizeMismatch].contains($0) } ?? false
        guard comes, var recording = stored.original else { throw DiaryError(.audioNotReady) }
        recording.filename += Self.refusedEnding
        let key = ObjectKey(kind: .audio, owner: member.owner, object: recording.object)
        do throws(ObjectStoreError) {
            recording.sizeBytes = try await objects.facts(key).size
        } catch .missing {
            // The sweeper looks for a week (`sweep_trash_uploads`).
            let mayCome = facts.updatedAt > clock.now().addingTimeInterval(-7 * 86_400)
            throw DiaryError(.audioNotReady, retryAfter: mayCome ? 60 : nil)
        } catch {
            throw DiaryError(reading: error)
        }
        return recording
    }

    private static func contentType(of filename: String) -> String {
        let ending = filename.split(separator: ".").last.map(String.init)
        return AudioFormat.allCases.first { $0.fileExtension == ending }?.rawValue ?? "application/octet-stream"
    }
}
