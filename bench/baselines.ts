import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import postgres from 'postgres'

// The baselines for the service, each in a process of its own: `node bench/baselines.ts memory BODY` answers every request
// with the same bytes from memory; `… query DATABASE_URL ACCOUNT STORE` runs one plain query for 200 payloads and sends
// them. Prints its port.

const [kind, ...args] = process.argv.slice(2)
let answer: () => Promise<string> | string
if (kind === 'memory') {
  const body = Buffer.from(args[0] ?? '', 'base64').toString()
  answer = () => body
} else {
  const [url = '', accountId = '', storeId = ''] = args
  const sql = postgres(url, { max: 10 })
  answer = async () => {
    const rows = await sql<{ body: string }[]>`
      select '{' || c.body || ',' || p.body || '}' as body
      from payload_content c join payload_price p using (account_id, store_id, product_id)
      where c.account_id = ${accountId} and c.store_id = ${storeId} and c.product_id > 0
      order by c.product_id limit 200`
    return `{"data":[${rows.map((row) => row.body).join(',')}]}`
  }
}

const server = createServer((_request, response) => {
  void Promise.resolve(answer()).then((body) => {
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
    })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
