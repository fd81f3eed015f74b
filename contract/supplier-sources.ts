import Type from 'typebox'
import type { AccountResource } from './account-resource.ts'
import { OneOf } from './one-of.ts'
import { PathKey } from './parameters.ts'
import { closed, Flag, Id, must, Null, optional, orNull, Text } from './values.ts'

// Sources: where a supplier's files are fetched from, how they are read, and when.

export const SOURCE_KINDS = ['http', 'sftp', 'ftp', 'directory', 'upload'] as const
export const CREDENTIAL_KINDS = ['basic', 'bearer', 'header', 'password', 'key'] as const

const Time = (description: string) => orNull(Type.String({ format: 'date-time', description }), 'must be a string')

const Credentials = Type.Union(
  [
    Type.Object(
      {
        kind: OneOf(CREDENTIAL_KINDS, {
          description:
            'basic (username, password), bearer (token) or header (name, value) of an HTTP source; password (username, password) or key (username, private_key, passphrase) of an SFTP source; password of an FTP source.',
          ...must(`must be one of ${CREDENTIAL_KINDS.join(', ')}`),
        }),
        ...optional({
          username: Text,
          password: Text,
          token: Text,
          name: Type.String({ description: 'Of the header.' }),
          value: Type.String({ description: 'Of the header.' }),
          private_key: Type.String({ description: 'In the form of OpenSSH or PEM.' }),
          passphrase: Type.String({ description: 'Of the private key.' }),
        }),
      },
      closed,
    ),
    Null,
  ],
  {
    description:
      'What the server asks for. Stored encrypted and never shown: an answer has the kind alone, and the kind alone, sent back, keeps what is stored. Sent to the server of the URL only, and forgotten when the URL leads to another one.',
    ...must('must be an object with a kind'),
  },
)

const SourceStatus = Type.Object({
  next_run_at: Time('When it is fetched next, by its schedule or again after a failure; null: not automatically.'),
  last_run_at: Time('When it was asked for last.'),
  failures: Type.Integer({ minimum: 0, description: 'Runs in a row that could not fetch the file.' }),
  failed_since: Time('Since when no run has imported anything; null: the last one did.'),
  failure: Type.Union([Text, Null], { description: 'Why the last run imported nothing.' }),
})

export const SOURCES = {
  path: 'suppliers/{code}/sources',
  tag: 'sources',
  params: { code: PathKey('The supplier’s code.') },
  noun: 'source',
  key: { name: 'name', isText: true, description: 'The source’s name.' },
  fields: {
    name: Type.String({ description: '1 to 63 of a-z, 0-9 and -, unique for the supplier. Never changes.' }),
    kind: OneOf(SOURCE_KINDS, {
      description:
        'http: fetched from a URL; sftp, ftp: from a server; directory: from a directory of this server, below the setting IMPORT_DIR; upload: not fetched, but how files are read that are sent. Never changes.',
      ...must(`must be one of ${SOURCE_KINDS.join(', ')}`),
    }),
    url: orNull(
      Type.String({
        description:
          'https:// or http:// of an http source; sftp:// of an sftp source; ftp://, ftps:// (implicit TLS) or ftpes:// (explicit TLS) of an ftp source. There the last part may have a *, such as sftp://files.example/out/stock-*.csv: the newest file of such a name is taken.',
      }),
      'must be a string',
    ),
    path: orNull(
      Type.String({
        description:
          'Of a directory source: a file below IMPORT_DIR. Its name may have a *, such as north/*.csv: the newest is taken.',
      }),
      'must be a string',
    ),
    credentials: Credentials,
    host_key: orNull(
      Type.String({
        description:
          'Of an sftp source: fingerprint of the server’s key, such as SHA256:…; as ssh-keygen -lf shows it. When it is not set, that of the first contact is kept. A server with another key is refused.',
      }),
      'must be a string',
    ),
    mapping: Type.Record(Text, Type.Unknown(), {
      description:
        'How the file is read: a mapping, or {"preset": name} of a ready one, with what differs from it. Replaced as a whole.',
      ...must('must be an object: a mapping, or {"preset": name}'),
    }),
    mode: OneOf(['full', 'delta'], {
      description:
        'full: the file has all offers of the supplier, and what is missing is no longer in stock; delta: only those that changed. A supplier has at most one active full source.',
      ...must('must be full or delta'),
    }),
    cron: orNull(
      Type.String({
        description:
          'When it is fetched: minute, hour, day of the month, month, day of the week, such as 30 5 * * 1-6.',
      }),
      'must be a string',
    ),
    time_zone: orNull(Type.String({ description: 'Of cron (IANA); the account’s unless set.' }), 'must be a string'),
    every_minutes: orNull(
      Type.Integer({ description: 'In place of cron: fetched so many minutes after the last time, 5 at least.' }),
      'must be a whole number',
    ),
    is_active: Type.Boolean({ description: 'An inactive source is not fetched automatically.' }),
  },
  secrets: ['credentials'],
  required: ['name', 'kind', 'mapping'],
  fixed: ['name', 'kind'],
  given: { id: Id },
  state: { status: SourceStatus },
  schema: 'SourceResource',
  deletion: 'It is no longer fetched; what was imported stays. A run of it that has not begun fails.',
} as const satisfies AccountResource

/** The answer to starting a run of a source. */
export const SourceRun = Type.Object(
  { run_id: Type.Integer({ minimum: 1, format: 'int64', description: 'The run that was asked for.' }) },
  { $id: 'SourceRun' },
)

export const runSourceBody = Type.Object(
  optional({
    dry_run: Type.Boolean({ description: 'Fetch, read and compare, but write nothing.' }),
    confirm: Type.Boolean({ description: 'Import it also where it exceeds the thresholds of the supplier.' }),
  }),
  closed,
)

/** The result of a test of a source. */
export const SourceTest = Type.Object(
  {
    is_ok: Flag,
    fault: Type.Union([Text, Null], { description: 'A word for what failed, such as http_404 or no_address.' }),
    detail: Type.String({ description: 'What was found, or what failed and what to do.' }),
    file_name: Type.Union([Text, Null]),
    bytes: Type.Union([Type.Integer(), Null], { description: 'Size of the file, where it is known.' }),
    format: Type.Union([Text, Null], { description: 'By its content; null where it could not be told.' }),
    preset: Type.Union([Text, Null], { description: 'A ready mapping that fits its columns.' }),
    host_key: Type.Union([Text, Null], { description: 'Fingerprint of the key that an SFTP server showed.' }),
  },
  { $id: 'SourceTest' },
)
