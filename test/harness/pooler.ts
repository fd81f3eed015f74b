import { startProxy, type Proxy } from './proxy.ts'

/** A proxy that, like a pooler, gives its clients a process id that is not the server's. */
export interface Pooler extends Proxy {
  /** How many packets of clients have been forwarded, not counting the start-up of connections. */
  statements(): number
}

/** Starts the proxy in front of the server of `url`. It forwards everything else unchanged. */
export async function startPooler(url: string): Promise<Pooler> {
  let statements = 0
  const proxy = await startProxy(url, (client, upstream) => {
    let isOpen = false
    let buffered = Buffer.alloc(0)
    client.on('data', (bytes) => {
      if (isOpen) statements++
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (isOpen) {
        client.write(bytes)
        return
      }
      buffered = Buffer.concat([buffered, bytes])
      // a message is a letter, a length that includes itself, and the content; ReadyForQuery (Z) ends the start-up
      while (!isOpen && buffered.length >= 5) {
        const end = 1 + buffered.readUInt32BE(1)
        if (end > buffered.length) return
        const letter = String.fromCharCode(buffered[0] ?? 0)
        // BackendKeyData
        if (letter === 'K') buffered.writeUInt32BE(1, 5)
        isOpen = letter === 'Z'
        client.write(buffered.subarray(0, end))
        buffered = buffered.subarray(end)
      }
    })
  })
  return {
    ...proxy,
    statements: () => statements,
  }
}
