import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

// Serves a fake at an address of this machine, for clients in other processes and languages.

export interface Listening {
  /** `http://127.0.0.1:PORT` */
  url: string
  close(): Promise<void>
}

/** A request with its whole body. */
export interface Sent {
  method: string
  url: string
  headers: Headers
  body: string
  signal: AbortSignal
}

export type Serve = (sent: Sent) => Promise<Response>

export async function listenOnLoopback(serve: Serve, port: number): Promise<Listening> {
  const server = createServer((request, response) => {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const { method = 'GET', url: path = '/' } = request
    const headers = new Headers(
      Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      ),
    )
    const url = `http://${request.headers.host ?? '127.0.0.1'}${path}`
    received(request)
      .then((body) => serve({ method, url, headers, body, signal: gone.signal }))
      .then((answer) => send(answer, response))
      // a fault: there is no answer, or it is cut off
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url, close }
}

async function received(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  return new TextDecoder().decode(await new Blob(chunks as BlobPart[]).arrayBuffer())
}

async function send({ status, headers, body }: Response, response: ServerResponse): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers))
  // each part is sent before the next one is read: otherwise an error of the body would discard parts that still wait
  if (body !== null)
    for await (const chunk of body)
      await new Promise<void>((resolve, reject) =>
        response.write(chunk, (error) => (error instanceof Error ? reject(error) : resolve())),
      )
  response.end()
}
