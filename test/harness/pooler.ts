import { startProxy, type Proxy } from './proxy.ts'

/** A proxy that, like a pooler, tells its clients a process id that is not the server's. */
export interface Pooler extends Proxy {
  /** How many messages of clients have passed since their connections were opened. */
  statements(): number
}

/** Starts it before the server of `url`; it forwards everything else as it is. */
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
      // messages: a letter, the length of what follows with itself, and that; Z ends the opening
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
