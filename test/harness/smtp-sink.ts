import type { AddressInfo, Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface Taken {
  /** Addresses that the envelope named. */
  recipients: string[]
  mail: Email
  /** As it came. */
  raw: string
}

/**
 * What becomes of a mail. `take`; a code refuses it at its end; `silent`: the server takes it and never answers; `drop`: it
 * takes it and closes the connection; `mute`: it does not even greet.
 */
export type SinkManner = 'take' | 'silent' | 'drop' | 'mute' | number

export interface SmtpSink extends AsyncDisposable {
  url: string
  manner: SinkManner
  /** Recipients that are refused with a code, each for itself. */
  refused: Map<string, number>
  /** Mails that came to their end, whatever was answered. */
  mails: Taken[]
  /** Milliseconds before a mail is answered. */
  delayMs: number
}

const refusal = (responseCode: number) =>
  Object.assign(new Error(`refused by the sink\u001B[2J with «${responseCode}»`), { responseCode })

/** A real SMTP server on a free port of the loopback interface; takes every mail until told otherwise. */
export async function startSmtpSink(): Promise<SmtpSink> {
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    closeTimeout: 100,
    onConnect(_session, callback) {
      if (sink.manner !== 'mute') callback()
    },
    onRcptTo({ address }, _session, callback) {
      const code = sink.refused.get(address)
      callback(code === undefined ? null : refusal(code))
    },
    onData(stream, session, callback) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const bytes = Buffer.concat(parts)
        void PostalMime.parse(bytes).then(async (mail) => {
          sink.mails.push({
            recipients: session.envelope.rcptTo.map(({ address }) => address),
            mail,
            raw: bytes.toString(),
          })
          if (sink.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, sink.delayMs))
          if (sink.manner === 'drop') for (const socket of sockets) socket.destroy()
          else if (typeof sink.manner === 'number') callback(refusal(sink.manner))
          else if (sink.manner === 'take') callback()
        })
      })
    },
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.server.address() as AddressInfo
  const sink: SmtpSink = {
    url: `smtp://127.0.0.1:${port}`,
    manner: 'take',
    refused: new Map(),
    mails: [],
    delayMs: 0,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => {
        server.close(resolve)
      })
    },
  }
  return sink
}
