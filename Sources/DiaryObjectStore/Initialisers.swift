// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.

package import AWSSigning
package import DiaryCore
package import DiaryCrypto
package import FoundationEssentials

extension ByteListing {
    package init(objects: [ByteObject], next: ObjectKey?, _: Void = ()) {
        self.objects = objects
        self.next = next
    }
}

extension ByteObject {
    package init(key: ObjectKey, size: Int64, storedAt: Date, leading: [UInt8] = [], _: Void = ()) {
        self.key = key
        self.size = size
        self.storedAt = storedAt
        self.leading = leading
    }
}

extension DeferredBytes {
    package init(make: @escaping @Sendable () throws(ObjectStoreError) -> [UInt8], _: Void = ()) {
        self.make = make
    }
}

extension CollectObjects.Counts {
    package init(objects: Int = 0, bytes: Int64 = 0, collected: Int = 0, collectedBytes: Int64 = 0, waiting: Int = 0, _: Void = ()) {
        self.objects = objects
        self.bytes = bytes
        self.collected = collected
        self.collectedBytes = collectedBytes
        self.waiting = waiting
    }
}

extension ObjectGap {
    package init(kind: Kind, key: ObjectKey, _: Void = ()) {
        self.kind = kind
        self.key = key
    }
}

extension DiskSpace {
    package init(bytes: Int64, files: Int64?, _: Void = ()) {
        self.bytes = bytes
        self.files = files
    }
}

extension SealedUploadParts {
    package init(bytes: any PartByteStore, objects: SealedObjectStore, _: Void = ()) {
        self.bytes = bytes
        self.objects = objects
    }
}

extension BucketCheck {
    package init(store: S3ByteStore, _: Void = ()) {
        self.store = store
    }
}

extension S3UploadParts {
    package init(store: S3ByteStore, _: Void = ()) {
        self.store = store
    }
}

extension S3UploadSigner {
    package init(store: S3ByteStore, _: Void = ()) {
        self.store = store
    }
}

extension SealedObjectStore {
    package init(bytes: any ByteStore, staging: Staging = .sealed, _: Void = ()) {
        self.bytes = bytes
        self.staging = staging
    }
}

extension LinkSigner {
    package init(key: SecretBytes, _: Void = ()) {
        self.key = key
    }
}

extension SigV4UploadSigner {
    package init(publicURL: PublicURL, credentials: SigV4Credentials, region: String, _: Void = ()) {
        self.publicURL = publicURL
        self.credentials = credentials
        self.region = region
    }
}

extension UploadVerifier {
    package init(publicURL: PublicURL, credentials: SigV4Credentials, region: String, longestLifetime: Int, _: Void = ()) {
        self.publicURL = publicURL
        self.credentials = credentials
        self.region = region
        self.longestLifetime = longestLifetime
    }
}
