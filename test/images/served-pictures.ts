import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImageType } from '../../src/images/inspect/image-type.ts'
import { storedName } from '../../src/images/store/image-store.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { fileOf } from './pictures.ts'

/** An answer with its bytes. */
export interface Served {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
}

/** A service with a data directory of its own. */
export interface PictureService extends AsyncDisposable {
  service: TestService
  database: TestDatabase
  dataDir: string
  /** Stores a picture. @returns its path, which ends with the name of its type */
  put(bytes: Uint8Array, type: ImageType): Promise<string>
  /** Sends a request with the path as it is, without normalizing it. */
  get(path: string, headers?: Record<string, string>, method?: string): Promise<Served>
}

export async function startPictures(env: Record<string, string> = {}): Promise<PictureService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shelfwire-pictures-'))
  const database = await createDatabase()
  const service = await startTestService(database, { env: { DATA_DIR: dataDir, ...env } })
  return {
    service,
    database,
    dataDir,
    async put(bytes, type) {
      const hash = createHash('sha256').update(bytes).digest('hex')
      const file = fileOf(dataDir, randomUUID(), bytes)
      await service.runtime.imageStore.put(hash, file, type)
      rmSync(file)
      return `/images/${storedName(hash, type)}`
    },
    get: (path, headers = {}, method = 'GET') => send(service.url, path, headers, method),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
      rmSync(dataDir, { recursive: true })
    },
  }
}

function send(url: string, path: string, headers: Record<string, string>, method: string): Promise<Served> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(parts) }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}
