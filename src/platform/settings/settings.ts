import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import type { readLimits } from '../limits/account-limits.ts'
import { Environment } from './environment.ts'
import { ShelfwireError } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import { LOG_LEVELS } from '../log.ts'
import { readProvider, type ProviderSettings } from './provider-settings.ts'
import { readSecretFiles } from './secret-files.ts'
import { readTracing, type TracingSettings } from './tracing-settings.ts'

export interface Settings {
  host: string
  port: number
  /** An absolute path. */
  dataDir: string
  /** null: the embedded server. May name several hosts, one of which is the primary (database-url.ts). */
  databaseUrl: string | null
  /**
   * The same database without a pooler in between, for migrations and for everything that is bound to a session. null: databaseUrl is direct already.
   */
  databaseDirectUrl: string | null
  databaseConnectionsMax: number
  /** For each node of a Citus cluster; 0: nodes are not connected to directly. */
  databaseNodeConnectionsMax: number
  /** False behind a proxy that does not support prepared statements. */
  databasePrepare: boolean
  /** Base URL under which clients reach the service, without a slash at the end; null: http://HOST:PORT. */
  publicUrl: string | null
  /** Proxies, as CIDR, whose X-Forwarded-For names the client. */
  trustedProxies: readonly string[]
  /** The token for reading /metrics; null: none is needed, see serve/routes/metrics.ts. */
  metricsToken: string | null
  /** The port of a separate listener for /metrics and probes; null: only the API's port has them. */
  metricsPort: number | null
  metricsHost: string
  /** The token for routes below /v1/operator; null: the routes do not exist. */
  operatorToken: string | null
  /** How many accounts a person may own who opens one in the panel; 0: only the operator opens accounts. */
  accountsPerPerson: number
  /** An identity provider for signing in; null: none. */
  provider: ProviderSettings | null
  /** Whether people sign in by password and passkey; false only with a provider. */
  localSignIn: boolean
  /** Whether `npm start` creates its demo account. */
  demo: boolean
  /** How old the last backup may be, in hours, before the operator is warned; null: no limit. */
  backupHoursMax: number | null
  logLevel: (typeof LOG_LEVELS)[number]
  /** Limits for accounts for which the operator has set none, as far as they differ from contract/account-limits.ts. */
  accountLimits: ReturnType<typeof readLimits> & object
  /** Requests per second and token; 0 turns the limit off. */
  ratePerSecond: number
  /** The most deliveries per second to one endpoint; changes in between are delivered together. */
  webhooksPerSecond: number
  /** Non-public networks that webhooks and other outbound requests may reach, as CIDR. */
  outboundAllow: readonly string[]
  /** Keys that secrets are sealed with (seal.ts): the first seals, all open. Empty: one is generated into DATA_DIR. */
  secretKeys: readonly string[]
  /** The directory below which sources may name files, as an absolute path; null: directory sources are not allowed. */
  importDir: string | null
  /** Where the embedded server archives its write-ahead log; null: nowhere. */
  walArchiveDir: string | null
  /** Mail server; null: notices are stored and listed, not mailed. */
  smtpUrl: string | null
  /** Sender of e-mail. */
  mailFrom: string
  /** Base URL of the pictures' addresses, without a slash at the end, such as a CDN or a bucket; null: publicUrl. */
  imageUrl: string | null
  /** The URL of the European Central Bank's daily file of exchange rates, for accounts that use it. */
  exchangeRatesUrl: string
  /** Whether suppliers' pictures are fetched and served by this service; if not, every picture is shown with its original URL. */
  mirror: boolean
  /** The most pictures per second that are fetched from one host. */
  mirrorPerSecond: number
  /** Bytes that all stored pictures together may have; null: no limit. */
  imageStoreBytesMax: number | null
  /** The bucket in which pictures and files of imports are kept; null: DATA_DIR. */
  s3: S3Settings | null
  /** Bytes of resized and converted pictures that may be kept in DATA_DIR. */
  imageVariantsBytesMax: number
  /** By how many milliseconds the clocks of the process and of its database sessions are moved, for trials (clock.ts). */
  clockOffsetMs: number
  /** Whether a process of its own takes over shelving that takes long while requests are answered. */
  shelvingProcess: boolean
  /** Memory, in MB, for the objects of a process that reads suppliers' files. */
  fileReaderMegabytes: number
  /** Memory, in MB, of a process that decodes large pictures. */
  imageDecoderMegabytes: number
  /** Where traces are sent; null: tracing is off. */
  tracing: TracingSettings | null
}

/** A bucket of an S3-compatible store. */
export interface S3Settings {
  /** URL without a slash at the end. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** Whether the bucket's name is in the path of a URL, and not in its host. */
  isPathStyle: boolean
}

const EXCHANGE_RATES_URL = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml'

/** Each names a file that contains the setting. Unlike values in the environment, its content is not visible in the list of processes. */
const SECRET_FILES = [
  'DATABASE_URL_FILE',
  'DATABASE_DIRECT_URL_FILE',
  'SECRET_KEY_FILE',
  'SMTP_URL_FILE',
  'METRICS_TOKEN_FILE',
  'OPERATOR_TOKEN_FILE',
  'OIDC_CLIENT_SECRET_FILE',
  'S3_ACCESS_KEY_ID_FILE',
  'S3_SECRET_ACCESS_KEY_FILE',
  'OTEL_EXPORTER_OTLP_HEADERS_FILE',
]

/**
 * Reads the settings from the environment, and secrets from the files that it names. An empty value counts as not set.
 * @throws ShelfwireError `settings-invalid` with a fault for every invalid variable; an invalid one never falls back to its
 *   default.
 */
export function readSettings(variables: Readonly<Record<string, string | undefined>>): Settings {
  const secrets = readSecretFiles(variables, SECRET_FILES)
  const env = new Environment({ ...variables, ...secrets.values })
  env.faults.push(...secrets.faults)
  const level = env.get('LOG_LEVEL') ?? 'info'
  const logLevel = LOG_LEVELS.find((name) => name === level)
  if (logLevel === undefined)
    env.faults.push({ name: 'LOG_LEVEL', reason: `must be one of ${LOG_LEVELS.join(', ')}, not "${level}"` })
  const host = env.get('HOST') ?? '127.0.0.1'
  const importDir = env.get('IMPORT_DIR')
  const walArchiveDir = env.get('WAL_ARCHIVE_DIR')
  const settings: Settings = {
    host,
    port: env.integer('PORT', 8080, 0, 65_535),
    dataDir: resolve(env.get('DATA_DIR') ?? './data'),
    databaseUrl: env.database('DATABASE_URL'),
    databaseDirectUrl: env.database('DATABASE_DIRECT_URL'),
    databaseConnectionsMax: env.integer('DATABASE_CONNECTIONS_MAX', 10, 2, 100),
    databaseNodeConnectionsMax: env.integer('DATABASE_NODE_CONNECTIONS_MAX', 4, 0, 100),
    databasePrepare: env.flag('DATABASE_PREPARE', true),
    publicUrl: env.url('PUBLIC_URL', ['http:', 'https:']),
    trustedProxies: env.list(
      'TRUSTED_PROXIES',
      ipaddr.isValidCIDR,
      'must be networks in CIDR form, separated by commas, such as 127.0.0.0/8,::1/128',
    ),
    metricsToken: env.secret(
      'METRICS_TOKEN',
      (token) => /^[\w.~+/-]{16,200}=*$/.test(token),
      'must be 16 to 200 letters, digits and -._~+/, as a bearer token has them',
    ),
    operatorToken: env.secret(
      'OPERATOR_TOKEN',
      // it must not look like a token of an account
      (token) => /^(?!sw_)[\w.~+/-]{32,200}=*$/.test(token) && token !== env.get('METRICS_TOKEN'),
      'must be 32 to 200 letters, digits and -._~+/, as a bearer token has them, other than METRICS_TOKEN and tokens of accounts',
    ),
    metricsPort: env.get('METRICS_PORT') === undefined ? null : env.integer('METRICS_PORT', 0, 0, 65_535),
    metricsHost: env.get('METRICS_HOST') ?? host,
    backupHoursMax:
      env.get('BACKUP_MAX_AGE_HOURS') === undefined ? null : env.integer('BACKUP_MAX_AGE_HOURS', 24, 1, 100_000),
    logLevel: logLevel ?? 'info',
    accountsPerPerson: env.integer('ACCOUNTS_PER_PERSON', 0, 0, 1_000),
    provider: readProvider(env),
    localSignIn: env.isOn('LOCAL_SIGN_IN', true),
    demo: env.isYes('DEMO', true),
    accountLimits: env.budgets('ACCOUNT_LIMITS'),
    ratePerSecond: env.integer('RATE_LIMIT_PER_SECOND', LIMITS.ratePerSecond, 0, 1_000_000),
    webhooksPerSecond: env.integer('WEBHOOKS_PER_SECOND', LIMITS.webhookPerSecondMax, 1, 1_000_000),
    outboundAllow: env.list(
      'OUTBOUND_ALLOW',
      ipaddr.isValidCIDR,
      'must be networks in CIDR form, separated by commas, such as 127.0.0.0/8,::1/128',
    ),
    secretKeys: env.list(
      'SECRET_KEY',
      (key) => /^[\x21-\x7e]{32,200}$/.test(key),
      'must be 32 to 200 printable characters without spaces; to rotate it, put the new key before the old one, with a comma',
    ),
    importDir: importDir === undefined ? null : resolve(importDir),
    walArchiveDir: walArchiveDir === undefined ? null : resolve(walArchiveDir),
    smtpUrl: env.url('SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: env.get('MAIL_FROM') ?? 'Shelfwire <shelfwire@localhost>',
    imageUrl: env.url('IMAGE_URL', ['http:', 'https:']),
    exchangeRatesUrl: env.url('EXCHANGE_RATES_URL', ['http:', 'https:']) ?? EXCHANGE_RATES_URL,
    mirror: env.isOn('MIRROR', true),
    mirrorPerSecond: env.integer('MIRROR_PER_SECOND', LIMITS.mirrorPerSecondMax, 1, 1_000_000),
    imageStoreBytesMax: env.integer('IMAGE_STORE_GB', LIMITS.imageStoreGigabytes, 0, 1_000_000) * 1_000_000_000 || null,
    s3: readBucket(env),
    imageVariantsBytesMax: env.integer('IMAGE_VARIANTS_MB', 1_024, 16, 1_048_576) * 1_000_000,
    clockOffsetMs: readClockOffset(env),
    shelvingProcess: env.isOn('SHELVING_PROCESS', true),
    fileReaderMegabytes: env.integer('FILE_READER_MB', LIMITS.fileReaderMegabytes, 128, 16_384),
    imageDecoderMegabytes: env.integer('IMAGE_DECODER_MB', LIMITS.imageDecoderMegabytes, 256, 16_384),
    tracing: readTracing(env),
  }
  // migrations would go to one database while the embedded one is used
  const isOwnDatabase = (env.get('DATABASE_URL') ?? env.get('DATABASE_URL_FILE')) !== undefined
  if (env.get('DATABASE_DIRECT_URL') !== undefined && !isOwnDatabase)
    env.faults.push({ name: 'DATABASE_DIRECT_URL', reason: 'must not be set without DATABASE_URL' })
  if (!settings.localSignIn && settings.provider === null)
    env.faults.push({ name: 'LOCAL_SIGN_IN', reason: 'must not be off without OIDC_ISSUER: nobody could sign in' })
  const { faults } = env
  if (faults.length > 0) {
    throw new ShelfwireError('settings-invalid', faults.map((fault) => `${fault.name} ${fault.reason}`).join('; '), {
      faults,
    })
  }
  return settings
}

/** The bucket from S3_BUCKET; null if that is not set. */
function readBucket(env: Environment): S3Settings | null {
  const bucket = env.get('S3_BUCKET')
  if (bucket === undefined) {
    // otherwise pictures would be stored on disk without a warning
    for (const name of ['S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_PATH_STYLE'])
      if (env.get(name) !== undefined) env.faults.push({ name, reason: 'must not be set without S3_BUCKET' })
    return null
  }
  const needed = (name: string) => {
    const text = env.get(name)
    // an unreadable file has been reported already
    if (text === undefined && env.get(`${name}_FILE`) === undefined)
      env.faults.push({ name, reason: 'must be set with S3_BUCKET' })
    return text ?? ''
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    env.faults.push({
      name: 'S3_BUCKET',
      reason: 'must be the name of a bucket: 3 to 63 small letters, digits, . and -',
    })
  const region = env.get('S3_REGION') ?? 'us-east-1'
  return {
    endpoint: env.url('S3_ENDPOINT', ['http:', 'https:']) ?? `https://s3.${region}.amazonaws.com`,
    region,
    bucket,
    accessKeyId: needed('S3_ACCESS_KEY_ID'),
    secretAccessKey: needed('S3_SECRET_ACCESS_KEY'),
    isPathStyle: env.flag('S3_PATH_STYLE', true),
  }
}

/** Reads `29d`, `-2h` or `1d12h30m`. The clock is not moved if the environment says that this is production. */
function readClockOffset(env: Environment): number {
  const name = 'SHELFWIRE_CLOCK_OFFSET'
  const text = env.get(name)
  if (text === undefined) return 0
  const parts = /^([+-]?)(?:(\d{1,4})d)?(?:(\d{1,5})h)?(?:(\d{1,7})m)?$/.exec(text)
  if (parts === null || !/\d/.test(text)) {
    env.faults.push({ name, reason: `must be days, hours and minutes, such as 29d, -2h or 1d12h30m, not "${text}"` })
    return 0
  }
  if (env.get('NODE_ENV') === 'production')
    env.faults.push({ name, reason: 'must not be set with NODE_ENV=production' })
  const [, sign, days = '0', hours = '0', minutes = '0'] = parts
  return (sign === '-' ? -1 : 1) * ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000
}
