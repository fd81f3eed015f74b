import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

// A proxy between a client and the service that passes requests and answers on byte for byte, except for requested faults.

/** `pass`: no fault; `cut`: half of the body, then the connection is closed; or an answer with a status and Retry-After in seconds. */
export type Fault = 'pass' | 'cut' | { status: number; retryAfter: number }

export interface FaultyNetwork extends AsyncDisposable {
  url: string
  /** The requests so far, in order. */
  asked: { path: string; headers: IncomingMessage['headers']; at: number; encoding: string | undefined }[]
}

/** Starts the proxy. @param faultOf the fault of each request, by its path with query */
export async function startFaultyNetwork(service: string, faultOf: (path: string) => Fault): Promise<FaultyNetwork> {
  const asked: FaultyNetwork['asked'] = []
  const server = createServer((incoming, outgoing) => {
    const { url: path = '/', headers } = incoming
    const note: FaultyNetwork['asked'][number] = { path, headers, at: performance.now(), encoding: undefined }
    asked.push(note)
    const fault = faultOf(path)
    if (typeof fault === 'object') {
      const problem = {
        type: 'about:blank',
        title: 'Later',
        status: fault.status,
        code: 'rate-limited',
        detail: 'later',
      }
      outgoing.writeHead(fault.status, {
        'content-type': 'application/problem+json',
        'retry-after': String(fault.retryAfter),
      })
      outgoing.end(JSON.stringify(problem))
      return
    }
    const onward = request(service + path, {
      method: incoming.method,
      headers: { ...headers, host: new URL(service).host },
    })
    onward.on('response', (answer) => {
      note.encoding = answer.headers['content-encoding']
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('end', () => {
        const body = Buffer.concat(pieces)
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        if (fault === 'pass') outgoing.end(body)
        else outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy())
      })
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
