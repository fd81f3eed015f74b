import { sourceSealContext } from '../imports/sources/credentials.ts'
import { noticeChannelSealContext } from '../notices/notice-channels.ts'
import { totpContext } from '../people/sign-in/sign-in.ts'
import { sealContext } from '../webhooks/secret.ts'

/** A row that has a sealed value. */
export interface SealedRow {
  /** Null for what belongs to no account. */
  accountId: number | null
  /** The rest of its key: an endpoint's, a source's, a channel's or a person's id. */
  id: number
  /** As stored. */
  sealed: string
  /** The supplier of a source. */
  supplierId: number | null
  name: string | null
}

/** Values of one column that are sealed with SECRET_KEY. */
export interface SealedKind {
  table: 'endpoint' | 'person' | 'supplier_source' | 'notice_channel'
  /** Its key beside account_id. */
  id: 'endpoint_id' | 'person_id' | 'source_id' | 'channel_id'
  column: string
  /** What they are, in the plural, for the operator of the service. */
  what: string
  /** What a value was sealed with (src/platform/secrets/seal.ts). */
  contextOf(row: SealedRow): string
}

const ofAccount = ({ accountId }: SealedRow): number => {
  if (accountId === null) throw new Error('a row of an account has an account')
  return accountId
}
const ENDPOINT = { table: 'endpoint', id: 'endpoint_id' } as const
const PERSON = { table: 'person', id: 'person_id' } as const

/** All of them: what is sealed and not listed here is lost with its key. A test looks for others in the whole database. */
export const SEALED_KINDS: readonly SealedKind[] = [
  {
    ...ENDPOINT,
    column: 'secret',
    what: 'signing secrets of endpoints',
    contextOf: (row) => sealContext(ofAccount(row)),
  },
  // after `secret`: a rotation moves a value from there to here
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
