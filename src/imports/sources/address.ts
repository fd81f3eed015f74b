import { ShelfwireError } from '../../platform/errors.ts'
import { checkOutboundUrl, hostOf } from '../../outbound/outbound-url.ts'
import { must } from '../../platform/must.ts'
import type { SourceKind } from './sources.sql.ts'

/** The location of a source's file. */
export type Address =
  | { protocol: 'http' | 'https'; url: URL; origin: string; host: string }
  | {
      protocol: 'sftp' | 'ftp' | 'ftps' | 'ftpes'
      /** Where credentials may be sent: protocol, host and port. */
      origin: string
      host: string
      port: number
      /** Absolute, or relative to the user's home directory (which is ''). */
      directory: string
      /** The name of the file; a * in it matches any characters. */
      file: string
    }

const PORTS = { sftp: 22, ftp: 21, ftps: 990, ftpes: 21 } as const
const SERVER = /^(sftp|ftp|ftps|ftpes):\/\/(\[[^\]/]+\]|[^/:?#@[\]]+)(?::(\d{1,5}))?(\/.*)?$/i

/** Reads the URL of a source. @throws ShelfwireError invalid-input, with one fault named `url` */
export function readAddress(kind: SourceKind, url: string): Address {
  if (kind === 'sftp') return readServerUrl(url, ['sftp'])
  if (kind === 'ftp') return readServerUrl(url, ['ftp', 'ftps', 'ftpes'])
  return readHttpUrl(url)
}

function readHttpUrl(text: string): Address {
  const url = checkOutboundUrl(text)
  return { protocol: url.protocol === 'https:' ? 'https' : 'http', url, origin: url.origin, host: hostOf(url) }
}

/** Reads the address of a file on an SFTP or FTP server: `sftp://host[:port]/path/to/file`, and `/~/path` below the user's home directory. */
function readServerUrl(text: string, protocols: readonly string[]): Address {
  const found = SERVER.exec(text)
  const protocol = found?.[1]?.toLowerCase() as keyof typeof PORTS | undefined
  if (found === null || protocol === undefined || !protocols.includes(protocol)) {
    const form = protocols.map((entry) => `${entry}://`).join(' or ')
    throw refused(
      /^[a-z]+:\/\/[^/]*@/i.test(text)
        ? 'must not contain a user name or password: send them as credentials'
        : `must start with ${form}, then have a host and the path of a file`,
    )
  }
  if (/[?#]/.test(text)) throw refused('must not contain ? or #; as a part of a name write %3F and %23')
  // the host is checked by the rules of all outbound requests
  const host = hostOf(checkOutboundUrl(`http://${must(found[2])}/`))
  const port = found[3] === undefined ? PORTS[protocol] : Number(found[3])
  if (port > 65_535 || (port < 1_024 && port !== PORTS[protocol]))
    throw refused(`must use port ${PORTS[protocol]}, or one from 1024 to 65535, not ${port}`)
  let path: string
  try {
    path = decodeURIComponent(found[4] ?? '/')
  } catch {
    throw refused('has a % that begins no escaped character')
  }
  if (/\p{Cc}/u.test(path)) throw refused('must not contain control characters')
  const at = path.lastIndexOf('/')
  const file = path.slice(at + 1)
  if (file === '') throw refused('must end with the name of a file; a * in it stands for any characters')
  const above = path.slice(0, at)
  if (above.includes('*')) throw refused('may have a * in the name of the file only')
  if (path.split('/').includes('..')) throw refused('must not contain ..')
  const directory = above === '/~' || above.startsWith('/~/') ? above.slice(3) : above === '' ? '/' : above
  const shownHost = host.includes(':') ? `[${host}]` : host
  return { protocol, origin: `${protocol}://${shownHost}:${port}`, host, port, directory, file }
}

/**
 * Reads the path of a directory source, which is relative to IMPORT_DIR. @returns its directories and the name of the file, or the `reason` why it is
 * refused.
 */
export function readPath(text: string): { directories: string[]; file: string } | { reason: string } {
  if (text.length > 1_000) return { reason: 'must have at most 1,000 characters' }
  if (/[\\\p{Cc}]/u.test(text))
    return { reason: 'must not contain backslashes or control characters; / separates directories' }
  if (text.startsWith('/')) return { reason: 'must be relative: it begins below IMPORT_DIR' }
  const parts = text.split('/')
  const file = must(parts.pop())
  if (file === '') return { reason: 'must end with the name of a file; a * in it stands for any characters' }
  if ([...parts, file].some((part) => part === '' || part === '.' || part === '..'))
    return { reason: 'must not contain . or .. or an empty part' }
  if (parts.some((part) => part.includes('*'))) return { reason: 'may have a * in the name of the file only' }
  return { directories: parts, file }
}

/** Whether a file name matches a pattern, in which * matches any characters. Linear in the name for each *. */
export function matchesName(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return name === pattern
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false
  let at = first.length
  const end = name.length - last.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found === -1 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}

function refused(reason: string): ShelfwireError {
  return new ShelfwireError('invalid-input', `url ${reason}`, { faults: [{ name: 'url', reason }] })
}
