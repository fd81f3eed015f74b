import process from 'node:process'
import { createAccount } from '../harness/account.ts'
import { TEST_KEY } from '../harness/delivering.ts'
import { startTestService, tokenFor } from '../harness/service.ts'
import { makeOwner } from '../panel/browser.ts'

// A service in a process of its own, which reports how long its event loop was blocked, in processor time of its main thread, so
// that other work of the machine does not count.

/** The messages of the process. */
export type Said = Started | { longestMs: number; rssBytes: number }

export interface Started {
  url: string
  token: string
  accountId: number
  /** Headers of an owner's session of the panel, whose password was given just now. */
  session: Record<string, string>
}

const { databaseUrl, directory } = JSON.parse(process.argv[2] ?? '{}') as { databaseUrl: string; directory: string }
const service = await startTestService(
  { url: databaseUrl },
  {
    roles: ['api', 'work'],
    // no limits, because the attacker and everybody else use one token
    env: {
      DATA_DIR: directory,
      SECRET_KEY: TEST_KEY,
      ACCOUNT_LIMITS: 'requests_per_second=none,concurrent_requests=none',
    },
  },
)
const { accountId } = await createAccount(service.runtime)
const token = await tokenFor(service.runtime, accountId, 'full')
const { owner } = await makeOwner(service.runtime.db, service.url, accountId, 'owner@example.com')
const session = {
  cookie: `shelfwire_session=${owner.cookie}`,
  'x-csrf-token': owner.csrf ?? '',
  origin: service.url,
  'sec-fetch-site': 'same-origin',
}

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
let last = cpuMs()
let longestMs = 0
const look = () => {
  const now = cpuMs()
  longestMs = Math.max(longestMs, now - last)
  last = now
}
/** The timer of checks during a measurement: every millisecond, because checking at each turn would use a whole processor even while idle. */
let looks: NodeJS.Timeout | undefined
const say = (said: Said) => process.send?.(said)
process.on('message', (asked: 'begin' | 'end' | 'stop') => {
  if (asked === 'begin') {
    last = cpuMs()
    longestMs = 0
    looks = setInterval(look, 1)
  } else if (asked === 'end') {
    clearInterval(looks)
    look()
    say({ longestMs, rssBytes: process.memoryUsage.rss() })
  } else void service[Symbol.asyncDispose]().then(() => process.exit(0))
})
say({ url: service.url, token, accountId, session })
