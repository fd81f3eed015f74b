import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startProcess, type TestProcess } from '../harness/child-process.ts'

// An attacker in a process of its own, so that sending does not slow down the measuring one: it repeats its requests until SIGTERM.

export interface Attack {
  url: string
  requests: readonly { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; file: string | null }[]
  /** The number of concurrent requests. */
  atOnce: number
  /** The address that it connects from. */
  localAddress: string
}

/** Starts an attack; `stop` ends it and prints the number of answers by status. */
export const startAttacker = (attack: Attack): TestProcess => startProcess(fileURLToPath(import.meta.url), attack)

async function run({ url, requests, atOnce, localAddress }: Attack): Promise<void> {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const bodies = new Map(requests.map(({ file }) => [file, file === null ? null : readFileSync(file)]))
  const statuses: Record<string, number> = {}
  process.once('SIGTERM', () => process.stdout.write(JSON.stringify(statuses), () => process.exit(0)))
  let next = 0
  const send = async () => {
    const { method, path, headers, file } = requests[next++ % requests.length] ?? {}
    const body = bodies.get(file ?? null) ?? null
    const status = await new Promise<number>((resolve) => {
      const length = body === null ? {} : { 'content-length': body.length }
      const sent = request({ hostname, port, path, method, agent, localAddress, headers: { ...headers, ...length } })
      sent.on('error', () => resolve(0))
      sent.on('response', (answer) => {
        answer.resume().on('close', () => resolve(answer.statusCode ?? 0))
      })
      sent.end(body)
    })
    statuses[status] = (statuses[status] ?? 0) + 1
    // waits as a client does that follows Retry-After, but for less time
    if (status === 0 || status === 429 || status === 503) await sleep(50)
  }
  const one = async () => {
    for (;;) await send()
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

const [, , text] = process.argv
if (import.meta.main && text !== undefined) await run(JSON.parse(text) as Attack)
