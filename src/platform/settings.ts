import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { parseDatabaseUrl } from './database-url.ts'
import { ShelfwireError, type Fault } from './errors.ts'
import { LIMITS } from './limits.ts'
import { LOG_LEVELS } from './log.ts'

export interface Settings {
  host: string
  port: number
  /** Absolute. */
  dataDir: string
  /** null: the embedded server. It may name several hosts, of which one is the primary (database-url.ts). */
  databaseUrl: string | null
  /** The same database, past a pooler: for migrations and for what is bound to a session. null: databaseUrl leads there. */
  databaseDirectUrl: string | null
  databaseConnectionsMax: number
  /** False behind a proxy that does not support prepared statements. */
  databasePrepare: boolean
  /** Base URL under which clients reach the service, without a slash at the end; null: http://HOST:PORT. */
  publicUrl: string | null
  /** Proxies, as CIDR, whose X-Forwarded-For names the client. */
  trustedProxies: readonly string[]
  /** What /metrics is read with; null: no token is needed, see serve/routes/metrics.ts. */
  metricsToken: string | null
  /** A listener of its own for /metrics and probes; null: they are at the port of the API alone. */
  metricsPort: number | null
  metricsHost: string
  logLevel: (typeof LOG_LEVELS)[number]
  /** Requests per second and token; 0 turns the limit off. */
  ratePerSecond: number
  /** Deliveries per second to one endpoint; changes in between are delivered together. */
  webhooksPerSecond: number
  /** Non-public networks that webhooks and other outbound requests may reach, as CIDR. */
  outboundAllow: readonly string[]
  /** Keys that secrets are sealed with (seal.ts): the first seals, all open. Empty: one is generated into DATA_DIR. */
  secretKeys: readonly string[]
  /** The directory below which sources may name files; absolute. null: no source may. */
  importDir: string | null
  /** Mail server; null: notices are stored and listed, not mailed. */
  smtpUrl: string | null
  /** Sender of e-mail. */
  mailFrom: string
  /** Base URL of the pictures' addresses, without a slash at the end: a CDN or a bucket in front; null: publicUrl. */
  imageUrl: string | null
  /** Whether suppliers' pictures are fetched and served from here; else every picture is shown by its original URL. */
  mirror: boolean
  /** Pictures per second that are fetched from one host. */
  mirrorPerSecond: number
  /** Bytes that all stored pictures together may take; null: no limit. */
  imageStoreBytesMax: number | null
  /** The bucket that pictures are kept in; null: DATA_DIR. */
  s3: S3Settings | null
  /** Bytes of resized and converted pictures that are kept in DATA_DIR. */
  imageVariantsBytesMax: number
}

/** A bucket of an S3-compatible store. */
export interface S3Settings {
  /** URL without a slash at the end. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** Whether the bucket is in the path of a URL, not in its host. */
  isPathStyle: boolean
}

/**
 * Reads the settings from the environment. An empty value counts as not set.
 * @throws ShelfwireError `settings-invalid` with a fault for every invalid variable; an invalid one never falls back to its
 *   default.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const faults: Fault[] = []
  const get = (name: string) => (env[name] === '' ? undefined : env[name])
  const integer = (name: string, fallback: number, min: number, max: number) => {
    const text = get(name)
    if (text === undefined) return fallback
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    faults.push({ name, reason: `must be a whole number from ${min} to ${max}, not "${text}"` })
    return fallback
  }
  const flag = (name: string, fallback: boolean) => {
    const text = get(name)
    if (text === undefined) return fallback
    if (text === 'true' || text === 'false') return text === 'true'
    faults.push({ name, reason: `must be true or false, not "${text}"` })
    return fallback
  }
  const isOn = (name: string, fallback: boolean) => {
    const text = get(name)
    if (text === undefined) return fallback
    if (text === 'on' || text === 'off') return text === 'on'
    faults.push({ name, reason: `must be on or off, not "${text}"` })
    return fallback
  }
  const url = (name: string, protocols: readonly string[]) => {
    const text = get(name)
    if (text === undefined) return null
    const parsed = URL.canParse(text) ? new URL(text) : null
    if (parsed !== null && protocols.includes(parsed.protocol)) return text.replace(/\/+$/, '')
    // the value may hold a password, so the message does not repeat it
    faults.push({
      name,
      reason: `must be a URL that starts with ${protocols.map((entry) => `${entry}//`).join(' or ')}`,
    })
    return null
  }
  const database = (name: string) => {
    const text = get(name)
    if (text === undefined) return null
    const parsed = parseDatabaseUrl(text)
    if (typeof parsed === 'string') faults.push({ name, reason: parsed })
    return text.replace(/\/+$/, '')
  }
  const list = (name: string, isValid: (entry: string) => boolean, reason: string) => {
    const entries = (get(name) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
    if (!entries.every(isValid)) faults.push({ name, reason })
    return entries
  }
  const secret = (name: string, isValid: (text: string) => boolean, reason: string) => {
    const text = get(name)
    if (text === undefined) return null
    // the value is secret, so the message does not repeat it
    if (!isValid(text)) faults.push({ name, reason })
    return text
  }
  const level = get('LOG_LEVEL') ?? 'info'
  const logLevel = LOG_LEVELS.find((name) => name === level)
  if (logLevel === undefined)
    faults.push({ name: 'LOG_LEVEL', reason: `must be one of ${LOG_LEVELS.join(', ')}, not "${level}"` })
  const host = get('HOST') ?? '127.0.0.1'
  const settings: Settings = {
    host,
    port: integer('PORT', 8080, 0, 65_535),
    dataDir: resolve(get('DATA_DIR') ?? './data'),
    databaseUrl: database('DATABASE_URL'),
    databaseDirectUrl: database('DATABASE_DIRECT_URL'),
    databaseConnectionsMax: integer('DATABASE_CONNECTIONS_MAX', 10, 2, 100),
    databasePrepare: flag('DATABASE_PREPARE', true),
    publicUrl: url('PUBLIC_URL', ['http:', 'https:']),
    trustedProxies: list(
      'TRUSTED_PROXIES',
      ipaddr.isValidCIDR,
      'must be networks in CIDR form, separated by commas, such as 127.0.0.0/8,::1/128',
    ),
    metricsToken: secret(
      'METRICS_TOKEN',
      (token) => /^[\w.~+/-]{16,200}=*$/.test(token),
      'must be 16 to 200 letters, digits and -._~+/, as a bearer token has them',
    ),
    metricsPort: get('METRICS_PORT') === undefined ? null : integer('METRICS_PORT', 0, 0, 65_535),
    metricsHost: get('METRICS_HOST') ?? host,
    logLevel: logLevel ?? 'info',
    ratePerSecond: integer('RATE_LIMIT_PER_SECOND', LIMITS.ratePerSecond, 0, 1_000_000),
    webhooksPerSecond: integer('WEBHOOKS_PER_SECOND', LIMITS.webhookPerSecondMax, 1, 1_000_000),
    outboundAllow: list(
      'OUTBOUND_ALLOW',
      ipaddr.isValidCIDR,
      'must be networks in CIDR form, separated by commas, such as 127.0.0.0/8,::1/128',
    ),
    secretKeys: list(
      'SECRET_KEY',
      (key) => /^[\x21-\x7e]{32,200}$/.test(key),
      'must be 32 to 200 printable characters without spaces; to rotate it, put the new key before the old one, with a comma',
    ),
    importDir: get('IMPORT_DIR') === undefined ? null : resolve(get('IMPORT_DIR') ?? ''),
    smtpUrl: url('SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: get('MAIL_FROM') ?? 'Shelfwire <shelfwire@localhost>',
    imageUrl: url('IMAGE_URL', ['http:', 'https:']),
    mirror: isOn('MIRROR', true),
    mirrorPerSecond: integer('MIRROR_PER_SECOND', LIMITS.mirrorPerSecondMax, 1, 1_000_000),
    imageStoreBytesMax: integer('IMAGE_STORE_GB', LIMITS.imageStoreGigabytes, 0, 1_000_000) * 1_000_000_000 || null,
    s3: null,
    imageVariantsBytesMax: integer('IMAGE_VARIANTS_MB', 1_024, 16, 1_048_576) * 1_000_000,
  }
  const bucket = get('S3_BUCKET')
  if (bucket !== undefined) {
    const needed = (name: string) => {
      const text = get(name)
      if (text === undefined) faults.push({ name, reason: 'must be set with S3_BUCKET' })
      return text ?? ''
    }
    if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
      faults.push({ name: 'S3_BUCKET', reason: 'must be the name of a bucket: 3 to 63 small letters, digits, . and -' })
    const region = get('S3_REGION') ?? 'us-east-1'
    settings.s3 = {
      endpoint: url('S3_ENDPOINT', ['http:', 'https:']) ?? `https://s3.${region}.amazonaws.com`,
      region,
      bucket,
      accessKeyId: needed('S3_ACCESS_KEY_ID'),
      secretAccessKey: needed('S3_SECRET_ACCESS_KEY'),
      isPathStyle: flag('S3_PATH_STYLE', true),
    }
  } else {
    // pictures would be kept on the disk, and nobody would notice
    for (const name of ['S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_PATH_STYLE'])
      if (get(name) !== undefined) faults.push({ name, reason: 'must not be set without S3_BUCKET' })
  }
  // it would migrate one database while another one, the embedded one, is used
  if (get('DATABASE_DIRECT_URL') !== undefined && get('DATABASE_URL') === undefined)
    faults.push({ name: 'DATABASE_DIRECT_URL', reason: 'must not be set without DATABASE_URL' })
  if (faults.length > 0) {
    throw new ShelfwireError('settings-invalid', faults.map((fault) => `${fault.name} ${fault.reason}`).join('; '), {
      faults,
    })
  }
  return settings
}
