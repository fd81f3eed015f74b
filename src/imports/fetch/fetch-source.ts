import type { Db } from '../../db/sql.ts'
import { inTransaction } from '../../db/sql.ts'
import type { Unfinished } from '../../objects/unfinished.ts'
import type { Outbound } from '../../outbound/client.ts'
import type { Validators } from '../../outbound/conditional.ts'
import { asError, ShelfwireError } from '../../platform/errors.ts'
import { LIMITS } from '../../platform/limits.ts'
import type { Log } from '../../platform/log.ts'
import type { Seal } from '../../platform/secrets/seal.ts'
import { readAddress } from '../sources/address.ts'
import { headerOf, openCredentials, type Credentials } from '../sources/credentials.ts'
import { hostKeyPin, isNewestOfSource, sourceGet, validatorsGet, type SourceRow } from '../sources/sources.sql.ts'
import { must } from '../../platform/must.ts'
import { fetchDirectory } from './fetch-directory.ts'
import { fetchHttp } from './fetch-http.ts'
import { FetchError, type Download, type Fetched, type FetchFailure, type OnBytes } from './fetched.ts'
import { openPace, type FetchBounds } from './incoming-file.ts'

export interface FetchOptions {
  db: Db
  log: Log
  seal: Seal
  outbound: Outbound
  /** Where files are stored while they are being received. */
  unfinished: Unfinished
  /** IMPORT_DIR; null: there are no directory sources. */
  importDir: string | null
  /** For tests; LIMITS by default. */
  bounds?: Partial<FetchBounds>
  restMs?: number
}

/** The beginning of a source's file, or the whole file if it is short. */
export interface Beginning {
  path: string
  name: string
  /** Bytes of the whole file; null if the server does not say. */
  size: number | null
  isCut: boolean
}

export interface Fetching {
  /**
   * Fetches the file of a source. The server is asked only for a newer file than the one imported last, unless another import of the supplier has run
   * since.
   * @throws the reason of `signal`; errors of the database and of the disk
   */
  fetchSource(accountId: number, sourceId: number, signal: AbortSignal, onBytes: OnBytes): Promise<Fetched>
  /** Fetches the beginning of the file without changing anything. `onHostKey` receives the fingerprint that an SFTP server showed. */
  fetchBeginning(
    source: SourceRow,
    accountId: number,
    signal: AbortSignal,
    onHostKey: (fingerprint: string) => void,
  ): Promise<Beginning | FetchFailure>
}

/** One file to fetch. */
interface Task {
  source: SourceRow
  accountId: number
  bounds: FetchBounds
  validators: Validators | null
  signal: AbortSignal
  onBytes: OnBytes
  /** Stores the fingerprint of an SFTP server on the first contact; see SftpRequest. */
  onFirstKey: (fingerprint: string) => Promise<boolean>
}

/** Opens what fetches the files of sources; all of its requests follow the rules of outbound requests. */
export function openFetching(options: FetchOptions): Fetching {
  const { db, log } = options
  const whole: FetchBounds = {
    bytesMax: LIMITS.importFileBytesMax,
    isBeginning: false,
    totalMs: LIMITS.sourceTotalTimeoutMs,
    connectMs: LIMITS.sourceConnectTimeoutMs,
    paceMs: LIMITS.sourcePaceMs,
    paceBytesMin: LIMITS.sourcePaceBytesMin,
    ...options.bounds,
  }
  const beginning: FetchBounds = {
    ...whole,
    bytesMax: Math.min(whole.bytesMax, LIMITS.sourceTestBytesMax),
    isBeginning: true,
    totalMs: Math.min(whole.totalMs, LIMITS.sourceTestTimeoutMs),
  }

  const fetch = async (task: Task) => {
    using pace = openPace(task.bounds, task.signal)
    try {
      return await receive(options, {
        ...task,
        signal: pace.signal,
        onBytes: (bytes) => {
          pace.onBytes(bytes)
          task.onBytes(bytes)
        },
      })
    } catch (error) {
      task.signal.throwIfAborted()
      const failure = failureOf(pace.signal.aborted ? pace.signal.reason : error)
      if (failure === null) throw error
      log.info(
        { accountId: task.accountId, sourceId: task.source.sourceId, fault: failure.fault },
        'the file of a source could not be fetched',
      )
      return failure
    }
  }

  return {
    async fetchSource(accountId, sourceId, signal, onBytes) {
      const source = await sourceGet(db, accountId, sourceId)
      if (source === undefined) return failed('deleted', 'the source was deleted')
      // if another import has overwritten offers since, an answer "unchanged" would leave them so
      const isNewest = await isNewestOfSource(db, accountId, source.supplierId, sourceId)
      const known = isNewest ? await validatorsGet(db, accountId, sourceId) : null
      const validators = known === null || (known.etag === null && known.lastModified === null) ? null : known
      const outcome = await fetch({
        source,
        accountId,
        bounds: whole,
        validators,
        signal,
        onBytes,
        onFirstKey: (fingerprint) => inTransaction(db, (tx) => hostKeyPin(tx, accountId, source, fingerprint)),
      })
      if (outcome === null) return { kind: 'unchanged' }
      if ('kind' in outcome) return outcome
      const { path, name, bytes, hash, etag, lastModified } = outcome
      return { kind: 'file', path, name, bytes, hash, etag, lastModified, version: source.version }
    },
    async fetchBeginning(source, accountId, signal, onHostKey) {
      const outcome = await fetch({
        source,
        accountId,
        bounds: beginning,
        validators: null,
        signal,
        onBytes: () => {},
        async onFirstKey(fingerprint) {
          onHostKey(fingerprint)
          return true
        },
      })
      if (outcome === null) return failed('protocol', 'the server says that the file is unchanged, which was not asked')
      if ('kind' in outcome) return outcome
      return {
        path: outcome.path,
        name: outcome.name,
        size: outcome.isCut ? outcome.size : outcome.bytes,
        isCut: outcome.isCut,
      }
    },
  }
}

/** @returns the file; null when it is the known one. */
async function receive(options: FetchOptions, task: Task): Promise<Download | null> {
  const { log, seal, outbound, unfinished, importDir, restMs } = options
  const { source, accountId, validators, ...limited } = task
  const rest = { ...limited, unfinished }
  const known = validators?.etag ?? null
  if (source.kind === 'upload')
    throw new FetchError('upload', 'a source of the kind upload is not fetched; send a file instead', {
      isForGood: true,
    })
  if (source.kind === 'directory') {
    if (importDir === null)
      throw new FetchError('directory', 'the setting IMPORT_DIR of this server is not set', { isForGood: true })
    return fetchDirectory({
      ...rest,
      root: importDir,
      path: must(source.path),
      known,
      restMs: restMs ?? LIMITS.sourceFileRestMs,
    })
  }
  // the URL was checked when it was set
  const address = readAddress(source.kind, must(source.url))
  const credentials = credentialsOf(seal, accountId, source, address.origin)
  if ('url' in address) {
    return fetchHttp(outbound, {
      ...rest,
      url: address.url,
      credentials: credentials === null ? {} : headerOf(credentials),
      validators,
      key: `${accountId}/${source.sourceId}`,
    })
  }
  // imported lazily: most processes never speak these protocols
  const request = { ...rest, address, credentials, known }
  return address.protocol === 'sftp'
    ? (await import('./fetch-sftp.ts')).fetchSftp(outbound, { ...request, hostKey: source.hostKey }, log)
    : (await import('./fetch-ftp.ts')).fetchFtp(outbound, request)
}

function credentialsOf(seal: Seal, accountId: number, source: SourceRow, origin: string): Credentials | null {
  const { supplierId, name, credentials } = source
  if (credentials === null) return null
  try {
    return openCredentials(seal, { accountId, supplierId, name }, credentials, origin)
  } catch (error) {
    if (!(error instanceof ShelfwireError)) throw error
    throw new FetchError('credentials', 'the stored credentials cannot be opened any more: send them again', {
      isForGood: true,
    })
  }
}

/** The failure for the merchant; null for errors that are not the fault of the source, such as a full disk. */
function failureOf(error: unknown): FetchFailure | null {
  if (error instanceof FetchError) return error.failure
  if (error instanceof ShelfwireError && error.code === 'invalid-input')
    return failed('url', `the URL cannot be used: ${asError(error).message}`)
  return null
}

function failed(fault: string, detail: string): FetchFailure {
  return { kind: 'failed', fault, detail, retryAfterMs: null, isForGood: true }
}
