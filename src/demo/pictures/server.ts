import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { seedOf } from '../catalog/prng.ts'
import { demoPicture } from './picture.ts'

/** The demo suppliers' server, from which their pictures are fetched. */
export interface PictureServer {
  port: number
  close(): Promise<void>
}

const HTML =
  '<!doctype html><html><head><title>Page not found</title></head><body>This article is sold out.</body></html>'

/**
 * Starts the server on the loopback interface. Like real suppliers' servers, it has lost some of its pictures: one in
 * twenty is answered with 404 or 410, a few with a web page, and a few with a temporary error.
 * @param port 0: any.
 */
export async function startPictureServer(port: number): Promise<PictureServer> {
  const server = createServer((request, response) => {
    const name = (request.url ?? '/').slice(1)
    const etag = `"${seedOf(name).toString(36)}"`
    if (!/^[a-z]+\/[a-z0-9_-]+-\d\.jpg$/.test(name)) response.writeHead(404).end()
    else
      switch (lossOf(name)) {
        case 'not_found':
          response.writeHead(404).end()
          break
        case 'gone':
          response.writeHead(410).end()
          break
        case 'page':
          response.writeHead(200, { 'content-type': 'text/html' }).end(HTML)
          break
        case 'error':
          response.writeHead(500).end()
          break
        case null:
          if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end()
          else response.writeHead(200, { 'content-type': 'image/png', etag }).end(demoPicture(name))
      }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  // the server alone does not keep the process running
  server.unref()
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type Loss = 'not_found' | 'gone' | 'page' | 'error' | null

/** How a picture was lost; null: it was not. */
function lossOf(name: string): Loss {
  const losses: Record<number, Loss> = { 0: 'not_found', 1: 'not_found', 2: 'gone', 3: 'page', 4: 'error' }
  return losses[seedOf(`loss ${name}`) % 60] ?? null
}
