import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { LIMITS } from '../platform/limits.ts'

// An answer that its client does not read stays in memory for as long as the client's machine acknowledges that its window is closed,
// which is for ever. Downloads, whose answers are made while they are read, set times of their own.
// docs/decisions/246-large-answers-have-places.md says more.

/**
 * Closes connections on which bytes of an answer wait and none leaves, those of plain requests, too. A client that is slow is not one that has
 * stopped: Node looks whether anything of a write has left before it says that a socket's time is over.
 */
export function limitUnread(server: Server): void {
  const open = new Set<Socket>()
  /** Those whose time was set here; Node's HTTP server sets one of its own when an answer has been sent. */
  const timed = new WeakSet<Socket>()
  const onTimeout = function (this: Socket) {
    if (timed.has(this) && this.writableLength > 0) this.destroy()
  }
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('timeout', onTimeout).once('close', () => open.delete(socket))
  })
  // looked for: to note each answer would cost each request
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
