import type { Settings } from '../../platform/settings/settings.ts'

type Shown = string | number | boolean | null | Readonly<Record<string, unknown>>

const isSet = (value: unknown): string => (value === null || value === undefined ? 'not set' : 'set')
/** Only the protocol of a URL: names of machines and passwords must not be shown. */
const protocolOf = (url: string | null): string => (url === null ? 'not set' : `set, ${new URL(url).protocol}//`)
const count = (values: readonly unknown[]): string => `${values.length} entries`

/**
 * How each setting is shown. A new setting does not compile until this list says how.
 * docs/decisions/192-a-support-bundle-is-a-list-of-what-is-told.md says why.
 */
export function shownSettings(settings: Settings): Record<keyof Settings, Shown> {
  const { s3, tracing } = settings
  return {
    host: ['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::'].includes(settings.host) ? settings.host : 'set',
    port: settings.port,
    dataDir: 'set',
    databaseUrl: isSet(settings.databaseUrl),
    databaseDirectUrl: isSet(settings.databaseDirectUrl),
    databaseConnectionsMax: settings.databaseConnectionsMax,
    databaseNodeConnectionsMax: settings.databaseNodeConnectionsMax,
    databasePrepare: settings.databasePrepare,
    publicUrl: protocolOf(settings.publicUrl),
    trustedProxies: count(settings.trustedProxies),
    metricsToken: isSet(settings.metricsToken),
    metricsPort: settings.metricsPort,
    metricsHost: 'set',
    operatorToken: isSet(settings.operatorToken),
    backupHoursMax: settings.backupHoursMax,
    logLevel: settings.logLevel,
    accountLimits: settings.accountLimits,
    accountsPerPerson: settings.accountsPerPerson,
    provider:
      settings.provider === null
        ? 'not set'
        : {
            issuer: protocolOf(settings.provider.issuer),
            label: isSet(settings.provider.label),
            emailDomains: count(settings.provider.emailDomains),
            newPeople: settings.provider.newPeople,
            secondFactor: settings.provider.secondFactor,
            signOut: settings.provider.signOut,
          },
    localSignIn: settings.localSignIn,
    demo: settings.demo,
    ratePerSecond: settings.ratePerSecond,
    webhooksPerSecond: settings.webhooksPerSecond,
    outboundAllow: count(settings.outboundAllow),
    secretKeys: count(settings.secretKeys),
    importDir: isSet(settings.importDir),
    walArchiveDir: isSet(settings.walArchiveDir),
    smtpUrl: protocolOf(settings.smtpUrl),
    mailFrom: 'set',
    imageUrl: protocolOf(settings.imageUrl),
    exchangeRatesUrl: protocolOf(settings.exchangeRatesUrl),
    mirror: settings.mirror,
    mirrorPerSecond: settings.mirrorPerSecond,
    imageStoreBytesMax: settings.imageStoreBytesMax,
    s3: s3 === null ? 'not set' : { endpoint: protocolOf(s3.endpoint), isPathStyle: s3.isPathStyle },
    imageVariantsBytesMax: settings.imageVariantsBytesMax,
    clockOffsetMs: settings.clockOffsetMs,
    shelvingProcess: settings.shelvingProcess,
    fileReaderMegabytes: settings.fileReaderMegabytes,
    imageDecoderMegabytes: settings.imageDecoderMegabytes,
    tracing:
      tracing === null
        ? 'not set'
        : { endpoint: protocolOf(tracing.endpoint), sampler: tracing.sampler, ratio: tracing.ratio },
  }
}
