import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

export interface PictureServer extends AsyncDisposable {
  address(name: string): string
  /** How often each picture was requested. */
  asked: Map<string, number>
}

/** Serves pictures of every name but `missing`. */
export async function startPictures(): Promise<PictureServer> {
  const asked = new Map<string, number>()
  const server = createServer((request, response) => {
    const name = request.url?.slice(1).replace(/\.png$/, '') ?? ''
    asked.set(name, (asked.get(name) ?? 0) + 1)
    if (name === 'missing') response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: (name) => `http://127.0.0.1:${port}/${name}.png`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
