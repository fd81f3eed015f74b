import { Agent, get } from 'node:http'

/** Opens a client that keeps its connection alive and returns response bodies as bytes. */
export function openClient(url: string, token: string): (path: string) => Promise<Buffer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return (path) =>
    new Promise((resolve, reject) => {
      get(`${url}${path}`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const body = Buffer.concat(chunks)
          if (response.statusCode === 200) resolve(body)
          else reject(new Error(`${path} answered ${response.statusCode}: ${body.toString('utf8', 0, 200)}`))
        })
      }).on('error', reject)
    })
}

/** A numeric member of the answer's `meta`, which is at the end of the body. */
function metaOf(body: Buffer, name: string): number | null {
  const found = new RegExp(`"${name}":(\\d+|null)`).exec(body.toString('latin1', Math.max(0, body.length - 300)))?.[1]
  if (found === undefined) throw new Error(`an answer without ${name}`)
  return found === 'null' ? null : Number(found)
}

/** Reads all pages of a store's products, by page number or by the last id. */
export async function walk(
  get: (path: string) => Promise<Buffer>,
  by: 'page' | 'after_id',
  onProgress: (pages: number) => void,
): Promise<{ total: number; seconds: number; bytes: number }> {
  const from = performance.now()
  let total = 0
  let bytes = 0
  let at: number | null = by === 'page' ? 1 : 0
  for (let pages = 1; at !== null; pages++) {
    const body: Buffer = await get(`/v1/products?per_page=200&${by}=${at}`)
    bytes += body.length
    total = metaOf(body, 'total') ?? 0
    if (by === 'after_id') at = metaOf(body, 'next_after_id')
    else at = at < (metaOf(body, 'last_page') ?? 0) ? at + 1 : null
    onProgress(pages)
  }
  return { total, seconds: (performance.now() - from) / 1_000, bytes }
}
