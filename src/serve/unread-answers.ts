import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { LIMITS } from '../platform/limits.ts'

// An answer that its client does not read stays in memory as long as the client's machine acknowledges with a closed window,
// which may be forever. Downloads are made while they are read, and set timeouts of their own.
// docs/decisions/246-large-answers-have-places.md says more.

/**
 * Closes connections on which bytes of an answer wait and none leaves, including connections of plain requests. A slow client is not
 * affected: before Node emits a timeout it checks whether any part of a write has left the socket.
 */
export function closeStalledConnections(server: Server): void {
  const open = new Set<Socket>()
  /** Sockets whose timeout was set here; Node's HTTP server sets one of its own when an answer has been sent. */
  const timed = new WeakSet<Socket>()
  const onTimeout = function (this: Socket) {
    if (timed.has(this) && this.writableLength > 0) this.destroy()
  }
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('timeout', onTimeout).once('close', () => open.delete(socket))
  })
  // polled, because a hook per answer would cost every request
  const look = setInterval(() => {
    const unreadMs = LIMITS.answerUnreadMs
    for (const socket of open) {
      const hasTime = socket.timeout !== undefined && socket.timeout > 0
      if (socket.writableLength > 0) {
        if (hasTime) continue
        timed.add(socket)
        socket.setTimeout(unreadMs)
      } else if (timed.delete(socket) && socket.timeout === unreadMs) socket.setTimeout(0)
    }
  }, LIMITS.requestTimeoutCheckMs)
  look.unref()
  server.once('close', () => clearInterval(look))
}
