import type { AddressInfo, Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface Taken {
  /** Recipients of the envelope. */
  recipients: string[]
  mail: Email
  /** The raw message. */
  raw: string
}

/**
 * What the server does with a mail. `take`: accepts it; a number: refuses it with this code; `silent`: reads it and never
 * replies; `drop`: reads it and closes the connection; `mute`: does not even send a greeting.
 */
export type SinkManner = 'take' | 'silent' | 'drop' | 'mute' | number

export interface SmtpSink extends AsyncDisposable {
  url: string
  manner: SinkManner
  /** Recipients that are refused -> the code of the refusal. */
  refused: Map<string, number>
  /** Mails that were received completely, whatever the reply was. */
  mails: Taken[]
  /** Milliseconds until the reply to a mail. */
  delayMs: number
}

const refusal = (responseCode: number) =>
  Object.assign(new Error(`refused by the sink\u001B[2J with «${responseCode}»`), { responseCode })

/** Starts a real SMTP server on a free port of the loopback interface; it accepts every mail unless `manner` is changed. */
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
