import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy that, like a pooler, tells its clients a process id that is not the server's. */
export interface Pooler extends AsyncDisposable {
  url: string
  /** How many messages of clients have passed since their connections were opened. */
  statements(): number
}

/** Starts it before the server of `url`; it forwards everything else as it is. */
export async function startPooler(url: string): Promise<Pooler> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let statements = 0
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const target = new URL(url)
  target.hostname = '127.0.0.1'
  target.port = String((server.address() as AddressInfo).port)
  return {
    url: target.toString(),
    statements: () => statements,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
