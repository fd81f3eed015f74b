import process from 'node:process'
import { compileCacheEnv } from './compile-cache.ts'

/**
 * The environment variables that affect connections: those of trusted certificates, Node's options, which can also add certificates, and those that
 * node-postgres reads besides the URL: `PG…`, the user if the URL names none, and the directory of the password file.
 */
const OF_CONNECTIONS =
  /^(?:NODE_OPTIONS|NODE_USE_SYSTEM_CA|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|SSL_CERT_(?:FILE|DIR)|OPENSSL_CONF|PG[A-Z]+|USER|USERNAME|HOME|APPDATA)$/
/** Options of Node's command line that choose the trusted certificates. */
const TRUSTING = /^--use-(?:system|openssl|bundled)-ca$/

export interface ChildNeeds {
  /** Threads for files, DNS and compression. */
  threads: number
  /** Whether it connects to the database, and to a collector of traces, like the service. */
  hasConnections: boolean
}

/**
 * The environment of a process that the service starts. The service's own environment is not passed on as a whole, because it contains
 * secrets. A process without connections gets nothing of it: it handles data from strangers, and NODE_OPTIONS could load a module that needs more
 * than the process has.
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
