// The guides that the service shows. They are documents of the package, which can also be read as files.

export interface Guide {
  /** Last segment of its path. */
  name: string
  /** Path of its file within the package. */
  file: string
  title: string
  summary: string
}

const guide = (name: string, title: string, summary: string, file = `docs/${name}.md`): Guide => ({
  name,
  file,
  title,
  summary,
})

/** Guides grouped by the reader's task, in the order of the navigation. */
export const GUIDE_GROUPS: readonly (readonly [heading: string, guides: readonly Guide[]])[] = [
  [
    'Read the catalog',
    [
      guide('read-api', 'The read API', 'Tokens, stores, paging, conditional requests, errors and limits.'),
      guide('feed', 'The change feed', 'What changed after a cursor, and what the feed promises.'),
      guide('webhooks', 'Webhooks', 'Signed notifications, verifiers, and what happens when a receiver fails.'),
      guide('other-shops', 'Other shops', 'What a connector for WooCommerce or Shopify needs, and what was not run.'),
    ],
  ],
  [
    'Fill the catalog',
    [
      guide('tutorial', 'Tutorial', 'From nothing to three stores, with curl.'),
      guide('write-api', 'The write API', 'Everything that an account writes over HTTP.'),
      guide('import', 'Imports', 'Suppliers’ files, ready mappings, and what makes an import safe.'),
      guide('mapping', 'Mapping files', 'Which column is which field, by examples.'),
      guide('rules', 'Rules', 'How offers, price rules, texts and exclusions make a product.'),
      guide(
        'images',
        'Pictures',
        'How suppliers’ pictures are copied, when they are left out, and where they are kept.',
      ),
      guide('input-rules', 'Input rules', 'Which values are accepted, and how they are stored.'),
    ],
  ],
  [
    'Run the service',
    [
      guide('panel', 'The panel', 'Signing in, roles, what is recorded, and how its pages talk to the service.'),
      guide('notices', 'Notices', 'What owners are notified of, by e-mail and through channels of their own.'),
      guide('operations', 'Operations', 'Settings, database, backup and restore, health, limits.'),
      guide(
        'account-archive',
        'Archives of accounts',
        'What an export of an account writes, file by file, what it leaves out, and how an import makes an account of it.',
      ),
      guide('scaling', 'Scaling', 'What accounts and products cost, more processes, more nodes with Citus.'),
      guide('benchmarks', 'Benchmarks', 'Measured figures, beside what was aimed at.'),
      guide('benchmarks-history', 'History of benchmarks', 'What releases and single changes gained and cost.'),
    ],
  ],
  [
    'Look up',
    [
      guide('glossary', 'Glossary', 'Words that have a meaning of their own.'),
      guide('changelog', 'Changelog', 'What is different in each release.', 'CHANGELOG.md'),
    ],
  ],
]

export const GUIDES: readonly Guide[] = GUIDE_GROUPS.flatMap(([, guides]) => guides)

/** File name of a picture in docs/panel/; these pictures are served beside the guides. */
export const GUIDE_PICTURE = /^[a-z][a-z-]{0,40}\.png$/
