import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ShelfwireError } from '../errors.ts'
import { readSettings } from './settings.ts'

/** The names of the variables that are refused. */
function faults(env: Record<string, string>): string[] {
  try {
    readSettings(env)
  } catch (error) {
    expect(error).toBeInstanceOf(ShelfwireError)
    if (!(error instanceof ShelfwireError)) throw error
    expect(error.code).toBe('settings-invalid')
    for (const fault of error.faults) expect(error.message).toContain(`${fault.name} ${fault.reason}`)
    return error.faults.map((fault) => fault.name)
  }
  return []
}

describe('settings', () => {
  it('have their defaults with an empty environment', () => {
    expect(readSettings({})).toEqual({
      host: '127.0.0.1',
      port: 8080,
      dataDir: resolve('data'),
      databaseUrl: null,
      databaseDirectUrl: null,
      databaseConnectionsMax: 10,
      databaseNodeConnectionsMax: 4,
      databasePrepare: true,
      accountsPerPerson: 0,
      provider: null,
      localSignIn: true,
      demo: true,
      publicUrl: null,
      trustedProxies: [],
      metricsToken: null,
      metricsPort: null,
      metricsHost: '127.0.0.1',
      operatorToken: null,
      backupHoursMax: null,
      logLevel: 'info',
      accountLimits: {},
      ratePerSecond: 100,
      webhooksPerSecond: 4,
      outboundAllow: [],
      secretKeys: [],
      importDir: null,
      walArchiveDir: null,
      smtpUrl: null,
      mailFrom: 'Shelfwire <shelfwire@localhost>',
      imageUrl: null,
      exchangeRatesUrl: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
      mirror: true,
      mirrorPerSecond: 5,
      imageStoreBytesMax: 50_000_000_000,
      s3: null,
      imageVariantsBytesMax: 1_024_000_000,
      clockOffsetMs: 0,
      shelvingProcess: true,
      fileReaderMegabytes: 512,
      imageDecoderMegabytes: 768,
      tracing: null,
    })
  })

  it('are read from the environment; an empty value counts as not set', () => {
    const env = {
      HOST: '0.0.0.0',
      PORT: '0',
      ACCOUNT_LIMITS: ' products=500, picture_bytes = none,',
      DATA_DIR: '/var/lib/shelfwire',
      DATABASE_URL: 'postgresql://u:p@db/x',
      DATABASE_DIRECT_URL: 'postgres://u:p@primary/x',
      DATABASE_CONNECTIONS_MAX: '2',
      DATABASE_NODE_CONNECTIONS_MAX: '0',
      DATABASE_PREPARE: 'false',
      PUBLIC_URL: 'https://api.example.com/base//',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1/128',
      EXCHANGE_RATES_URL: 'https://mirror.example/ecb.xml',
      METRICS_TOKEN: 'scrape-me-1234567890',
      METRICS_PORT: '9464',
      OPERATOR_TOKEN: 'o'.repeat(32),
      BACKUP_MAX_AGE_HOURS: '26',
      LOG_LEVEL: 'debug',
      RATE_LIMIT_PER_SECOND: '0',
      WEBHOOKS_PER_SECOND: '10',
      OUTBOUND_ALLOW: '127.0.0.0/8, ::1/128',
      SECRET_KEY: `${'a'.repeat(32)},${'b'.repeat(40)}`,
      IMPORT_DIR: '/srv/suppliers/',
      WAL_ARCHIVE_DIR: '/srv/archive/',
      SMTP_URL: 'smtps://u:p@mail',
      MAIL_FROM: 'Shop <a@b.example>',
      IMAGE_URL: 'https://cdn.example.com/shop/',
      MIRROR: 'off',
      MIRROR_PER_SECOND: '50',
      IMAGE_STORE_GB: '0',
      IMAGE_VARIANTS_MB: '64',
      SHELVING_PROCESS: 'off',
      FILE_READER_MB: '256',
      IMAGE_DECODER_MB: '512',
      S3_BUCKET: 'pictures',
      S3_ENDPOINT: 'https://store.example.com/',
      S3_REGION: 'eu-central-1',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
      S3_PATH_STYLE: 'false',
      ACCOUNTS_PER_PERSON: '3',
      DEMO: 'no',
      OIDC_ISSUER: 'https://login.example.com/realms/acme',
      OIDC_CLIENT_ID: 'shelfwire',
      OIDC_CLIENT_SECRET: 'of the client',
      OIDC_LABEL: 'Acme Login',
      OIDC_EMAIL_DOMAINS: 'Example.com, example.org',
      OIDC_NEW_PEOPLE: 'any',
      OIDC_SECOND_FACTOR: 'always',
      OIDC_SIGN_OUT: 'provider',
      LOCAL_SIGN_IN: 'off',
    }
    expect(readSettings(env)).toEqual({
      host: '0.0.0.0',
      port: 0,
      dataDir: '/var/lib/shelfwire',
      databaseUrl: 'postgresql://u:p@db/x',
      databaseDirectUrl: 'postgres://u:p@primary/x',
      databaseConnectionsMax: 2,
      databaseNodeConnectionsMax: 0,
      accountsPerPerson: 3,
      provider: {
        issuer: 'https://login.example.com/realms/acme',
        clientId: 'shelfwire',
        clientSecret: 'of the client',
        label: 'Acme Login',
        emailDomains: ['example.com', 'example.org'],
        newPeople: 'any',
        secondFactor: 'always',
        signOut: 'provider',
      },
      localSignIn: false,
      demo: false,
      databasePrepare: false,
      publicUrl: 'https://api.example.com/base',
      trustedProxies: ['10.0.0.0/8', '::1/128'],
      metricsToken: 'scrape-me-1234567890',
      metricsPort: 9464,
      metricsHost: '0.0.0.0',
      operatorToken: 'o'.repeat(32),
      backupHoursMax: 26,
      logLevel: 'debug',
      accountLimits: { products: 500, picture_bytes: null },
      ratePerSecond: 0,
      webhooksPerSecond: 10,
      outboundAllow: ['127.0.0.0/8', '::1/128'],
      secretKeys: ['a'.repeat(32), 'b'.repeat(40)],
      importDir: '/srv/suppliers',
      walArchiveDir: '/srv/archive',
      smtpUrl: 'smtps://u:p@mail',
      mailFrom: 'Shop <a@b.example>',
      imageUrl: 'https://cdn.example.com/shop',
      exchangeRatesUrl: 'https://mirror.example/ecb.xml',
      mirror: false,
      mirrorPerSecond: 50,
      imageStoreBytesMax: null,
      s3: {
        endpoint: 'https://store.example.com',
        region: 'eu-central-1',
        bucket: 'pictures',
        accessKeyId: 'key',
        secretAccessKey: 'secret',
        isPathStyle: false,
      },
      imageVariantsBytesMax: 64_000_000,
      clockOffsetMs: 0,
      shelvingProcess: false,
      fileReaderMegabytes: 256,
      imageDecoderMegabytes: 512,
      tracing: null,
    })
    expect(readSettings(Object.fromEntries(Object.keys(env).map((name) => [name, ''])))).toEqual(readSettings({}))
  })

  it('make a relative data directory absolute', () => {
    expect(readSettings({ DATA_DIR: 'x/../y' }).dataDir).toBe(resolve('y'))
  })

  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80a'],
    ['PORT', '8080.5'],
    ['PORT', '1e3'],
    ['PORT', ' 80'],
    ['PORT', '99999999999'],
    ['DATABASE_CONNECTIONS_MAX', '1'],
    ['DATABASE_CONNECTIONS_MAX', '101'],
    ['DATABASE_CONNECTIONS_MAX', 'many'],
    ['DATABASE_NODE_CONNECTIONS_MAX', '-1'],
    ['DATABASE_NODE_CONNECTIONS_MAX', '101'],
    ['DATABASE_PREPARE', 'yes'],
    ['DATABASE_PREPARE', '0'],
    ['DATABASE_PREPARE', 'TRUE'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_URL', 'not a url'],
    ['PUBLIC_URL', 'ftp://example.com'],
    ['PUBLIC_URL', 'example.com'],
    ['PUBLIC_URL', '//example.com'],
    ['TRUSTED_PROXIES', '10.0.0.1'],
    ['TRUSTED_PROXIES', 'loopback'],
    ['METRICS_TOKEN', 'short'],
    ['OPERATOR_TOKEN', 'o'.repeat(31)],
    ['OPERATOR_TOKEN', `sw_f${'o'.repeat(38)}`],
    ['BACKUP_MAX_AGE_HOURS', '0'],
    ['METRICS_TOKEN', 'with blanks in it, 1234'],
    ['METRICS_PORT', '65536'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_LEVEL', 'INFO'],
    ['RATE_LIMIT_PER_SECOND', '-5'],
    ['RATE_LIMIT_PER_SECOND', '1000001'],
    ['RATE_LIMIT_PER_SECOND', 'off'],
    ['MIRROR', 'true'],
    ['MIRROR_PER_SECOND', '0'],
    ['IMAGE_STORE_GB', '-1'],
    ['WEBHOOKS_PER_SECOND', '0'],
    ['OUTBOUND_ALLOW', '127.0.0.1'],
    ['OUTBOUND_ALLOW', '10.0.0.0/33'],
    ['OUTBOUND_ALLOW', '10.0.0.0/8,localhost'],
    ['SECRET_KEY', 'short'],
    ['SECRET_KEY', `${'a'.repeat(32)},short`],
    ['SMTP_URL', 'mail.example.com'],
    ['SMTP_URL', 'http://mail.example.com'],
  ])('refuse %s=%s by its name', (name, value) => {
    expect(faults({ [name]: value })).toEqual([name])
  })

  it('report all invalid variables at once', () => {
    expect(
      faults({
        PORT: 'x',
        LOG_LEVEL: 'x',
        DATABASE_URL: 'x',
        PUBLIC_URL: 'x',
        DATABASE_PREPARE: 'x',
        RATE_LIMIT_PER_SECOND: 'x',
      }).sort(),
    ).toEqual(['DATABASE_PREPARE', 'DATABASE_URL', 'LOG_LEVEL', 'PORT', 'PUBLIC_URL', 'RATE_LIMIT_PER_SECOND'])
  })

  it('refuse a direct URL that is none, and one without DATABASE_URL', () => {
    expect(faults({ DATABASE_URL: 'postgres://db/x', DATABASE_DIRECT_URL: 'mysql://db/x' })).toEqual([
      'DATABASE_DIRECT_URL',
    ])
    expect(() => readSettings({ DATABASE_DIRECT_URL: 'postgres://db/x' })).toThrow(
      'DATABASE_DIRECT_URL must not be set without DATABASE_URL',
    )
  })

  it('do not repeat a refused URL, which may hold a password', () => {
    expect(() => readSettings({ DATABASE_URL: 'mysql://root:hunter2@db/x' })).toThrow(/^(?!.*hunter2).*DATABASE_URL/s)
    expect(() =>
      readSettings({ DATABASE_URL: 'postgres://db/x', DATABASE_DIRECT_URL: 'mysql://root:hunter2@db/x' }),
    ).toThrow(/^(?!.*hunter2).*DATABASE_DIRECT_URL/s)
    expect(() => readSettings({ METRICS_TOKEN: 'hunter2' })).toThrow(/^(?!.*hunter2).*METRICS_TOKEN/s)
  })

  it('of a provider are refused if nobody could sign in safely with them; the error names each of them', () => {
    const faultsOf = (env: Record<string, string>) => {
      try {
        readSettings(env)
        return []
      } catch (error) {
        return (error as ShelfwireError).faults.map(({ name }) => name)
      }
    }
    const whole = { OIDC_CLIENT_ID: 'c', OIDC_CLIENT_SECRET: 's', PUBLIC_URL: 'https://shop.example.com' }
    for (const issuer of [
      'http://login.example.com',
      'https://login.example.com/?a',
      'https://u@login.example.com',
      'login',
      'https://login.example.com/#',
    ])
      expect([issuer, faultsOf({ ...whole, OIDC_ISSUER: issuer })]).toEqual([issuer, ['OIDC_ISSUER']])
    expect(faultsOf({ ...whole, OIDC_ISSUER: 'http://127.0.0.1:3000' })).toEqual([])
    expect(faultsOf({ OIDC_ISSUER: 'https://login.example.com' })).toEqual([
      'PUBLIC_URL',
      'OIDC_CLIENT_ID',
      'OIDC_CLIENT_SECRET',
    ])
    expect(faultsOf({ OIDC_LABEL: 'x', LOCAL_SIGN_IN: 'off' })).toEqual(['OIDC_LABEL', 'LOCAL_SIGN_IN'])
    expect(
      faultsOf({
        ...whole,
        OIDC_ISSUER: 'https://l.example.com',
        OIDC_NEW_PEOPLE: 'all',
        OIDC_EMAIL_DOMAINS: '@example.com',
      }),
    ).toEqual(['OIDC_EMAIL_DOMAINS', 'OIDC_NEW_PEOPLE'])
  })
})
