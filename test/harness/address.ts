import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A virtual address: a port that forwards to one of several servers, and can cut them off without a sign. */
export interface Address extends AsyncDisposable {
  port: number
  /** Forwards new connections to this port. Open connections stay as they are. */
  leadTo(port: number): void
  /**
   * Drops all bytes in both directions without closing connections, as when a machine loses power. New connections get no answer either,
   * until `leadTo`.
   */
  vanish(): void
  /** Breaks each open connection when its next answer would arrive. */
  breakBeforeAnswers(): void
}

export async function openAddress(port: number): Promise<Address> {
  const sockets = new Set<Socket>()
  const links: { isCut: boolean; isBreaking?: boolean }[] = []
  let target: number | null = port
  const server = createServer((client) => {
    const link: (typeof links)[number] = { isCut: target === null }
    links.push(link)
    sockets.add(client)
    client.on('error', () => {})
    if (target === null) {
      client.resume()
      return
    }
    const upstream = connect(target, '127.0.0.1')
    sockets.add(upstream)
    upstream.on('error', () => {})
    client.on('data', (bytes) => link.isCut || upstream.write(bytes))
    upstream.on('data', (bytes) => {
      if (link.isBreaking === true) client.destroy()
      else if (!link.isCut) client.write(bytes)
    })
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => link.isCut || client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (to) => (target = to),
    vanish() {
      target = null
      for (const link of links) link.isCut = true
    },
    breakBeforeAnswers() {
      for (const link of links) link.isBreaking = true
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
