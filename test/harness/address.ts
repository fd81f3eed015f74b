import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A virtual address: a port that leads to one of several servers, and through which a server can be made to vanish. */
export interface Address extends AsyncDisposable {
  port: number
  /** New connections lead there. Those that are open stay where they are. */
  leadTo(port: number): void
  /**
   * Nothing passes any more, in either direction, and nobody is told: as when a machine loses power. New connections get no answer
   * either, until `leadTo`.
   */
  vanish(): void
  /** Of each connection that is open the next answer does not come: it breaks in its place. */
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
