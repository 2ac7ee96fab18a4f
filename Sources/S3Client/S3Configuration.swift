package import AWSSigning

/// A bucket and how it is used.
package struct S3Configuration: Sendable {
    package var bucket: S3Bucket
    /// Where presigned URLs lead, when clients reach the service at another address.
    package var publicBucket: S3Bucket
    package var region: String
    package var credentials: SigV4Credentials
    package var retries = S3Retries()
    /// Without a byte in either direction, after which a request has failed.
    package var stall: Duration = .seconds(20)
    /// A PEM file that replaces the system's certificates.
    package var certificateFile: String?
    package var maximumConnections = 64

    package init(
        bucket: S3Bucket, publicEndpoint: S3Endpoint? = nil, region: String, credentials: SigV4Credentials, certificateFile: String? = nil
    ) {
        self.bucket = bucket
        publicBucket = publicEndpoint.flatMap { S3Bucket(bucket.name, at: $0, style: bucket.style) } ?? bucket
        self.region = region
        self.credentials = credentials
        self.certificateFile = certificateFile
    }
}
