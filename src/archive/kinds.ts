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

const OPERATOR = installation('is set by the operator')
const PROGRESS = installation('is the progress of work in this installation')
const PERSON = personal('is the ID of a sign-in here')

/** A table comes after those that it refers to, so that an import knows the new ids that a row needs. */
export const EXPORTED_TABLES: Readonly<Record<string, ExportedTable>> = {
  account: { of: 'settings of the account', without: { suspended_at: OPERATOR, suspension_reason: OPERATOR } },
  store: { of: 'stores, including deleted ones, whose slugs are never used again' },
  customer_group: { of: 'customer groups' },
  exchange_rate: { of: 'exchange rates' },
  supplier: { of: 'suppliers with their limits for imports' },
  supplier_heard: { of: 'the times at which suppliers last sent data' },
  supplier_source: {
    of: 'sources of files, with mappings and schedules',
    without: {
      credentials: secret('are the credentials for a supplier’s server'),
      etag: PROGRESS,
      last_modified: PROGRESS,
      scheduled_at: PROGRESS,
      next_run_at: PROGRESS,
      tell_at: PROGRESS,
      told: PROGRESS,
    },
  },
  tax_class: { of: 'tax classes with their rates' },
  source_order: { of: 'the order of suppliers for a field' },
  category: { of: 'categories with the suppliers’ paths that are mapped to them' },
  attribute_definition: { of: 'definitions of attributes' },
  product: { of: 'products, including deleted ones, whose ids are never used again' },
  pricing_rule: { of: 'pricing rules' },
  exclusion_rule: { of: 'exclusion rules' },
  assortment_rule: { of: 'assortment rules' },
  product_ean: { of: 'EANs with their sources' },
  offer: {
    of: 'offers: cost and quantity',
    without: {
      offer_number: derived('is assigned again'),
      feed_hash: derived('is the hash of the record that an import last read'),
    },
  },
  offer_content: { of: 'offers: texts, attributes, pictures' },
  own_stock: { of: 'own stock' },
  product_override: { of: 'fields that the owner has set' },
  attribute_override: { of: 'attributes that the owner has set' },
  product_listing: { of: 'manual decisions about which stores list a product' },
  product_exclusion: { of: 'manually excluded products' },
  price_list: { of: 'price lists' },
  price_list_entry: { of: 'prices in price lists' },
  product_slug: { of: 'slugs, including former ones' },
  own_variant_group: { of: 'variant groups that the owner created' },
  own_variant: { of: 'products for which the owner decides the group' },
  price_hold: { of: 'prices that jumped and are held' },
  price_history: { of: 'prices of the last 400 days' },
  image: {
    of: 'pictures: their sources and their stored copies',
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
    of: 'channels for notices in addition to e-mail',
    without: { settings: secret('is an address with a secret') },
  },
  token: {
    of: 'API tokens: names, access and expiry',
    without: { token_hash: secret('is the hash of the token'), created_by: PERSON },
  },
  member: { of: 'members: their e-mail addresses and roles', without: { person_id: PERSON } },
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

const SHELVED = derived('is computed from data in the archive')
const FEED = derived('is the feed of this installation: clients start again in another one')
const DELIVERIES = installation('is about deliveries of this installation')
const OPERATIONS = installation('is work requested from this installation')

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
  channel_use: installation('is the time at which files were last read here'),
  delivery: DELIVERIES,
  digest_fill: PROGRESS,
  endpoint_link: secret('are links that give access to a page'),
  endpoint_state: DELIVERIES,
  idempotency_key: installation('are answers to requests of this installation'),
  image_unused: PROGRESS,
  import_lease: PROGRESS,
  import_run_change: installation('is needed to undo an import here'),
  mark: PROGRESS,
  mirror_check: installation('are reports of mirrors of this installation’s feed'),
  notice_delivery: DELIVERIES,
  one_time_link: secret('are invitations, which give access to an account'),
  operation: OPERATIONS,
  operation_chunk: OPERATIONS,
  operation_error: OPERATIONS,
  payload_block: SHELVED,
  payload_content: SHELVED,
  payload_price: SHELVED,
  product_id_block: installation('are ids that this installation assigns next'),
  product_image: SHELVED,
  product_search: SHELVED,
  product_view: personal('are personal lists'),
  search_fill: PROGRESS,
  search_term: SHELVED,
  sweep: PROGRESS,
  token_rate: PROGRESS,
  token_request: installation('are requests to this installation'),
  token_use: installation('is the time at which tokens were last used here'),
  variant_group_member: SHELVED,
  variant_group_turn: PROGRESS,
}
