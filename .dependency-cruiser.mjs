// The rules on imports: layers, and within a layer which room may import which; see the figure in ARCHITECTURE.md, which
// test/layers.test.ts compares with this table. Checked by `npm test` (test/all.ts) with type imports.

/**
 * The layers, top first; a room may import all rooms of the layers below its own. Behind each room are those of its own layer that
 * it may import too. They stand below it in the table, so there is no circle.
 */
export const LAYERS = {
  edge: {
    'src/main.ts': ['src/commands'],
    'src/commands': [
      'src/service.ts',
      'src/runtime.ts',
      'src/serve',
      'src/operations',
      'src/demo',
      'src/overview',
      'src/sealed',
      'src/erasure',
      'src/archive',
    ],
    'src/service.ts': [
      'src/runtime.ts',
      'src/serve',
      'src/writes',
      'src/operations',
      'src/overview',
      'src/sealed',
      'src/erasure',
      'src/sign-up',
    ],
    'src/runtime.ts': ['src/writes', 'src/operations'],
    'src/serve': ['src/writes', 'src/operations', 'src/overview', 'src/erasure', 'src/sign-up'],
    'src/writes': ['src/operations'],
    'src/operations': [],
    'src/archive': ['src/overview', 'src/erasure'],
    'src/overview': [],
    'src/sealed': [],
    'src/erasure': [],
    'src/demo': [],
    'src/sign-up': [],
  },
  publish: {
    'src/webhooks': ['src/shelf'],
    'src/feed': ['src/shelf'],
    'src/previews': ['src/shelf'],
    'src/shelf': [],
    'src/channels': [],
  },
  intake: {
    'src/imports': ['src/file-readers', 'src/supplier-files'],
    'src/file-readers': ['src/supplier-files'],
    'src/supplier-files': [],
    'src/bank-rates': [],
  },
  catalog: {
    'src/catalog/products': ['src/catalog/settings', 'src/catalog/stale', 'src/accounts'],
    'src/catalog/settings': ['src/catalog/stale', 'src/accounts'],
    'src/images': ['src/notices', 'src/catalog/stale', 'src/accounts'],
    'src/notices': ['src/accounts'],
    'src/people': ['src/accounts'],
    'src/catalog/stale': [],
    'src/accounts': [],
  },
  rules: {
    'src/resolve': ['src/model'],
    'src/input': ['src/model'],
    'src/model': [],
  },
  base: {
    'src/db': ['src/platform'],
    'src/embedded': ['src/platform'],
    'src/objects': ['src/platform'],
    'src/outbound': ['src/platform'],
    'src/platform': [],
  },
  contract: {
    contract: [],
  },
}

/** Pure files and rooms: nothing outside model, the limits, must() and their own folder, no Node module. */
const PURE = [
  'src/model',
  'src/input',
  'src/resolve',
  'src/catalog/products/offers/match.ts',
  'src/imports/safety',
  'src/webhooks/health',
  'src/webhooks/plan',
  'src/webhooks/schedule',
]

/** Tables that the panel imports when it runs (PURE_TABLES of .dependency-cruiser.panel.mjs): what they import would come into its bundle. */
const TABLES_OF_THE_PANEL = [
  'contract/exclusion-kinds.ts',
  'contract/faults',
  'contract/field-names.ts',
  'contract/file-formats.ts',
  'contract/notice-channel-kinds.ts',
  'contract/product-fields.ts',
  'contract/rule-conditions.ts',
]

/** Rooms that read what strangers send, in processes without secrets: they know no account, no database and no network. */
const READERS = ['src/supplier-files', 'src/file-readers']

/** Packages that shops have, into which connectors are installed. */
const OF_SHOPS = [
  '^@medusajs/',
  '^@vendure/',
  '^@nestjs/',
  '^typeorm$',
  '^graphql$',
  '^react(/jsx-runtime)?$',
  '(^|/)node_modules/(@types/)?react/',
  '^node_modules/graphql/',
]

/** By the names of its package, which lead to files only where it has been packed. */
const ENTRIES_OF_THE_CLIENT =
  '^(@shelfwire/client(/(shop|webhooks))?|(node_modules/@shelfwire/)?client/dist/(shelfwire|shop/shop|webhooks/verify)\\.(js|d\\.ts))$'

const layers = Object.values(LAYERS)
const rooms = layers.flatMap((layer) => Object.keys(layer))
const pattern = (room) => (room.endsWith('.ts') ? `^${room.replace('.', '\\.')}$` : `^${room}/`)

const asInLayers = layers.flatMap((layer, i) =>
  Object.entries(layer).map(([room, others]) => ({
    name: `as-in-layers:${room}`,
    comment: `${room} may import its own files, the layers below${others.length === 0 ? '' : `, and ${others.join(', ')}`}: see LAYERS`,
    severity: 'error',
    from: { path: pattern(room) },
    to: {
      path: '^(contract|src)/',
      pathNot: [room, ...others, ...layers.slice(i + 1).flatMap((below) => Object.keys(below))].map(pattern),
    },
  })),
)

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'every-file-has-a-room',
      comment: 'a file under src/ belongs to a room of the table in .dependency-cruiser.mjs',
      severity: 'error',
      from: { path: '^src/', pathNot: rooms.map(pattern) },
      to: {},
    },
    ...asInLayers,
    {
      name: 'readers-know-no-account',
      severity: 'error',
      from: { path: READERS.map(pattern), pathNot: '\\.test\\.ts$' },
      to: { path: '^src/', pathNot: [...READERS, 'src/platform', 'src/model', 'src/input'].map(pattern) },
    },
    ...PURE.map((room) => ({
      name: `pure:${room}`,
      comment: `${room} is pure: it imports only model, contract, limits, must(), itself, decimal.js and any-ascii; input also the errors it throws`,
      severity: 'error',
      from: { path: pattern(room), pathNot: '\\.test\\.ts$' },
      to: {
        pathNot: [
          '^contract/',
          '^src/model/',
          '^src/platform/(limits|must|caches/remembered)\\.ts$',
          pattern(room),
          'node_modules/decimal\\.js/',
          'node_modules/any-ascii/',
          ...(room === 'src/input' ? ['^src/platform/errors\\.ts$'] : []),
        ],
      },
    })),
    {
      name: 'contract-stands-alone',
      severity: 'error',
      from: { path: '^contract/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/' },
    },
    {
      name: 'tables-of-the-panel-import-nothing',
      severity: 'error',
      from: { path: TABLES_OF_THE_PANEL.map(pattern) },
      to: { path: '.', pathNot: TABLES_OF_THE_PANEL.map(pattern) },
    },
    {
      name: 'client-has-no-dependency',
      comment: 'client/ is a package of its own, for servers, edge runtimes and browsers',
      severity: 'error',
      from: { path: '^client/' },
      to: { pathNot: ['^client/'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'client-needs-no-node',
      severity: 'error',
      from: {
        path: '^client/',
        pathNot:
          '^client/src/(command/|testing/listen\\.ts$|targets/(sqlite(-digests|-threads)?|ndjson|directory-lock)\\.ts$)',
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'client-does-not-carry-its-command-line',
      severity: 'error',
      from: { path: '^client/src/', pathNot: '^client/src/command/' },
      to: { path: '^client/src/(command/|targets/(sqlite|ndjson|postgres|memory)\\.ts$)' },
    },
    {
      name: 'connectors-are-packages-of-their-own',
      comment:
        'a connector imports the public entries of client/ by their package names, Node, and the shop that it is installed into',
      severity: 'error',
      from: { path: '^connectors/' },
      to: {
        pathNot: ['^connectors/', ENTRIES_OF_THE_CLIENT, ...OF_SHOPS],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'nothing-imports-a-connector',
      severity: 'error',
      from: { pathNot: '^(connectors|test)/' },
      to: { path: '^connectors/' },
    },
    {
      name: 'client-does-not-carry-its-fake',
      severity: 'error',
      from: { path: '^client/src/', pathNot: '^client/src/testing/' },
      to: { path: '^client/src/testing/' },
    },
    {
      name: 'sql-stays-in-sql-files',
      comment: 'only *.sql.ts files, src/db/ and src/embedded/ may import the database client',
      severity: 'error',
      from: { path: '^src/', pathNot: ['\\.sql\\.ts$', '^src/(db|embedded)/', '\\.test\\.ts$'] },
      to: { path: 'node_modules/(pg|postgres)/' },
    },
    {
      name: 'no-test-code-in-src',
      severity: 'error',
      from: { path: '^(src|contract)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: [...OF_SHOPS, ENTRIES_OF_THE_CLIENT] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.json'],
      conditionNames: ['import', 'types', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
}
