import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { until } from '../harness/interleave.ts'
import { CONTEXT } from './dockerfile.ts'

// deploy/nginx/shelfwire.conf with other ports and a certificate of its own, and clients that send requests through it.

export const NGINX = '/usr/sbin/nginx'

/** Writes nginx.conf and the files that it names into a directory. @param ports of nginx, and of the two processes behind it */
export function configureNginx(
  directory: string,
  ports: { http: number; https: number; first: number; second: number },
): void {
  const openssl = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=shop.example.com'
  const files = ['-keyout', join(directory, 'tls.key'), '-out', join(directory, 'tls.crt')]
  execFileSync('openssl', [...openssl.split(' '), ...files], { stdio: 'pipe' })
  const conf = readFileSync(join(CONTEXT, 'deploy/nginx/shelfwire.conf'), 'utf8')
    .replaceAll('/etc/nginx/tls', directory)
    .replace('listen 80;', `listen 127.0.0.1:${ports.http};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${ports.https} ssl;`)
    .replace('127.0.0.1:8080', `127.0.0.1:${ports.first}`)
    .replace('127.0.0.1:8081', `127.0.0.1:${ports.second}`)
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  )
  writeFileSync(
    join(directory, 'nginx.conf'),
    `daemon off; pid ${directory}/nginx.pid; error_log ${directory}/error.log; ${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http { access_log off; ${own.join(' ')}
${conf}}`,
  )
}

/** Starts nginx with the configuration that configureNginx wrote. */
export function startNginx(directory: string): ChildProcess {
  const conf = join(directory, 'nginx.conf')
  execFileSync(NGINX, ['-t', '-q', '-c', conf], { stdio: 'pipe' })
  return spawn(NGINX, ['-c', conf], { stdio: 'ignore' })
}

/** Clients that send requests through nginx as fast as they are answered. */
export interface Load extends Disposable {
  ask(method: string, path: string, body?: object): Promise<Answer>
  /** Sends one request after the other until the end. @param acknowledged called with each body that was accepted */
  send(method: string, path: string, body?: () => object, acknowledged?: (body: object) => void): void
  /** Waits until `count` further requests were answered. */
  answered(count: number): Promise<void>
  /** Stops all clients. @returns the number of each answer, such as `GET 200` and `PUT 503 without Retry-After` */
  end(): Promise<ReadonlyMap<string, number>>
}

export function openLoad(port: number, token: string): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: 32, rejectUnauthorized: false })
  const ask: Load['ask'] = (method, path, body) => answerOf({ agent, port, token }, method, path, body)
  const counts = new Map<string, number>()
  const ending = new AbortController()
  const sending: Promise<void>[] = []
  const keepSending = async (...[method, path, make, acknowledged]: Parameters<Load['send']>) => {
    while (!ending.signal.aborted) {
      const body = make?.()
      const { status, retryAfter } = await ask(method, path, body).catch((error: Error) => ({
        status: error.message,
        retryAfter: undefined,
      }))
      if (body !== undefined && (status === 200 || status === 201)) acknowledged?.(body)
      const answer = `${method} ${status}${status === 503 && retryAfter === undefined ? ' without Retry-After' : ''}`
      counts.set(answer, (counts.get(answer) ?? 0) + 1)
    }
  }
  const total = () => [...counts.values()].reduce((sum, one) => sum + one, 0)
  return {
    ask,
    send: (...what) => void sending.push(keepSending(...what)),
    async answered(count) {
      const from = total()
      await until('requests are answered', async () => total() >= from + count, 60_000)
    },
    async end() {
      ending.abort()
      await Promise.all(sending)
      return counts
    },
    [Symbol.dispose]() {
      ending.abort()
      agent.destroy()
    },
  }
}

/** The answers that no client should get. */
export const failuresOf = (counts: ReadonlyMap<string, number>) =>
  [...counts].filter(([answer]) => !/^(GET 200|PUT 20[01]|(GET|PUT) (503|429))$/.test(answer))

interface Answer {
  status: number | undefined
  type: string | undefined
  retryAfter: string | undefined
}

function answerOf(
  { agent, port, token }: { agent: Agent; port: number; token: string },
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        port,
        host: '127.0.0.1',
        servername: 'shop.example.com',
        method,
        path,
        headers: {
          host: 'shop.example.com',
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
      },
      (answer) => {
        answer.resume()
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({
            status: answer.statusCode,
            type: answer.headers['content-type'],
            retryAfter: answer.headers['retry-after'],
          }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
