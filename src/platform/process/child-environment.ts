import process from 'node:process'
import { compileCacheEnv } from './compile-cache.ts'

/**
 * The environment variables by which connections are made: which certificates are trusted, Node's options, which may say so too, and what
 * node-postgres reads besides the URL: `PG…`, the user if the URL names none, and where the file with passwords is.
 */
const OF_CONNECTIONS =
  /^(?:NODE_OPTIONS|NODE_USE_SYSTEM_CA|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|SSL_CERT_(?:FILE|DIR)|OPENSSL_CONF|PG[A-Z]+|USER|USERNAME|HOME|APPDATA)$/
/** The same as options of the command line. */
const TRUSTING = /^--use-(?:system|openssl|bundled)-ca$/

export interface ChildNeeds {
  /** Threads for files, DNS and compression. */
  threads: number
  /** Whether it connects to the database, and to a collector of traces, like the service. */
  hasConnections: boolean
}

/**
 * The environment of a process that the service starts. The service's own is not passed on as a whole: it contains secrets. A process without
 * connections gets nothing of it: it handles what strangers send, and NODE_OPTIONS could give it a module that needs more than it has.
 */
export const childEnvironment = ({ threads, hasConnections }: ChildNeeds): NodeJS.ProcessEnv => ({
  ...(hasConnections
    ? Object.fromEntries(Object.entries(process.env).filter(([name]) => OF_CONNECTIONS.test(name)))
    : {}),
  MALLOC_ARENA_MAX: '2',
  UV_THREADPOOL_SIZE: String(threads),
  NODE_NO_WARNINGS: '1',
  ...compileCacheEnv(),
})

/** The options of this process's command line that a process with connections needs, too. */
export const childOptions = ({ hasConnections }: ChildNeeds): string[] =>
  hasConnections ? process.execArgv.filter((option) => TRUSTING.test(option)) : []
