import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy in front of PostgreSQL. */
export interface Proxy extends AsyncDisposable {
  /** The URL of the same database through the proxy. */
  url: string
}

/** Starts a proxy in front of the server of `url`. @param join forwards the bytes of both sides; called for each client */
export async function startProxy(url: string, join: (client: Socket, upstream: Socket) => void): Promise<Proxy> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
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
    join(client, upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const target = new URL(url)
  target.hostname = '127.0.0.1'
  target.port = String((server.address() as AddressInfo).port)
  return {
    url: target.toString(),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
