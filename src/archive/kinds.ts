// What of an account an archive contains: every table with a column account_id is listed here, as exported or left out with a reason. A test compares
// this with the catalog of the database, so that every new table is decided on; docs/account-archive.md shows both lists.

/** Why something is not in an archive. */
export type LeftOutKind = 'secret' | 'derived' | 'installation' | 'personal'

export interface LeftOut {
  kind: LeftOutKind
  reason: string
}

export interface ExportedTable {
  /** A description of its rows. */
  of: string
  /** Columns that are left out, besides account_id. A secret that is set is written as {"left_out": "secret"}. */
  without?: Readonly<Record<string, LeftOut>>
}

const secret = (reason: string): LeftOut => ({ kind: 'secret', reason })
const derived = (reason: string): LeftOut => ({ kind: 'derived', reason })
const installation = (reason: string): LeftOut => ({ kind: 'installation', reason })
const personal = (reason: string): LeftOut => ({ kind: 'personal', reason })

const OPERATOR = installation('is the operator’s')
const PROGRESS = installation('is how far work of this installation is')
const PERSON = personal('is the number of a sign-in here')

/** A table comes after those that it refers to, so that an import knows the new ids that a row needs. */
export const EXPORTED_TABLES: Readonly<Record<string, ExportedTable>> = {
  account: { of: 'settings of the account', without: { suspended_at: OPERATOR, suspension_reason: OPERATOR } },
  store: { of: 'stores, deleted ones among them: their slugs are never given out again' },
  customer_group: { of: 'customer groups' },
  exchange_rate: { of: 'exchange rates' },
  supplier: { of: 'suppliers with their limits for imports' },
  supplier_heard: { of: 'when suppliers were last heard of' },
  supplier_source: {
    of: 'where files come from, with mappings and schedules',
    without: {
      credentials: secret('is what a supplier’s server asks for'),
      etag: PROGRESS,
      last_modified: PROGRESS,
      scheduled_at: PROGRESS,
      next_run_at: PROGRESS,
      tell_at: PROGRESS,
      told: PROGRESS,
    },
  },
  tax_class: { of: 'tax classes with their rates' },
  source_order: { of: 'which suppliers are asked first for a field' },
  category: { of: 'categories with suppliers’ paths that stand for them' },
  attribute_definition: { of: 'definitions of attributes' },
  product: { of: 'products, deleted ones among them: their ids are never given out again' },
  pricing_rule: { of: 'pricing rules' },
  exclusion_rule: { of: 'exclusion rules' },
  assortment_rule: { of: 'assortment rules' },
  product_ean: { of: 'EANs with who states them' },
  offer: {
    of: 'offers: cost and quantity',
    without: {
      offer_number: derived('is given anew'),
      feed_hash: derived('is of the record that an import last read'),
    },
  },
  offer_content: { of: 'offers: texts, attributes, pictures' },
  own_stock: { of: 'own stock' },
  product_override: { of: 'fields that the owner has set' },
  attribute_override: { of: 'attributes that the owner has set' },
  product_listing: { of: 'which stores list a product, by hand' },
  product_exclusion: { of: 'products that are excluded by hand' },
  price_list: { of: 'price lists' },
  price_list_entry: { of: 'prices in price lists' },
  product_slug: { of: 'slugs, former ones among them' },
  own_variant_group: { of: 'groups of variants that the owner made' },
  own_variant: { of: 'products for which the owner decides the group' },
  price_hold: { of: 'prices that jumped and are held' },
  price_history: { of: 'prices of the last 400 days' },
  image: {
    of: 'pictures: where they come from, and the copies that are kept of them',
    without: {
      etag: PROGRESS,
      last_modified: PROGRESS,
      lease_id: PROGRESS,
      told_at: PROGRESS,
    },
  },
  channel_file: {
    of: 'channel files',
    without: { secret_hash: secret('is the hash of the secret part of the address') },
  },
  endpoint: {
    of: 'webhook endpoints',
    without: {
      secret: secret('signs deliveries'),
      previous_secret: secret('signed deliveries'),
      previous_until: PROGRESS,
      switch_at: PROGRESS,
    },
  },
  notice_channel: {
    of: 'where owners are told besides by e-mail',
    without: { settings: secret('is an address with a secret') },
  },
  token: {
    of: 'API tokens: names, access, and until when they are valid',
    without: { token_hash: secret('is the hash of the token'), created_by: PERSON },
  },
  member: { of: 'members by their addresses, and their roles', without: { person_id: PERSON } },
  import_run: {
    of: 'reports of imports',
    without: {
      holder_id: PROGRESS,
      file_key: installation('names a file of this installation'),
      refusals_key: installation('names a file of this installation'),
      mark_id: PROGRESS,
      sweep_id: PROGRESS,
      position: PROGRESS,
      due_at: PROGRESS,
    },
  },
  import_run_refusal: { of: 'rows that imports refused' },
  audit_entry: {
    of: 'audit log: who changed what with a session',
    without: {
      person_id: PERSON,
      address: personal('is a client’s address'),
      user_agent: personal('is a person’s browser'),
    },
  },
  notice: {
    of: 'notices to owners',
    without: {
      mail: PROGRESS,
      mail_tries: PROGRESS,
      mail_next_at: PROGRESS,
      mail_error: PROGRESS,
      is_spread: PROGRESS,
    },
  },
}

const SHELVED = derived('is computed from what is in the archive')
const FEED = derived('is the feed of this installation: clients read anew elsewhere')
const DELIVERIES = installation('is about deliveries of this installation')
const OPERATIONS = installation('is work that this installation was asked for')

/** Tables of an account that are not in an archive. */
export const LEFT_OUT_TABLES: Readonly<Record<string, LeftOut>> = {
  account_inputs: SHELVED,
  account_limit: installation('are limits that the operator has set'),
  account_use: SHELVED,
  account_use_delta: SHELVED,
  attempt: DELIVERIES,
  change: FEED,
  change_counter: FEED,
  change_fence: FEED,
  change_hour: FEED,
  channel_use: installation('is when files were last read here'),
  delivery: DELIVERIES,
  digest_fill: PROGRESS,
  endpoint_link: secret('are links that open a page'),
  endpoint_state: DELIVERIES,
  idempotency_key: installation('are answers to requests of this installation'),
  image_unused: PROGRESS,
  import_lease: PROGRESS,
  import_run_change: installation('is what taking back an import here needs'),
  mark: PROGRESS,
  mirror_check: installation('is what mirrors of this installation’s feed have told'),
  notice_delivery: DELIVERIES,
  one_time_link: secret('are invitations, which open an account'),
  operation: OPERATIONS,
  operation_chunk: OPERATIONS,
  operation_error: OPERATIONS,
  payload_block: SHELVED,
  payload_content: SHELVED,
  payload_price: SHELVED,
  product_id_block: installation('are ids that this installation gives out next'),
  product_image: SHELVED,
  product_search: SHELVED,
  product_view: personal('are lists that people keep for themselves'),
  search_fill: PROGRESS,
  search_term: SHELVED,
  sweep: PROGRESS,
  token_rate: PROGRESS,
  token_request: installation('are requests to this installation'),
  token_use: installation('is when tokens were last used here'),
  variant_group_member: SHELVED,
  variant_group_turn: PROGRESS,
}
