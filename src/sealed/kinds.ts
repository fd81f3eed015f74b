import { sourceSealContext } from '../imports/sources/credentials.ts'
import { noticeChannelSealContext } from '../notices/notice-channels.ts'
import { totpContext } from '../people/sign-in/sign-in.ts'
import { sealContext } from '../webhooks/secret.ts'

/** A row that has a sealed value. */
export interface SealedRow {
  /** Null for a kind that belongs to no account. */
  accountId: number | null
  /** Rest of the row's key: the id of an endpoint, source, channel or person. */
  id: number
  /** The sealed text as stored. */
  sealed: string
  /** The supplier, for a source; otherwise null. */
  supplierId: number | null
  name: string | null
}

/** Values of one column that are sealed with SECRET_KEY. */
export interface SealedKind {
  table: 'endpoint' | 'person' | 'supplier_source' | 'notice_channel'
  /** Column of the key besides account_id. */
  id: 'endpoint_id' | 'person_id' | 'source_id' | 'channel_id'
  column: string
  /** The kind of values, in the plural, for the operator. */
  what: string
  /** The context that a value was sealed with (src/platform/secrets/seal.ts). */
  contextOf(row: SealedRow): string
}

const ofAccount = ({ accountId }: SealedRow): number => {
  if (accountId === null) throw new Error('a row of an account has an account')
  return accountId
}
const ENDPOINT = { table: 'endpoint', id: 'endpoint_id' } as const
const PERSON = { table: 'person', id: 'person_id' } as const

/** All kinds. A sealed value that is not listed here is lost with its key; a test searches the whole database for such values. */
export const SEALED_KINDS: readonly SealedKind[] = [
  {
    ...ENDPOINT,
    column: 'secret',
    what: 'signing secrets of endpoints',
    contextOf: (row) => sealContext(ofAccount(row)),
  },
  // after `secret`, because a rotation during the run moves a value from there to here
  {
    ...ENDPOINT,
    column: 'previous_secret',
    what: 'previous signing secrets of endpoints',
    contextOf: (row) => sealContext(ofAccount(row)),
  },
  {
    table: 'supplier_source',
    id: 'source_id',
    column: 'credentials',
    what: 'credentials of sources',
    contextOf(row) {
      const { supplierId, name } = row
      if (supplierId === null || name === null) throw new Error('a source has a supplier and a name')
      return sourceSealContext({ accountId: ofAccount(row), supplierId, name })
    },
  },
  {
    table: 'notice_channel',
    id: 'channel_id',
    column: 'settings',
    what: 'addresses of notice channels',
    contextOf: (row) => noticeChannelSealContext(ofAccount(row)),
  },
  { ...PERSON, column: 'totp_pending', what: 'codes that are being set up', contextOf: ({ id }) => totpContext(id) },
  { ...PERSON, column: 'totp_secret', what: 'secrets of authenticator apps', contextOf: ({ id }) => totpContext(id) },
]
