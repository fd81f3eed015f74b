import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request for a picture. */
export interface PictureRequest {
  host: string
  path: string
  ifNoneMatch: string | undefined
  ifModifiedSince: string | undefined
  /** performance.now() */
  at: number
}

export type PictureAnswer = (response: ServerResponse, request: IncomingMessage) => void

export interface PictureServer extends AsyncDisposable {
  port: number
  requests: PictureRequest[]
  /** The answers by path; other paths get 404. */
  answers: Map<string, PictureAnswer>
}

/**
 * A supplier's server of pictures. It listens at every loopback address, so that each test has a host of its own:
 * http://127.0.1.7:PORT/.
 */
export async function startPictureServer(): Promise<PictureServer> {
  const requests: PictureRequest[] = []
  const answers = new Map<string, PictureAnswer>()
  const server = createServer((request, response) => {
    const { headers, url = '/' } = request
    requests.push({
      host: headers.host ?? '',
      path: url,
      ifNoneMatch: headers['if-none-match'],
      ifModifiedSince: headers['if-modified-since'],
      at: performance.now(),
    })
    response.on('error', () => {})
    const answer = answers.get(url)
    if (answer === undefined) response.writeHead(404).end('none')
    else answer(response, request)
  })
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    answers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Answers with the whole file and an ETag, or 304 if the client has it. */
export function sendFile(bytes: Uint8Array, type = 'image/png', etag = '"1"'): PictureAnswer {
  return (response, request) => {
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end()
    else response.writeHead(200, { 'content-type': type, etag, 'content-length': bytes.length }).end(bytes)
  }
}

export function sendStatus(status: number, headers: Record<string, string> = {}, body = ''): PictureAnswer {
  return (response) => void response.writeHead(status, headers).end(body)
}

/** Answers with an endless body, as fast as it is read. */
export const sendEndless: PictureAnswer = (response) => {
  response.writeHead(200, { 'content-type': 'image/jpeg' })
  const block = Buffer.alloc(262_144, 0xff)
  const send = () => {
    while (response.writable && response.write(block));
    if (response.writable) response.once('drain', send)
  }
  send()
}

/** Answers with a byte every 20 ms. */
export function sendSlowly(bytes: Uint8Array): PictureAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length })
    let at = 0
    const timer = setInterval(() => {
      if (!response.writable || at >= bytes.length) clearInterval(timer)
      else response.write(bytes.subarray(at, ++at))
    }, 20)
    response.on('close', () => clearInterval(timer))
  }
}
