import type audit from './en/audit.json'
import type catalog from './en/catalog.json'
import type components from './en/components.json'
import type conditions from './en/conditions.json'
import type deliveries from './en/deliveries.json'
import type developer from './en/developer.json'
import type endpoint from './en/endpoint.json'
import type endpoints from './en/endpoints.json'
import type findings from './en/findings.json'
import type grid from './en/grid.json'
import type held from './en/held.json'
import type imports from './en/import.json'
import type limits from './en/limits.json'
import type link from './en/link.json'
import type notices from './en/notices.json'
import type overview from './en/overview.json'
import type people from './en/people.json'
import type pictures from './en/pictures.json'
import type pricing from './en/pricing.json'
import type product from './en/product.json'
import type productEdit from './en/product-edit.json'
import type profile from './en/profile.json'
import type resources from './en/resources.json'
import type runs from './en/runs.json'
import type settings from './en/settings.json'
import type signUp from './en/sign-up.json'
import type sources from './en/sources.json'
import type tokens from './en/tokens.json'
import type variantGroup from './en/variant-group.json'
import type webhooks from './en/webhooks.json'

import missing from './en/missing.json' with { type: 'json' }
import problems from './en/problems.json' with { type: 'json' }
import shared from './en/shared.json' with { type: 'json' }
import shell from './en/shell.json' with { type: 'json' }
import signIn from './en/sign-in.json' with { type: 'json' }

/** The English words that every page needs. */
export const en = {
  missing,
  problems,
  shared,
  shell,
  'sign-in': signIn,
}

/**
 * The type of all English words. Those of a page or room are loaded with it (add-words.ts), and not with the first
 * load.
 */
export type English = typeof en & {
  audit: typeof audit
  catalog: typeof catalog
  components: typeof components
  conditions: typeof conditions
  deliveries: typeof deliveries
  developer: typeof developer
  endpoint: typeof endpoint
  endpoints: typeof endpoints
  findings: typeof findings
  grid: typeof grid
  held: typeof held
  import: typeof imports
  limits: typeof limits
  link: typeof link
  notices: typeof notices
  overview: typeof overview
  people: typeof people
  pictures: typeof pictures
  pricing: typeof pricing
  product: typeof product
  'product-edit': typeof productEdit
  profile: typeof profile
  resources: typeof resources
  runs: typeof runs
  settings: typeof settings
  'sign-up': typeof signUp
  sources: typeof sources
  tokens: typeof tokens
  'variant-group': typeof variantGroup
  webhooks: typeof webhooks
}

/**
 * The words of a language, in the same namespaces as English. Plurals differ between languages, so that test/panel/words.test.ts
 * compares the keys.
 */
export type Words = { readonly [Namespace in keyof English]: object }
