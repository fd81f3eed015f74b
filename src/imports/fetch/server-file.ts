import type { Socket } from 'node:net'
import type { Unfinished } from '../../objects/unfinished.ts'
import type { Outbound } from '../../outbound/client.ts'
import { describeFailure } from '../../outbound/failures.ts'
import { shownName } from '../files/shown-name.ts'
import type { Address } from '../sources/address.ts'
import type { Credentials } from '../sources/credentials.ts'
import { connectionError } from './connection-error.ts'
import { FetchError, type Download, type OnBytes, type WrittenFile } from './fetched.ts'
import type { FetchBounds } from './incoming-file.ts'
import { versionOf, type ListedFile } from './newest-file.ts'

// Shared by the ways to fetch that list files: from SFTP and FTP servers and from a directory.

export interface ServerRequest {
  address: ServerAddress
  credentials: Credentials | null
  /** Identifies the file that was imported last (`versionOf`); null: fetch the file in any case. */
  known: string | null
  unfinished: Unfinished
  bounds: FetchBounds
  signal: AbortSignal
  onBytes: OnBytes
}

type ServerAddress = Extract<Address, { host: string; port: number }>

/** The path of a file in the directory of an address. */
export function pathIn({ directory }: Pick<ServerAddress, 'directory'>, name: string): string {
  return directory === '' ? name : `${directory === '/' ? '' : directory}/${name}`
}

/** Connects, following the rules of all outbound requests. @throws FetchError; the reason of `signal` */
export async function connect(outbound: Outbound, { address, bounds, signal }: ServerRequest): Promise<Socket> {
  try {
    return await outbound.connect({ host: address.host, port: address.port, timeoutMs: bounds.connectMs, signal })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    const { fault, detail } = describeFailure(error)
    throw connectionError(fault, detail)
  }
}

/** The error for a file that was written to while it was being read. */
export function changing(name: string): FetchError {
  return new FetchError(
    'being_written',
    `${JSON.stringify(shownName(name))} was being written while it was read; it is tried again`,
  )
}

/** Whether a file is the known one; false if its version cannot be identified. */
export function isKnownFile(found: ListedFile, known: string | null): boolean {
  const version = versionOf(found)
  return version !== null && version === known
}

/** The result of receiving a listed file. */
export function downloadOf(found: ListedFile, written: WrittenFile, isCut: boolean): Download {
  return {
    ...written,
    name: shownName(found.name),
    size: found.bytes < 0 ? written.bytes : found.bytes,
    etag: versionOf(found),
    lastModified: null,
    isCut,
  }
}
