import type { AddressInfo } from 'node:net'
import { silentLog } from '../src/platform/log.ts'
import { giveMemoryBack } from '../src/platform/process/memory.ts'
import { readSettings } from '../src/platform/settings/settings.ts'
import { openRuntime } from '../src/runtime.ts'
import { startService } from '../src/service.ts'

// The service as run by `shelfwire serve`, which gives it its flags (environment.ts), with the database of DATABASE_URL, on a free port that it prints.
const runtime = await openRuntime(
  readSettings({ ...process.env, PORT: '0', RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'silent' }),
  silentLog,
)
const service = await startService(runtime, ['api', 'work'])
giveMemoryBack(() => runtime.traffic.at)
if (service.app === null) throw new Error('the service has no api role')
// an exit by process.exit, so that a profile is written
process.on('SIGINT', () => process.exit(0))
process.stdout.write(`${(service.app.server.address() as AddressInfo).port}\n`)
