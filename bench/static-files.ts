import { createReadStream, fstat, open } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

// The least that a Node process must do to serve files: `node bench/static-files.ts ROOT` listens on a free port, which
// it prints, and answers /images/abcd….jpg with the file ROOT/ab/cd/abcd….jpg.

const [root = '.'] = process.argv.slice(2)
const server = createServer((request, response) => {
  const name = (request.url ?? '').slice('/images/'.length)
  const missing = () => response.writeHead(404, { 'content-length': 0 }).end()
  open(join(root, name.slice(0, 2), name.slice(2, 4), name), (error, fd) => {
    if (error !== null) return missing()
    return fstat(fd, (failure, stats) => {
      if (failure !== null) return missing()
      response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': stats.size })
      return createReadStream('', { fd, highWaterMark: 262_144 }).pipe(response)
    })
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
