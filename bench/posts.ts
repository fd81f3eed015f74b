import { readFileSync } from 'node:fs'
import { Pool } from 'undici'

// The baseline of webhook deliveries, a plain undici POST loop in a process of its own: `node bench/posts.ts URL CONNECTIONS
// SECONDS FILE` posts the file over that many connections, one request at a time on each. Prints requests per second, and
// the processor time of this process per request.

const [url = '', connections = '1', seconds = '1', file = ''] = process.argv.slice(2)
const target = new URL(url)
const body = readFileSync(file)
const pool = new Pool(target.origin, { connections: Number(connections), pipelining: 1 })
const end = performance.now() + Number(seconds) * 1_000
let done = 0
async function post(i: number): Promise<void> {
  while (performance.now() < end) {
    const answer = await pool.request({
      method: 'POST',
      path: `${target.pathname}/${i}`,
      headers: { 'content-type': 'application/json' },
      body,
    })
    await answer.body.dump()
    done++
  }
}
await Promise.all(Array.from({ length: Number(connections) }, (_, i) => post(i)))
const { user, system } = process.cpuUsage()
process.stdout.write(`${JSON.stringify({ perSecond: done / Number(seconds), processorUs: (user + system) / done })}\n`)
process.exit(0)
