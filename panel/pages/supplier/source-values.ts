import { isReadyMapping } from '../../../contract/file-formats.ts'
import type { CredentialsKind, Source, SourceKind } from '../../api/sources.ts'
import { NO_SCHEDULE, typedSchedule, writtenSchedule, type TypedSchedule } from './schedule.ts'

// The values of a source's form, and the body that it sends.

const BESIDE_PRESET: ReadonlySet<string> = new Set(['preset', 'locale', 'imageBaseUrl'])

export const CREDENTIALS_OF: Readonly<Record<SourceKind, readonly CredentialsKind[]>> = {
  http: ['basic', 'bearer', 'header'],
  sftp: ['password', 'key'],
  ftp: ['password'],
  directory: [],
  upload: [],
}

export type SourceValues = {
  name: string
  kind: SourceKind
  url: string
  path: string
  /** '': none; kept: the stored ones; otherwise the kind that is typed now. */
  credentials: '' | 'kept' | CredentialsKind
  username: string
  password: string
  token: string
  header_name: string
  header_value: string
  private_key: string
  passphrase: string
  host_key: string
  /**
   * own: the source's; later: the columns are mapped next; of:NAME: that of another source; otherwise the name of a ready mapping.
   */
  mapping: string
  locale: string
  image_base_url: string
  mode: Source['mode']
  schedule: TypedSchedule
}

const NOTHING_TYPED = {
  username: '',
  password: '',
  token: '',
  header_name: '',
  header_value: '',
  private_key: '',
  passphrase: '',
}

export const NEW_SOURCE: SourceValues = {
  ...NOTHING_TYPED,
  name: '',
  kind: 'http',
  url: '',
  path: '',
  credentials: '',
  host_key: '',
  mapping: 'later',
  locale: '',
  image_base_url: '',
  mode: 'full',
  schedule: { ...NO_SCHEDULE, when: 'times' },
}

/** The prefix of `mapping` for the mapping of another source. */
export const MAPPING_OF = 'of:'

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** The form's values of a source. */
export function typedSource(source: Source): SourceValues {
  const { mapping } = source
  const isReady =
    isReadyMapping(textOf(mapping['preset'])) && Object.keys(mapping).every((name) => BESIDE_PRESET.has(name))
  return {
    ...NOTHING_TYPED,
    name: source.name,
    kind: source.kind,
    url: source.url ?? '',
    path: source.path ?? '',
    credentials: source.credentials === null ? '' : 'kept',
    host_key: source.host_key ?? '',
    mapping: isReady ? textOf(mapping['preset']) : 'own',
    locale: isReady ? textOf(mapping['locale']) : '',
    image_base_url: isReady ? textOf(mapping['imageBaseUrl']) : '',
    mode: source.mode,
    schedule: typedSchedule(source),
  }
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())

/** All members to send. @param stored the kind of the stored credentials */
function writtenSource(values: SourceValues, stored: CredentialsKind | null): Record<string, unknown> {
  const { kind, mapping, locale, image_base_url: imageBaseUrl } = values
  const isServer = CREDENTIALS_OF[kind].length > 0
  return {
    url: isServer ? orNull(values.url) : null,
    path: kind === 'directory' ? orNull(values.path) : null,
    credentials: isServer ? writtenCredentials(values, stored) : null,
    host_key: kind === 'sftp' ? orNull(values.host_key) : null,
    mapping: isReadyMapping(mapping)
      ? {
          preset: mapping,
          ...(locale.trim() === '' ? {} : { locale: locale.trim() }),
          ...(imageBaseUrl.trim() === '' ? {} : { imageBaseUrl: imageBaseUrl.trim() }),
        }
      : undefined,
    mode: values.mode,
    ...(kind === 'upload' ? { cron: null, time_zone: null, every_minutes: null } : writtenSchedule(values.schedule)),
  }
}

function writtenCredentials(values: SourceValues, stored: CredentialsKind | null): object | null {
  const { credentials: kind, username, password, token, passphrase } = values
  switch (kind) {
    case '':
      return null
    case 'kept':
      // if the URL leads to another server, the service refuses this, because stored credentials are not sent there
      return stored === null ? null : { kind: stored }
    case 'bearer':
      return { kind, token }
    case 'header':
      return { kind, name: values.header_name, value: values.header_value }
    case 'key':
      return { kind, username, private_key: values.private_key, ...(passphrase === '' ? {} : { passphrase }) }
    case 'basic':
    case 'password':
      break
  }
  return { kind, username, password }
}

/**
 * The body of a creation.
 * @param later members of a source whose columns are mapped later, which is inactive until then
 * @param others the supplier's sources, whose mappings can be used
 */
export function newSourceBody(values: SourceValues, later: object, others: readonly Source[]): object {
  const { mapping: ready, ...rest } = writtenSource(values, null)
  const mapping = ready ?? others.find(({ name }) => values.mapping === MAPPING_OF + name)?.mapping
  return {
    name: values.name.trim(),
    kind: values.kind,
    ...rest,
    mapping: mapping ?? later,
    // an inactive source, which is never fetched, does not conflict with an active one
    ...(mapping === undefined || values.kind === 'upload' ? { is_active: false } : {}),
  }
}

/** The body of a change: the members that were changed. */
export function changedSourceBody(source: Source, values: SourceValues): Record<string, unknown> {
  const stored = source.credentials?.kind ?? null
  const before = writtenSource(typedSource(source), stored)
  const next = writtenSource(values, stored)
  const isElsewhere = before['url'] !== next['url']
  return Object.fromEntries(
    Object.entries(next).filter(
      ([name, value]) =>
        value !== undefined &&
        ((name === 'credentials' && isElsewhere && value !== null) ||
          JSON.stringify(value) !== JSON.stringify(before[name])),
    ),
  )
}

/** The form's field for a fault of the service. */
export function sourceFieldOf(fault: string): string {
  const [first = '', second = ''] = fault.split('.')
  if (first !== 'credentials') return first
  if (second === '' || second === 'kind') return 'credentials'
  return second === 'name' ? 'header_name' : second === 'value' ? 'header_value' : second
}
