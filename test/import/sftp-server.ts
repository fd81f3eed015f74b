import type { AddressInfo } from 'node:net'
import ssh2 from 'ssh2'

/** A file that a test server offers. */
export interface OfferedFile {
  content: Buffer | string
  /** Seconds since 1970. */
  mtime: number
}

/** A file whose time the server may not tell. */
type SftpFile = Pick<OfferedFile, 'content'> & { mtime: number | null }

export interface SftpServer extends AsyncDisposable {
  url: string
  port: number
  /** The fingerprint of its host key, as `ssh-keygen -lf` shows it. */
  fingerprint: string
  /** The files by absolute path, which tests may change at any time. */
  files: Map<string, SftpFile>
  /** The login attempts of clients. */
  logins: string[]
  /** Called when a part of a file is read. */
  onRead: ((path: string) => void) | null
  /** Starts a new key exchange with every client. */
  rekey(): void
  /** The number of completed new key exchanges. */
  readonly rekeyed: number
}

const { STATUS_CODE } = ssh2.utils.sftp
const FILE_MODE = 0o100_644
const DIRECTORY_MODE = 0o040_755

/** A key pair that ssh2 can read: of the Ed25519 keys that it generates it refuses one in 200 as malformed. */
export function generateSshKey(options?: { passphrase: string; cipher: string; rounds: number }) {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519', options)
    if (!(ssh2.utils.parseKey(pair.private, options?.passphrase) instanceof Error)) return pair
  }
}

/** An SFTP server on loopback with the user `shop`, password `hush`, and the public keys given. */
export async function startSftpServer(
  options: { port?: number; key?: string; publicKey?: string } = {},
): Promise<SftpServer> {
  const { Server, utils } = ssh2
  const key = options.key ?? generateSshKey().private
  const own = utils.parseKey(key)
  if (own instanceof Error) throw own
  const { createHash } = await import('node:crypto')
  const fingerprint = `SHA256:${createHash('sha256').update(own.getPublicSSH()).digest('base64').replace(/=+$/, '')}`
  const files = new Map<string, SftpFile>()
  const logins: string[] = []
  const state: Pick<SftpServer, 'onRead'> = { onRead: null }
  const clients = new Set<ssh2.Connection>()
  let rekeyed = 0

  const server = new Server({ hostKeys: [key] }, (client) => {
    clients.add(client)
    client.on('error', () => {})
    client.on('close', () => clients.delete(client))
    client.on('authentication', (context) => {
      if (context.method === 'password') {
        logins.push(`${context.username}:${context.password}`)
        if (context.username === 'shop' && context.password === 'hush') return context.accept()
      }
      if (context.method === 'publickey' && options.publicKey !== undefined) {
        const allowed = utils.parseKey(options.publicKey)
        if (allowed instanceof Error) throw allowed
        const isKnown = context.key.data.equals(allowed.getPublicSSH())
        const isSigned =
          context.signature === undefined ||
          context.blob === undefined ||
          allowed.verify(context.blob, context.signature, context.hashAlgo)
        if (isKnown && isSigned) return context.accept()
      }
      return context.reject(['password', 'publickey'])
    })
    client.on('ready', () =>
      client.on('session', (accept) => {
        accept().on('sftp', (acceptSftp) => serve(acceptSftp(), files, state))
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `sftp://127.0.0.1:${port}`,
    port,
    fingerprint,
    files,
    logins,
    get onRead() {
      return state.onRead
    },
    set onRead(listener) {
      state.onRead = listener
    },
    rekey() {
      for (const client of clients) client.rekey(() => rekeyed++)
    },
    get rekeyed() {
      return rekeyed
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.end()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function serve(sftp: ssh2.SFTPWrapper, files: Map<string, SftpFile>, state: Pick<SftpServer, 'onRead'>): void {
  const handles = new Map<string, { path: string; isListed: boolean }>()
  let opened = 0
  const handleOf = (path: string) => {
    const name = `h${opened++}`
    handles.set(name, { path, isListed: false })
    return Buffer.from(name)
  }
  const absolute = (path: string) =>
    path.startsWith('/') ? path : `/home/shop/${path === '.' ? '' : path}`.replace(/\/$/, '')
  const isDirectory = (path: string) =>
    [...files.keys()].some((name) => name.startsWith(path === '/' ? '/' : `${path}/`))
  const attributes = (path: string) => {
    const file = files.get(path)
    if (file !== undefined) {
      const { mtime, content } = file
      const times = mtime === null ? {} : { atime: mtime, mtime }
      return { mode: FILE_MODE, uid: 0, gid: 0, size: Buffer.byteLength(content), ...times } as ssh2.Attributes
    }
    return isDirectory(path) ? { mode: DIRECTORY_MODE, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 } : null
  }
  const stat = (id: number, given: string) => {
    const found = attributes(absolute(given))
    if (given.includes('secret')) sftp.status(id, STATUS_CODE.PERMISSION_DENIED)
    else if (found === null) sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
    else sftp.attrs(id, found)
  }
  sftp.on('REALPATH', (id, path) => sftp.name(id, [{ filename: absolute(path), longname: '', attrs: {} as never }]))
  sftp.on('STAT', stat)
  sftp.on('LSTAT', stat)
  sftp.on('FSTAT', (id, handle) => stat(id, handles.get(handle.toString())?.path ?? ''))
  sftp.on('OPEN', (id, given) => {
    const path = absolute(given)
    if (files.has(path)) sftp.handle(id, handleOf(path))
    else sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
  })
  sftp.on('READ', (id, handle, offset, length) => {
    const path = handles.get(handle.toString())?.path ?? ''
    state.onRead?.(path)
    const content = files.get(path)?.content ?? ''
    const part = (typeof content === 'string' ? Buffer.from(content) : content).subarray(offset, offset + length)
    if (part.length === 0) sftp.status(id, STATUS_CODE.EOF)
    else sftp.data(id, part)
  })
  sftp.on('OPENDIR', (id, given) => {
    const path = absolute(given)
    if (isDirectory(path)) sftp.handle(id, handleOf(path))
    else sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
  })
  sftp.on('READDIR', (id, handle) => {
    const listing = handles.get(handle.toString())
    if (listing === undefined || listing.isListed) return sftp.status(id, STATUS_CODE.EOF)
    listing.isListed = true
    const prefix = listing.path === '/' ? '/' : `${listing.path}/`
    const names = new Set(
      [...files.keys()]
        .filter((name) => name.startsWith(prefix))
        .map((name) => name.slice(prefix.length).split('/')[0] ?? ''),
    )
    return sftp.name(
      id,
      [...names].map((filename) => ({
        filename,
        longname: filename,
        attrs: attributes(prefix + filename) ?? ({} as never),
      })),
    )
  })
  sftp.on('CLOSE', (id, handle) => {
    handles.delete(handle.toString())
    sftp.status(id, STATUS_CODE.OK)
  })
}
