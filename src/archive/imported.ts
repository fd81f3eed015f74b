import { createHash, randomBytes } from 'node:crypto'
import { faultOfEmail } from '../accounts/members.ts'
import type { Seal } from '../platform/secrets/seal.ts'
import { urlHashOf } from '../images/register/url-hash.ts'
import { newSecret } from '../outbound/signature.ts'
import { sealContext } from '../webhooks/secret.ts'
import { startsAt, type StartNumbers } from '../webhooks/plan/plan.ts'
import type { ChangeKind } from '../model/change.ts'
import type { IdKind, NewIds } from './new-ids.ts'
import { must } from '../platform/must.ts'

// How the rows of each exported table are imported: which columns contain ids that are assigned anew, and which values are not taken over unchanged.
// A test compares this with the exported tables; docs/account-archive.md lists what stays in the archive.

type Row = Readonly<Record<string, unknown>>
/** Values of columns that are not taken from the archive. */
type Given = Record<string, unknown>

export interface ImportedTable {
  /** The kind of its ids, which are assigned anew and which other rows refer to. */
  id?: IdKind
  /** A column whose values the database assigns anew, in the order of the rows; nothing refers to them. */
  numbered?: string
  /** Columns that contain an id, or null. In the columns of `zero`, 0 means none. */
  names?: Readonly<Record<string, IdKind>>
  zero?: readonly string[]
  /** Columns that contain a list of ids. */
  lists?: Readonly<Record<string, IdKind>>
  /** Columns for which `change` provides the values. */
  gives?: readonly string[]
  /** @returns what is wrong with the row; SKIP: it is not imported; null: it is imported */
  change?(row: Row, given: Given, context: RowContext): string | null
}

/** Returned by `change` for a row that is not imported. */
export const SKIP = 'skip'

export interface RowContext {
  accountId: number
  /** The name of the new account; null: as in the archive. */
  name: string | null
  ids: NewIds
  seal: Seal
  /** The last number of the new account's feed. */
  head: number
  /** Hashes of pictures whose bytes are missing. */
  missing: ReadonlySet<string>
  now: Date
  /** Codes of suppliers by their new ids. */
  suppliers: Map<number, string>
  states: { endpointId: number; starts: StartNumbers }[]
  toSet: ToSet
}

/** What the archive does not contain, or the operator has to decide. */
export interface ToSet {
  endpoints: { endpoint_id: number; url: string }[]
  sources: { supplier: string; name: string; needs_credentials: boolean }[]
  channel_files: { channel_id: number; name: string }[]
  notice_channels: { name: string; kind: string }[]
  tokens: { name: string; access: string }[]
  members: { email: string; role: string }[]
}

export const emptyToSet = (): ToSet => ({
  endpoints: [],
  sources: [],
  channel_files: [],
  notice_channels: [],
  tokens: [],
  members: [],
})

/** The value of a column of type text that is not null. */
const textIn = (row: Row, column: string): string => {
  const value = row[column]
  return typeof value === 'string' ? value : ''
}

const ofProduct = { names: { product_id: 'product' } } as const satisfies ImportedTable
const DAY_MS = 86_400_000
const REFRESH_DAYS = 7

/** By table; without those of LEFT_IN_ARCHIVE. */
export const IMPORTED_TABLES: Readonly<Record<string, ImportedTable>> = {
  account: {
    gives: ['name'],
    change(row, given, { name }) {
      given['name'] = name ?? row['name']
      return null
    },
  },
  store: { id: 'store' },
  customer_group: { id: 'customer_group' },
  exchange_rate: {},
  supplier: {
    id: 'supplier',
    change(row, given, { suppliers }) {
      suppliers.set(Number(given['supplier_id']), textIn(row, 'code'))
      return null
    },
  },
  supplier_heard: { names: { supplier_id: 'supplier' } },
  supplier_source: {
    numbered: 'source_id',
    names: { supplier_id: 'supplier' },
    gives: ['credentials', 'credentials_kind', 'is_active', 'failures', 'failed_since', 'failure'],
    change(row, given, { suppliers, toSet }) {
      const isSent = row['kind'] === 'upload'
      const needsCredentials = row['credentials_kind'] !== null
      Object.assign(given, {
        credentials: null,
        credentials_kind: null,
        failures: 0,
        failed_since: null,
        failure: null,
      })
      // nothing is fetched before the operator or the owner has checked the source
      given['is_active'] = isSent ? row['is_active'] : false
      if (isSent) return null
      const supplier = must(suppliers.get(Number(given['supplier_id'])))
      toSet.sources.push({ supplier, name: textIn(row, 'name'), needs_credentials: needsCredentials })
      return null
    },
  },
  tax_class: {},
  source_order: { lists: { supplier_ids: 'supplier' } },
  category: { numbered: 'category_id' },
  attribute_definition: {},
  product: { id: 'product' },
  pricing_rule: {
    id: 'pricing_rule',
    lists: { store_ids: 'store', group_ids: 'customer_group', product_ids: 'product', supplier_ids: 'supplier' },
  },
  exclusion_rule: { numbered: 'rule_id', lists: { store_ids: 'store', supplier_ids: 'supplier' } },
  assortment_rule: { numbered: 'rule_id', names: { store_id: 'store' }, lists: { supplier_ids: 'supplier' } },
  product_ean: { names: { product_id: 'product', supplier_id: 'supplier' }, zero: ['supplier_id'] },
  offer: { names: { product_id: 'product', supplier_id: 'supplier' } },
  offer_content: { names: { product_id: 'product', supplier_id: 'supplier' } },
  own_stock: ofProduct,
  product_override: ofProduct,
  attribute_override: ofProduct,
  product_listing: { names: { product_id: 'product', store_id: 'store' } },
  product_exclusion: { names: { product_id: 'product', store_id: 'store' }, zero: ['store_id'] },
  price_list: { names: { group_id: 'customer_group' }, lists: { store_ids: 'store' } },
  price_list_entry: { names: { product_id: 'product', group_id: 'customer_group' }, zero: ['group_id'] },
  product_slug: { names: { product_id: 'product', store_id: 'store' } },
  own_variant_group: { id: 'own_variant_group' },
  own_variant: { names: { product_id: 'product', group_id: 'own_variant_group' } },
  price_hold: {
    names: {
      product_id: 'product',
      store_id: 'store',
      group_id: 'customer_group',
      shown_rule_id: 'pricing_rule',
      wanted_rule_id: 'pricing_rule',
    },
    change: (row, _given, { ids }) => (ids.isGone('customer_group', Number(row['group_id'])) ? SKIP : null),
  },
  price_history: {
    numbered: 'history_id',
    names: { product_id: 'product', store_id: 'store' },
    gives: ['shown'],
    change(row, given, { ids }) {
      const shown = row['shown']
      if (shown === null) given['shown'] = null
      else {
        const [currency, ...prices] = textIn(row, 'shown').split(' ')
        const known = prices.map((price) => /^(\d{1,15}):(\S+)$/.exec(price))
        if (known.includes(null)) return 'shown is not a currency with the prices of groups'
        given['shown'] = [
          currency,
          ...known.map((price) => {
            const [, group, amount] = must(price)
            return `${must(ids.of('customer_group', Number(group)))}:${amount}`
          }),
        ].join(' ')
      }
      return null
    },
  },
  image: {
    gives: ['state', 'hash', 'type', 'width', 'height', 'bytes', 'reason', 'adopted_at', 'next_fetch_at'],
    change(row, given, context) {
      if (row['url_hash'] !== urlHashOf(textIn(row, 'url'))) return 'url_hash is not that of the URL'
      Object.assign(given, pictureAfter(row, context))
      return null
    },
  },
  channel_file: {
    id: 'channel_file',
    names: { store_id: 'store', group_id: 'customer_group' },
    gives: ['secret_hash'],
    change(row, given, { toSet }) {
      // the hash of a random secret that nobody knows
      given['secret_hash'] = `\\x${createHash('sha256').update(randomBytes(32)).digest('hex')}`
      toSet.channel_files.push({ channel_id: Number(given['channel_id']), name: textIn(row, 'name') })
      return null
    },
  },
  endpoint: {
    id: 'endpoint',
    names: { store_id: 'store' },
    gives: ['secret', 'is_enabled', 'previous_secret'],
    change(row, given, { accountId, seal, head, states, toSet }) {
      const url = textIn(row, 'url')
      if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return 'url must begin with http:// or https://'
      const endpointId = Number(given['endpoint_id'])
      Object.assign(given, {
        secret: seal.close(newSecret(), sealContext(accountId)),
        previous_secret: null,
        is_enabled: false,
      })
      const storeId = typeof given['store_id'] === 'number' ? given['store_id'] : null
      states.push({ endpointId, starts: startsAt({ kinds: row['kinds'] as ChangeKind[], storeId }, head) })
      toSet.endpoints.push({ endpoint_id: endpointId, url })
      return null
    },
  },
  notice_channel: {
    numbered: 'channel_id',
    gives: ['settings', 'is_paused'],
    change(row, given, { toSet }) {
      Object.assign(given, { settings: null, is_paused: true })
      toSet.notice_channels.push({ name: textIn(row, 'name'), kind: textIn(row, 'kind') })
      return null
    },
  },
  token: {
    change(row, _given, { now, toSet }) {
      const isOver =
        row['revoked_at'] !== null || (row['expires_at'] !== null && new Date(textIn(row, 'expires_at')) < now)
      if (!isOver) toSet.tokens.push({ name: textIn(row, 'name'), access: textIn(row, 'access') })
      return SKIP
    },
  },
  member: {
    numbered: 'member_id',
    change(row, _given, { toSet }) {
      const fault = faultOfEmail(textIn(row, 'email'))
      if (fault !== null) return `email ${fault}`
      toSet.members.push({ email: textIn(row, 'email'), role: textIn(row, 'role') })
      return null
    },
  },
}

/** What an archive contains but an import does not use, with the reason; of `token` only the names are read. */
export const LEFT_IN_ARCHIVE: Readonly<Record<string, string>> = {
  token: 'have no hash in the archive: create new ones',
  people: 'are the members again, with names',
  import_run: 'are about files and work of the original installation',
  import_run_refusal: 'are about files and work of the original installation',
  audit_entry: 'name people, resources and addresses of the original installation',
  notice: 'were sent by the original installation about its own work',
}

/** The state of a picture after the import: unchanged if its bytes are in the store; otherwise as if the store had lost them. */
function pictureAfter(row: Row, { missing, now }: RowContext): Given {
  const { state, hash, type, width, height, bytes, reason, adopted_at: adoptedAt } = row
  const after = (ms: number) => new Date(now.getTime() + ms).toISOString()
  const isOwn = row['next_fetch_at'] === null
  if (typeof hash === 'string' && missing.has(hash)) {
    const without = { hash: null, type: null, width: null, height: null, bytes: null, adopted_at: null, reason: 'lost' }
    return isOwn && adoptedAt === null
      ? { ...without, state: 'dead', next_fetch_at: after(DAY_MS) }
      : { ...without, state: 'pending', next_fetch_at: after(0) }
  }
  // spread over time, so that no source gets requests for all pictures at once
  const days = state === 'pending' ? 0 : state === 'mirrored' ? REFRESH_DAYS : 1
  const fetchedAt = isOwn ? null : after(days * DAY_MS * Math.random())
  return { state, hash, type, width, height, bytes, reason, adopted_at: adoptedAt, next_fetch_at: fetchedAt }
}
