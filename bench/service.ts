import type { AddressInfo } from 'node:net'
import { silentLog } from '../src/platform/log.ts'
import { releaseMemoryWhenIdle } from '../src/platform/process/memory.ts'
import { readSettings } from '../src/platform/settings/settings.ts'
import { openRuntime } from '../src/runtime.ts'
import { startService } from '../src/service.ts'

// The service as `shelfwire serve` runs it, whose V8 flags environment.ts passes. It uses the database of DATABASE_URL and a free port, which it
// prints, and has the roles that are named as arguments, by default both. Without the role `api` it prints 0.
const ROLES = ['api', 'work'] as const
const runtime = await openRuntime(
  readSettings({ ...process.env, PORT: '0', RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'silent' }),
  silentLog,
)
const named = ROLES.filter((role) => process.argv.includes(role))
const service = await startService(runtime, named.length === 0 ? ROLES : named)
releaseMemoryWhenIdle(() => runtime.traffic.at)
// end by process.exit, because only then is a profile written
process.on('SIGINT', () => process.exit(0))
const address = service.app?.server.address() as AddressInfo | undefined
process.stdout.write(`${address?.port ?? 0}\n`)
