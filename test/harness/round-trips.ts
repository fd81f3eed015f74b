import { startProxy, type Proxy } from './proxy.ts'

/** A proxy in front of PostgreSQL that counts how often its clients wait for an answer. */
export interface RoundTripCounter extends Proxy {
  /** The round trips since the last call: for each one, the texts of the statements that were sent together. */
  take(): string[][]
}

/** How long the client must send nothing before answers are forwarded, so that statements that are sent together are counted once. */
const TOGETHER_MS = 8

/**
 * Starts the proxy in front of the server of `url`. It holds answers back until all statements that were sent are answered, so every later statement has
 * waited for an answer. Prepared statements are shown with the text with which they were prepared.
 */
export async function countRoundTrips(url: string): Promise<RoundTripCounter> {
  let trips: string[][] = []
  const proxy = await startProxy(url, (client, upstream) => {
    const texts = new Map<string, string>()
    let unnamed = ''
    let open = false
    let unanswered = 0
    let together: string[] = []
    let held: Buffer[] = []
    let timer: NodeJS.Timeout | undefined
    const pass = () => {
      if (together.length > 0) trips.push(together)
      together = []
      for (const bytes of held) client.write(bytes)
      held = []
    }
    const settle = () => {
      clearTimeout(timer)
      if (unanswered === 0) timer = setTimeout(pass, TOGETHER_MS)
    }
    // messages of the start-up have no letter; it ends with the server's first ReadyForQuery
    const fromClient = messages((letter, body) => {
      if (letter === 'Q') together.push(textOf(body, 0))
      if (letter === 'P') {
        const name = textOf(body, 0)
        const text = textOf(body, Buffer.byteLength(name) + 1)
        if (name === '') unnamed = text
        else texts.set(name, text)
      }
      if (letter === 'B') {
        const portal = textOf(body, 0)
        const name = textOf(body, Buffer.byteLength(portal) + 1)
        together.push((name === '' ? unnamed : texts.get(name)) ?? name)
      }
      if (letter === 'Q' || letter === 'S') unanswered++
    })
    const fromServer = messages((letter) => {
      if (letter !== 'Z') return
      if (open) unanswered--
      open = true
    })
    client.on('data', (bytes) => {
      if (open) {
        fromClient(bytes)
        settle()
      }
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      const wasOpen = open
      fromServer(bytes)
      if (!wasOpen) {
        client.write(bytes)
        return
      }
      held.push(bytes)
      settle()
    })
  })
  return {
    ...proxy,
    take() {
      const taken = trips
      trips = []
      return taken
    },
  }
}

const textOf = (body: Buffer, from: number) => body.toString('utf8', from, body.indexOf(0, from))

/** Reads messages of PostgreSQL's protocol: a letter, a length that includes itself, and the content. */
function messages(onMessage: (letter: string, body: Buffer) => void): (bytes: Buffer) => void {
  let buffered: Buffer = Buffer.alloc(0)
  return (bytes) => {
    buffered = Buffer.concat([buffered, bytes])
    while (buffered.length >= 5) {
      const end = 1 + buffered.readUInt32BE(1)
      if (end > buffered.length) return
      onMessage(String.fromCharCode(buffered[0] ?? 0), buffered.subarray(5, end))
      buffered = buffered.subarray(end)
    }
  }
}
