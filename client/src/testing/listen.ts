import { createServer, type ServerResponse } from 'node:http'

// A fake at an address of this machine, for clients of other processes and languages.

export interface Listening {
  /** `http://127.0.0.1:PORT` */
  url: string
  close(): Promise<void>
}

export type Serve = (method: string, url: string, headers: Headers, signal: AbortSignal) => Promise<Response>

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
    request.resume()
    serve(method, `http://${request.headers.host ?? '127.0.0.1'}${path}`, headers, gone.signal)
      .then((answer) => send(answer, response))
      // no answer, or one that is cut off
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

async function send({ status, headers, body }: Response, response: ServerResponse): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers))
  if (body !== null) for await (const chunk of body) response.write(chunk)
  response.end()
}
