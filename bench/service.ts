import type { AddressInfo } from 'node:net'
import { silentLog } from '../src/platform/log.ts'
import { giveMemoryBack } from '../src/platform/process/memory.ts'
import { readSettings } from '../src/platform/settings/settings.ts'
import { openRuntime } from '../src/runtime.ts'
import { startService } from '../src/service.ts'

// The service as run by `shelfwire serve`, which gives it its flags (environment.ts), with the database of DATABASE_URL, on a free port that it prints: of the
// roles that are named, or of both. One that works alone prints 0.
const ROLES = ['api', 'work'] as const
const runtime = await openRuntime(
  readSettings({ ...process.env, PORT: '0', RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'silent' }),
  silentLog,
)
const named = ROLES.filter((role) => process.argv.includes(role))
const service = await startService(runtime, named.length === 0 ? ROLES : named)
giveMemoryBack(() => runtime.traffic.at)
// an exit by process.exit, so that a profile is written
process.on('SIGINT', () => process.exit(0))
const address = service.app?.server.address() as AddressInfo | undefined
process.stdout.write(`${address?.port ?? 0}\n`)
