import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../src/embedded/embedded.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { openDb } from '../../src/db/open-db.ts'
import { silentLog } from '../../src/platform/log.ts'
import { dumpSchema } from './schema.ts'

// `npm run schema`: writes migrations/schema.txt, for reviewers and for the test that compares it.
const directory = await mkdtemp(join(tmpdir(), 'shelfwire-schema-'))
await chmod(directory, 0o755)
const server = await startEmbedded({ dataDir: directory, log: silentLog, settings: { fsync: 'off' } })
const db = openDb({ url: server.url, connectionsMax: 2 })
await migrate(db, silentLog)
await writeFile(new URL('../../migrations/schema.txt', import.meta.url), await dumpSchema(db))
await db.end()
await server.stop()
await rm(directory, { recursive: true, force: true })
