import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const PROBE_MS_MAX = 2_000

/** The answer of a server to a new connection; `silent`: no answer, or nobody listens. */
type ProbeAnswer = 'ready' | 'busy' | 'login-refused' | 'silent'

/** Connects to a server and selects one row. Never throws. */
export async function probe(url: string): Promise<ProbeAnswer> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PROBE_MS_MAX,
    query_timeout: PROBE_MS_MAX,
  })
  client.on('error', () => undefined)
  const giveUp = new AbortController()
  try {
    const asked = client
      .connect()
      .then(() => client.query('select 1'))
      .then(() => 'ready' as const, judge)
    // The client's own timeout does not cover a server that accepts the connection and then sends nothing.
    return await Promise.race([asked, sleep(PROBE_MS_MAX, 'silent' as const, { signal: giveUp.signal })])
  } finally {
    giveUp.abort()
    void client.end().catch(() => undefined)
  }
}

function judge(error: unknown): ProbeAnswer {
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string') return 'silent'
  // Class 28 is a refused login, 3D a database that does not exist.
  if (code.startsWith('28')) return 'login-refused'
  // 57P03: starting up or shutting down; 53300: too many connections. Any other SQLSTATE is an answer as well.
  return /^[0-9A-Z]{5}$/.test(code) && code !== 'EPIPE' ? 'busy' : 'silent'
}
