import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'

// A load generator in a process of its own: `node bench/load.ts URL TOKEN CONNECTIONS SECONDS REST_MS PATH...` prints one JSON
// line. `@FILE` reads paths from a file, one per line. Each connection sends its next request REST_MS after the complete
// response to the last one: with 0 this measures the throughput at that concurrency, with more the latency for a quiet client.
// It uses raw sockets with keep-alive and must cost little, because it shares two cores with what it measures.

const [base = '', token = '', connections = '1', seconds = '1', restMs = '0', ...given] = process.argv.slice(2)
const paths = given.flatMap((path) =>
  path.startsWith('@') ? readFileSync(path.slice(1), 'utf8').trim().split('\n') : [path],
)
const target = new URL(base)
const requests = paths.map((path) =>
  Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: ${target.host}\r\nAuthorization: Bearer ${token}\r\nAccept: application/json\r\n\r\n`,
  ),
)
const HEADER_END = Buffer.from('\r\n\r\n')

let next = 0
let done = 0
let bytes = 0
let failures = 0
const latencies: number[] = []
let isOver = false

function drive(socket: Socket): void {
  let head: Buffer = Buffer.alloc(0)
  let left = -1
  let sentAt = 0
  const send = () => {
    sentAt = performance.now()
    socket.write(requests[next++ % requests.length] ?? '')
  }
  const finish = () => {
    done++
    latencies.push(performance.now() - sentAt)
    left = -1
    head = Buffer.alloc(0)
    if (isOver) socket.end()
    else if (restMs === '0') send()
    else setTimeout(send, Number(restMs))
  }
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (left >= 0) {
      left -= chunk.length
    } else {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      const end = head.indexOf(HEADER_END)
      if (end < 0) return
      const text = head.toString('latin1', 0, end)
      if (!text.startsWith('HTTP/1.1 200')) failures++
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
      if (length === undefined) throw new Error(`an answer without Content-Length: ${text}`)
      left = Number(length) - (head.length - end - HEADER_END.length)
    }
    if (left === 0) finish()
  })
  socket.on('connect', send)
}

for (let i = 0; i < Number(connections); i++) {
  const socket = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
  drive(socket)
}
const from = performance.now()
setTimeout(
  () => {
    isOver = true
    const elapsed = (performance.now() - from) / 1_000
    const sorted = latencies.sort((a, b) => a - b)
    const at = (share: number) => Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(3))
    process.stdout.write(
      `${JSON.stringify({ perSecond: done / elapsed, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), megabytes: bytes / 1e6, failures })}\n`,
    )
    process.exit(0)
  },
  Number(seconds) * 1_000,
)
