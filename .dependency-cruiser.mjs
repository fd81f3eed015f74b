// The rules on imports: a room may import its own files and rooms of higher levels. Rooms are listed by level, top first;
// see ARCHITECTURE.md. Checked by `npm test` (test/all.ts) with type imports.

/** The levels, top first; a room may import only rooms of levels above its own. */
const LEVELS = [
  ['contract'],
  ['src/platform'],
  ['src/model'],
  ['src/db', 'src/embedded', 'src/objects', 'src/outbound', 'src/input'],
  ['src/resolve', 'src/supplier-files'],
  ['src/accounts', 'src/catalog/stale', 'src/distribution', 'src/idempotency'],
  ['src/people', 'src/catalog/settings', 'src/images'],
  ['src/catalog/products'],
  ['src/imports'],
  ['src/shelf'],
  ['src/feed', 'src/webhooks', 'src/channels', 'src/previews'],
  ['src/operations', 'src/overview'],
  ['src/writes'],
  ['src/serve', 'src/demo'],
  ['src/runtime.ts'],
  ['src/commands'],
  ['src/main.ts'],
]

/** Pure files and rooms: nothing outside model, the limits and their own folder, no Node module. */
const PURE = [
  'src/model',
  'src/input',
  'src/resolve',
  'src/catalog/products/match.ts',
  'src/imports/safety',
  'src/webhooks/health',
  'src/webhooks/plan',
  'src/webhooks/schedule',
]

const rooms = LEVELS.flat()
const pattern = (room) => (room.endsWith('.ts') ? `^${room.replace('.', '\\.')}$` : `^${room}/`)

const higherLevelsOnly = LEVELS.flatMap((level, i) =>
  level.map((room) => ({
    name: `higher-levels-only:${room}`,
    comment: `${room} may import only its own files and rooms of higher levels`,
    severity: 'error',
    from: { path: pattern(room) },
    to: {
      path: '^(contract|src)/',
      pathNot: [pattern(room), ...LEVELS.slice(0, i).flat().map(pattern)],
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
    ...higherLevelsOnly,
    ...PURE.map((room) => ({
      name: `pure:${room}`,
      comment: `${room} is pure: it imports only model, contract, limits, itself, decimal.js and any-ascii; input also the errors it throws`,
      severity: 'error',
      from: { path: pattern(room), pathNot: '\\.test\\.ts$' },
      to: {
        pathNot: [
          '^contract/',
          '^src/model/',
          '^src/platform/limits\\.ts$',
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
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
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
