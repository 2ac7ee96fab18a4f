import FoundationEssentials

/// Playback: the member gets a signed, time-bound link, whose holder may read ranges until it expires (decision D15).
package struct PlayRecording: Sendable {
    package struct Recording: Sendable {
        package var size: Int64
        package var contentType: String
        package var filename: String
        package var read: @Sendable (Range<Int64>) async throws(DiaryError) -> any ByteStream
    }

    let entries: any EntryStore
    let objects: any ObjectStore
    let keys: DataKeys
    let links: any LinkSigning
    let publicURL: String
    let lifetime: Double
    let clock: WallClock

    /// - Returns: `{public URL}/audio/{tenant}/{user}/{object}/{file name}?expires=…&signature=…`
    package func link(_ id: EntryID, for member: Member) async throws(DiaryError) -> String {
        guard let stored = try await entries.entry(id, of: member) else { throw .notFound }
        guard stored.facts.kind == .voice, let object = stored.facts.object, let filename = stored.facts.filename else {
            throw DiaryError(.notAVoiceEntry)
        }
        guard stored.facts.status.isPlayable else { throw DiaryError(.audioNotReady, retryAfter: 2) }
        // A recording that failed verification was never promoted, and waiting does not change that.
        guard stored.facts.status != .failed || stored.facts.processing?.stage != .verify else { throw DiaryError(.audioNotReady) }
        let expires = Int64(clock.now().timeIntervalSince1970 + lifetime)
        let key = ObjectKey(kind: .audio, tenant: member.tenant, user: member.user, object: object)
        let signature = links.sign(
            purpose: "audio", fields: [key.description, filename], expiresAt: Date(timeIntervalSince1970: Double(expires)))
        return
            "\(publicURL)/audio/\(member.tenant)/\(member.user)/\(ObjectID(object))/\(filename)?expires=\(expires)&signature=\(signature)"
    }

    package func open(
        tenant: TenantID, user: UserID, object: ObjectID, filename: String, expires: Int64, signature: String
    ) async throws(DiaryError) -> Recording {
        let key = ObjectKey(kind: .audio, tenant: tenant, user: user, object: object.uuid)
        let end = Date(timeIntervalSince1970: Double(expires))
        guard links.isValid(signature, purpose: "audio", fields: [key.description, filename], expiresAt: end) else {
            throw DiaryError(.linkRefused)
        }
        guard clock.now() < end else { throw DiaryError(.linkExpired) }
        let owner = Owner(tenant: tenant, user: user)
        // A link ends with its recording and with its account, whatever this process has cached.
        guard try await entries.uploadState(object.uuid, of: owner) != .gone else { throw .notFound }
        let dataKey = try await keys.key(of: owner)
        let size: Int64
        do { size = try await objects.facts(key).size } catch { throw DiaryError(reading: error) }
        let ending = filename.split(separator: ".").last.map(String.init)
        let type = AudioFormat.allCases.first { $0.fileExtension == ending }?.rawValue ?? "application/octet-stream"
        return Recording(size: size, contentType: type, filename: filename) { [objects] range async throws(DiaryError) in
            do throws(ObjectStoreError) { return try await objects.read(key, range: range, openedBy: dataKey) } catch {
                throw DiaryError(reading: error)
            }
        }
    }
}
