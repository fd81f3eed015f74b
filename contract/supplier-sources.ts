import Type from 'typebox'
import type { AccountResource } from './account-resource.ts'
import { OneOf } from './one-of.ts'
import { PathKey } from './parameters.ts'
import { closed, described, Flag, GivenId, must, Null, optional, orNull, Text } from './values.ts'

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
            'Kind of credentials, with the members that it needs. For an http source: basic (username, password), bearer (token) or header (name, value). For an sftp source: password (username, password) or key (username, private_key, passphrase). For an ftp source: password.',
          ...must(`must be one of ${CREDENTIAL_KINDS.join(', ')}`),
        }),
        ...optional({
          username: described(Text, 'User name; for kinds basic, password and key.'),
          password: described(Text, 'Password; for kinds basic and password.'),
          token: described(Text, 'Token; for kind bearer.'),
          name: Type.String({ description: 'Name of the header; for kind header.' }),
          value: Type.String({ description: 'Value of the header; for kind header.' }),
          private_key: Type.String({ description: 'Private key in OpenSSH or PEM format; for kind key.' }),
          passphrase: Type.String({ description: 'Passphrase of the private key; for kind key.' }),
        }),
      },
      closed,
    ),
    Null,
  ],
  {
    description:
      'Credentials for the server; null: none. Stored encrypted and never shown: an answer has only the kind, and sending back only the kind keeps the stored credentials. They are sent only to the server of the URL, and deleted if the URL changes to another server.',
    ...must('must be an object with a kind'),
  },
)

const SourceStatus = Type.Object(
  {
    next_run_at: Time(
      'When the source is fetched next, by its schedule or again after a failure; null if it is not fetched automatically.',
    ),
    last_run_at: Time('When the last run was requested; null if there was none.'),
    failures: Type.Integer({ minimum: 0, description: 'Number of consecutive runs that could not fetch the file.' }),
    failed_since: Time('Since when runs have failed to import anything; null if the last run did not fail.'),
    failure: Type.Union([Text, Null], { description: 'Why the last run imported nothing; null if it did not fail.' }),
  },
  { description: 'State of the source: its last and its next run.' },
)

export const SOURCES = {
  path: 'suppliers/{code}/sources',
  tag: 'sources',
  params: { code: PathKey('The supplier’s code.') },
  noun: 'source',
  key: { name: 'name', isText: true, description: 'The source’s name.' },
  fields: {
    name: Type.String({
      description: 'Name of the source, unique for the supplier: 1 to 63 of a-z, 0-9 and -. Never changes.',
    }),
    kind: OneOf(SOURCE_KINDS, {
      description:
        'Kind of the source. http: fetched from a URL; sftp, ftp: fetched from an SFTP or FTP server; directory: read from a directory of this server, below the setting IMPORT_DIR; upload: not fetched, but states how uploaded files are read. Never changes.',
      ...must(`must be one of ${SOURCE_KINDS.join(', ')}`),
    }),
    url: orNull(
      Type.String({
        description:
          'URL of the file; null for the other kinds. http sources: https:// or http://. sftp sources: sftp://. ftp sources: ftp://, ftps:// (implicit TLS) or ftpes:// (explicit TLS). In URLs of sftp and ftp sources, the last part may contain a *, such as sftp://files.example/out/stock-*.csv: the newest matching file is fetched.',
      }),
      'must be a string',
    ),
    path: orNull(
      Type.String({
        description:
          'Path of the file below IMPORT_DIR, for a directory source. Its name may contain a *, such as north/*.csv: the newest matching file is read.',
      }),
      'must be a string',
    ),
    credentials: Credentials,
    host_key: orNull(
      Type.String({
        description:
          'Fingerprint of the server’s host key, for an sftp source, as ssh-keygen -lf shows it, such as SHA256:…. If not set, the fingerprint of the first connection is stored. A server with another key is refused.',
      }),
      'must be a string',
    ),
    mapping: Type.Record(Text, Type.Unknown(), {
      description:
        'How the file is read: a mapping, or {"preset": name} with the members that differ from that preset. Replaced as a whole.',
      ...must('must be an object: a mapping, or {"preset": name}'),
    }),
    mode: OneOf(['full', 'delta'], {
      description:
        'Scope of the file. full: all offers of the supplier; those that are missing are no longer in stock. delta: only changed offers. A supplier has at most one active full source.',
      ...must('must be full or delta'),
    }),
    cron: orNull(
      Type.String({
        description:
          'Schedule by which the source is fetched, in cron format: minute, hour, day of the month, month, day of the week, such as 30 5 * * 1-6.',
      }),
      'must be a string',
    ),
    time_zone: orNull(
      Type.String({ description: 'Time zone of cron (IANA name); the account’s time zone unless set.' }),
      'must be a string',
    ),
    every_minutes: orNull(
      Type.Integer({ description: 'Interval in minutes at which the source is fetched, at least 5; instead of cron.' }),
      'must be a whole number',
    ),
    is_active: Type.Boolean({ description: 'Whether the source is fetched automatically.' }),
  },
  secrets: ['credentials'],
  required: ['name', 'kind', 'mapping'],
  fixed: ['name', 'kind'],
  given: { id: GivenId('source') },
  state: { status: SourceStatus },
  schema: 'SourceResource',
  deletion: 'The source is no longer fetched; imported data stays. A run of the source that has not begun fails.',
} as const satisfies AccountResource

/** The answer to starting a run of a source. */
export const SourceRun = Type.Object(
  { run_id: Type.Integer({ minimum: 1, format: 'int64', description: 'ID of the requested run.' }) },
  { $id: 'SourceRun', description: 'The run that a request has started.' },
)

export const runSourceBody = Type.Object(
  optional({
    dry_run: Type.Boolean({ description: 'Fetch, read and compare the file, but write nothing.' }),
    confirm: Type.Boolean({ description: 'Import the file even if it exceeds the supplier’s thresholds.' }),
  }),
  closed,
)

/** The result of a test of a source. */
export const SourceTest = Type.Object(
  {
    is_ok: described(Flag, 'Whether the file could be fetched and read.'),
    fault: Type.Union([Text, Null], {
      description: 'Code of the failure, such as http_404 or no_address; null if the test succeeded.',
    }),
    detail: Type.String({ description: 'What the test found, or what failed and what to do.' }),
    file_name: Type.Union([Text, Null], { description: 'Name of the file; null if no file was found.' }),
    bytes: Type.Union([Type.Integer(), Null], { description: 'Size of the file in bytes; null if unknown.' }),
    format: Type.Union([Text, Null], {
      description: 'Format of the file, detected from its content; null if it was not recognized.',
    }),
    preset: Type.Union([Text, Null], {
      description: 'Name of a preset mapping that fits the file’s columns; null if none does.',
    }),
    host_key: Type.Union([Text, Null], {
      description: 'Fingerprint of the host key of the SFTP server; null for other sources.',
    }),
  },
  { $id: 'SourceTest', description: 'Result of a test of a source.' },
)
