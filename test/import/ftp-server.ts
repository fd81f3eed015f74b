import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { tlsFile } from '../harness/hostile-receiver.ts'
import type { OfferedFile } from './sftp-server.ts'

export interface FtpServer extends AsyncDisposable {
  port: number
  files: Map<string, OfferedFile>
  commands: string[]
}

export interface FtpOptions {
  /** `implicit`: TLS from the first byte; `explicit`: after AUTH TLS. */
  tls?: 'implicit' | 'explicit'
  /** The address that PASV returns instead of its own; EPSV is then refused. */
  passiveHost?: string
  /** Sends this many bytes of a file, then closes the data connection without the reply that it is complete. */
  cutAfter?: number
}

/** An FTP server on loopback (RFC 959, 2428, 3659) with the user `shop`, password `hush`. */
export async function startFtpServer(options: FtpOptions = {}): Promise<FtpServer> {
  const files = new Map<string, OfferedFile>()
  const commands: string[] = []
  const open = new Set<Socket | Server>()
  const context = createSecureContext({ key: tlsFile('good.key'), cert: tlsFile('good') })
  const secured = (socket: Socket) => new TLSSocket(socket, { isServer: true, secureContext: context })

  const serve = (raw: Socket) => {
    open.add(raw)
    let control: Socket = options.tls === 'implicit' ? secured(raw) : raw
    let isProtected = options.tls === 'implicit'
    let user = ''
    let isKnown = false
    let data: Promise<Socket> | null = null
    const say = (line: string) => void control.write(`${line}\r\n`)
    const listen = async (): Promise<number> => {
      const passive = createServer()
      open.add(passive)
      data = new Promise((resolve) =>
        passive.once('connection', (socket) => {
          open.add(socket)
          socket.on('error', () => {})
          resolve(isProtected ? secured(socket) : socket)
        }),
      )
      await new Promise<void>((resolve) => passive.listen(0, '127.0.0.1', resolve))
      return (passive.address() as AddressInfo).port
    }
    const send = async (content: Buffer) => {
      const socket = await data
      if (socket === null) return say('425 no data connection')
      say('150 here it comes')
      if (options.cutAfter !== undefined) {
        socket.write(content.subarray(0, options.cutAfter), () => socket.end())
        return say('426 the transfer was broken off')
      }
      await new Promise<void>((resolve) => socket.end(content, resolve))
      return say('226 complete')
    }
    const handle = async (line: string) => {
      const verb = (line.split(' ')[0] ?? '').toUpperCase()
      const rest = line.slice(line.indexOf(' ') + 1)
      commands.push(verb === 'PASS' ? 'PASS' : line)
      const path = rest.startsWith('/') ? rest : `/home/${rest}`
      const file = files.get(path)
      switch (verb) {
        case 'AUTH': {
          if (options.tls !== 'explicit') return say('502 no')
          say('234 go on')
          raw.removeAllListeners('data')
          control = secured(raw)
          isProtected = true
          return read()
        }
        case 'USER':
          user = rest
          return say('331 password')
        case 'PASS':
          isKnown = user === 'shop' && rest === 'hush'
          return say(isKnown ? '230 welcome' : '530 no')
        case 'FEAT':
          return say('211-Features\r\n SIZE\r\n MDTM\r\n EPSV\r\n MLST type*;size*;modify*;\r\n211 End')
        case 'TYPE':
        case 'STRU':
        case 'OPTS':
        case 'PBSZ':
        case 'PROT':
          return say('200 ok')
        case 'QUIT':
          return say('221 bye')
      }
      if (!isKnown) return say('530 sign in')
      if (verb === 'EPSV')
        return options.passiveHost === undefined ? say(`229 passive (|||${await listen()}|)`) : say('502 no')
      if (verb === 'PASV') {
        const port = await listen()
        return say(
          `227 passive (${(options.passiveHost ?? '127.0.0.1').replaceAll('.', ',')},${port >> 8},${port & 255})`,
        )
      }
      if (verb === 'MLSD') {
        const prefix = path.endsWith('/') ? path : `${path}/`
        const lines = [...files]
          .filter(([name]) => name.startsWith(prefix) && !name.slice(prefix.length).includes('/'))
          .map(
            ([name, { content, mtime }]) =>
              `type=file;size=${Buffer.byteLength(content)};modify=${stamp(mtime)}; ${name.slice(prefix.length)}\r\n`,
          )
        return send(Buffer.from(lines.join('')))
      }
      if (file === undefined) return say('550 no such file')
      if (verb === 'SIZE') return say(`213 ${Buffer.byteLength(file.content)}`)
      if (verb === 'MDTM') return say(`213 ${stamp(file.mtime)}`)
      if (verb === 'RETR') return send(Buffer.from(file.content))
      return say('502 no')
    }
    const read = () => {
      let rest = ''
      control.on('error', () => {})
      control.on('data', (part: Buffer) => {
        rest += part.toString()
        const lines = rest.split('\r\n')
        rest = lines.pop() ?? ''
        for (const line of lines) void handle(line)
      })
    }
    raw.on('error', () => {})
    read()
    say('220 ready')
  }
  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    files,
    commands,
    async [Symbol.asyncDispose]() {
      for (const entry of open) {
        if ('destroy' in entry) entry.destroy()
        else entry.close()
      }
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const stamp = (mtime: number) => new Date(mtime * 1_000).toISOString().replaceAll(/[-:T]|\..*/g, '')
