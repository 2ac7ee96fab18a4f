import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Hummingbird's HTTP/1 channel with our scanner before the parser and our guard behind it.
struct GuardedChannel: ServerChildChannel, HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: HTTPChannelHandler.Responder
    let services: HTTPServices

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let limits = services.limits
            let connection = ConnectionState()
            // The parser's own limits lie above the scanner's, which answers; trailers are the parser's alone.
            var parsing = NIOHTTPDecoderLimitConfiguration()
            parsing.maxHeaderFieldSize = max(limits.headerBytes, limits.uriBytes) + 1024
            parsing.maxHeaderListSize = limits.headerBytes + limits.uriBytes + 1024
            parsing.maxHeaderFieldCount = limits.headerCount + 1
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(HeadScanner(limits: limits, connection: connection))
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
                withEncoderConfiguration: .init(),
                withDecoderLimitConfiguration: parsing)
            try pipeline.addHandler(
                ExchangeGuard(limits: limits, connection: connection, refusals: RefusalReport(services: services, logger: logger)))
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            return try NIOAsyncChannel(wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }

    func handle(value: Value, logger: Logger) async { await handleHTTP(asyncChannel: value, logger: logger) }
}
