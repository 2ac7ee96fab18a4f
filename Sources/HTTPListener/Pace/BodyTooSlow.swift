/// Thrown to the reader of a body that the client sends slower than `ListenerLimits.bodyBytesPerSecond`.
package struct BodyTooSlow: Error {}
