import DiaryCore
import DiaryCrypto
import FoundationEssentials
import S3Client

/// Tries what the service does with its bucket on objects below `check/`, and reads how the bucket is set up.
package struct BucketCheck: Sendable {
    let store: S3ByteStore

    package init(store: S3ByteStore) { self.store = store }

    var client: S3Client { store.client }

    /// One finding for each check. Only the first when the bucket cannot be used at all.
    package func run() async -> [BucketFinding] {
        let (bucket, clock) = await reach()
        guard bucket.state == .ok else { return [bucket] }
        let name = "\(store.names.prefix)check/\(UUIDv7.make().lowercaseText)"
        var findings = [bucket, clock, await rights(name + "-a")]
        if findings.allSatisfy({ $0.state != .fault }) {
            findings += [await overwriting(name + "-b"), await uploads(name + "-c"), await access(name + "-d")]
        }
        findings += [await versions(), await lifecycle(), await crossOrigin()]
        for suffix in ["-a", "-a-joined", "-b", "-c", "-d"] { try? await store.remove(name + suffix) }
        return findings
    }

    private func reach() async -> (BucketFinding, BucketFinding) {
        do throws(S3Error) {
            let ahead = try await client.headBucket()
            return (BucketFinding(.bucket, .ok, "answers"), Self.clock(ahead))
        } catch {
            let region = await region(after: error)
            let detail =
                switch error.reason {
                case _ where region.map { $0 != client.configuration.region } == true:
                    "the bucket is in \(region ?? ""): set DIARY_S3_REGION=\(region ?? "") and an endpoint of that region"
                case .missing, .noBucket: "there is no such bucket at the endpoint"
                case .denied: "the key is not known, its secret is wrong, or it may not use the bucket"
                case .clock(let seconds): "refused: this machine's clock and the service's differ by \(seconds) s"
                case .transfer(let transfer): "the endpoint does not answer: \(transfer)"
                default: "\(error)"
                }
            return (BucketFinding(.bucket, .fault, detail), BucketFinding(.clock, .unknown, ""))
        }
    }

    /// Some services say it in a document alone, which the answer to a HEAD cannot have.
    private func region(after error: S3Error) async -> String? {
        guard error.region == nil, (300...403).contains(error.status) else { return error.region }
        do throws(S3Error) { _ = try await client.list(prefix: "\(store.names.prefix)check/") } catch { return error.region }
        return nil
    }

    static func clock(_ ahead: Double?) -> BucketFinding {
        guard let ahead else { return BucketFinding(.clock, .unknown, "the service does not say its time") }
        let seconds = Int(ahead.rounded())
        guard abs(ahead) > 60 else { return BucketFinding(.clock, .ok, "within a minute of the service's") }
        return BucketFinding(
            .clock, abs(ahead) > 600 ? .fault : .warning,
            "differs by \(seconds) s from the service's, which refuses signatures from 900 s on: set the clock")
    }

    /// Every operation that the store uses.
    private func rights(_ name: String) async -> BucketFinding {
        do throws(S3Error) {
            _ = try await client.put(name, .bytes([1, 2, 3, 4]))
            guard try await client.head(name)?.size == 4, try await client.get(name, range: 1..<3)?.bytes == [2, 3],
                try await client.get(name, range: 0..<8)?.bytes == [1, 2, 3, 4],
                try await client.list(prefix: name).entries.map(\.key) == [name]
            else { return BucketFinding(.rights, .fault, "an object that was put is not there as it was put") }
            let upload = try await client.createUpload(name)
            _ = try await client.listParts(name, upload: upload)
            _ = try await client.listUploads(prefix: name)
            try await client.abortUpload(name, upload: upload)
            let joined = name + "-joined"
            let set = try await client.createUpload(joined)
            let part = try await client.uploadPart(joined, upload: set, number: 1, [1, 2, 3])
            try await client.completeUpload(joined, upload: set, parts: [part], ifAbsent: store.guardsOverwrites)
            guard try await client.head(joined)?.size == 3 else {
                return BucketFinding(.rights, .fault, "an upload in parts that was completed is not there")
            }
            guard try await client.delete([S3Version(name)]).failed.isEmpty else {
                return BucketFinding(.rights, .fault, "DeleteObjects does not delete")
            }
            _ = try await client.put(name, .bytes([1]))
            try await client.delete(name)
            guard try await client.head(name) == nil else { return BucketFinding(.rights, .fault, "DeleteObject does not delete") }
            return BucketFinding(.rights, .ok, "objects and uploads in parts can be made, read, listed and deleted")
        } catch {
            return BucketFinding(.rights, .fault, "\(error): see the policy in docs/reference.md")
        }
    }

    private func overwriting(_ name: String) async -> BucketFinding {
        do throws(S3Error) {
            _ = try await client.put(name, .bytes([1]))
            _ = try await client.put(name, .bytes([2]), ifAbsent: true)
            return BucketFinding(
                .overwriting, store.guardsOverwrites ? .fault : .warning,
                "the service ignores If-None-Match: a URL can be used again while it is valid. Set DIARY_S3_IF_NONE_MATCH=0")
        } catch {
            switch (error.reason, store.guardsOverwrites) {
            case (.exists, true): return BucketFinding(.overwriting, .ok, "refused")
            case (.exists, false): return BucketFinding(.overwriting, .warning, "the service could refuse it: set DIARY_S3_IF_NONE_MATCH=1")
            case (.unsupported, true):
                return BucketFinding(.overwriting, .fault, "the service refuses If-None-Match: set DIARY_S3_IF_NONE_MATCH=0")
            case (.unsupported, false):
                return BucketFinding(.overwriting, .warning, "the service cannot refuse it: a URL can be used again while it is valid")
            default: return BucketFinding(.overwriting, .unknown, "\(error)")
            }
        }
    }

    /// A client's upload, at the public endpoint.
    private func uploads(_ name: String) async -> BucketFinding {
        let bytes: [UInt8] = [1, 2, 3, 4]
        func upload(withChecksum: Bool) -> S3Presigned {
            client.presignedPut(
                name,
                S3UploadTerms(
                    contentType: "audio/mp4", length: Int64(bytes.count), sha256: withChecksum ? SHA256.digest(bytes) : nil,
                    ifAbsent: store.guardsOverwrites), at: Date(), lifetime: 60)
        }
        do throws(S3Error) {
            guard try await client.tryUpload(upload(withChecksum: store.signsChecksums), bytes + [5]) != nil else {
                return BucketFinding(.uploads, .fault, "the service takes another length than was signed")
            }
            if let refusal = try await client.tryUpload(upload(withChecksum: store.signsChecksums), bytes) {
                if store.signsChecksums, try await client.tryUpload(upload(withChecksum: false), bytes) == nil {
                    return BucketFinding(
                        .uploads, .fault, "the service refuses x-amz-checksum-sha256 (\(refusal)): set DIARY_S3_CHECKSUMS=0")
                }
                return BucketFinding(.uploads, .fault, "a signed upload is refused: \(refusal)")
            }
            return BucketFinding(.uploads, .ok, "signed uploads arrive, and only with the signed length")
        } catch {
            return BucketFinding(.uploads, .warning, "the public endpoint does not answer from here: \(error)")
        }
    }

    private func access(_ name: String) async -> BucketFinding {
        do throws(S3Error) {
            _ = try await client.put(name, .bytes([1]))
            guard try await client.isPublic(name) else { return BucketFinding(.access, .ok, "objects cannot be read without a key") }
            return BucketFinding(
                .access, .fault, "objects can be read without a key: recordings in staging are not sealed. Block public access")
        } catch {
            return BucketFinding(.access, .unknown, "\(error)")
        }
    }

    private func versions() async -> BucketFinding {
        do throws(S3Error) {
            switch try await client.versioning() {
            case .off: return BucketFinding(.versions, .ok, "none are kept")
            case .on, .suspended:
                _ = try await client.listVersions(prefix: store.names.prefix + "check/")
                return BucketFinding(
                    .versions, .warning, "the bucket keeps versions: each deletion costs two more requests. A bucket without is better")
            }
        } catch {
            if error.reason == .unsupported { return BucketFinding(.versions, .ok, "the service keeps none") }
            return BucketFinding(
                .versions, .unknown, "\(error): versions must be off, or the key needs s3:ListBucketVersions and s3:DeleteObjectVersion")
        }
    }

    private func lifecycle() async -> BucketFinding {
        do throws(S3Error) { return Self.lifecycle(try await client.lifecycle(), names: store.names) } catch {
            return BucketFinding(.lifecycle, .unknown, "\(error)")
        }
    }

    private func crossOrigin() async -> BucketFinding {
        do throws(S3Error) {
            return Self.crossOrigin(
                try await client.crossOriginRules(), guardsOverwrites: store.guardsOverwrites, signsChecksums: store.signsChecksums)
        } catch {
            return BucketFinding(.crossOrigin, .unknown, "\(error)")
        }
    }

    static func crossOrigin(_ rules: [S3CrossOriginRule], guardsOverwrites: Bool, signsChecksums: Bool = true) -> BucketFinding {
        let needed = ["content-type"] + (signsChecksums ? ["x-amz-checksum-sha256"] : []) + (guardsOverwrites ? ["if-none-match"] : [])
        let puts = rules.filter { $0.methods.contains("PUT") }
        guard !puts.isEmpty else {
            return BucketFinding(.crossOrigin, .warning, "no rule allows PUT: browsers cannot upload; apps and programs can")
        }
        let missing = needed.filter { header in
            !puts.contains { rule in
                rule.headers.contains { $0 == "*" || $0.lowercased() == header || $0 == "x-amz-*" && header.hasPrefix("x-amz-") }
            }
        }
        guard missing.isEmpty else {
            return BucketFinding(
                .crossOrigin, .warning, "no rule allows the headers \(missing.joined(separator: ", ")): browsers cannot upload")
        }
        return BucketFinding(.crossOrigin, .ok, "PUT is allowed for \(puts.flatMap(\.origins).joined(separator: ", "))")
    }
}
