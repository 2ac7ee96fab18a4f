import DiaryCrypto
import FoundationEssentials
import NIOCore

/// The contract in its three forms, as they ship beside the program; `scripts/contract` writes the last two from the first. And the form of an
/// export's manifest. Buffers, whose bytes all answers share.
package struct ContractFiles: Sendable {
    /// openapi.yaml.
    let yaml: ByteBuffer
    /// openapi.json.
    let json: ByteBuffer
    /// openapi.html: one page without scripts, with its style in the one `<style>` element.
    let page: ByteBuffer
    /// docs/export-manifest.schema.json.
    let exportManifest: ByteBuffer
    /// Allows the page's style by its digest, its icon, and nothing else.
    let pagePolicy: String

    package init(yaml: String, json: String, page: String, exportManifest: String) {
        self.yaml = ByteBuffer(string: yaml)
        self.json = ByteBuffer(string: json)
        self.page = ByteBuffer(string: page)
        self.exportManifest = ByteBuffer(string: exportManifest)
        let style = page.firstRange(of: "<style>").flatMap { start in
            page[start.upperBound...].firstRange(of: "</style>").map { page[start.upperBound..<$0.lowerBound] }
        }
        let digest = Data(SHA256.digest(Array((style ?? "").utf8))).base64EncodedString()
        pagePolicy =
            "default-src 'none'; style-src 'sha256-\(digest)'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }
}
