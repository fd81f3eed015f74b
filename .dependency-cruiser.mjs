// The house rules on imports: a room may import its own files and, of rooms upstream of it, only the files the matrix
// names. A room is listed with its floor; see ARCHITECTURE.md. Checked by `npm test` (test/all.ts) with type imports.

/** Rooms in the order data flows; a room may import only rooms that stand before it. */
const FLOORS = [
  ['contract'],
  ['src/ground'],
  ['src/model'],
  ['src/db', 'src/outbound'],
  ['src/resolve', 'src/sources'],
  ['src/accounts', 'src/catalog', 'src/idempotency'],
  ['src/images', 'src/imports'],
  ['src/shelf'],
  ['src/feed', 'src/webhooks', 'src/channels'],
  ['src/operations'],
  ['src/serve', 'src/demo'],
  ['src/house.ts'],
  ['src/commands'],
  ['src/main.ts'],
]

/** Rooms that are pure: nothing outside model, the limits and their own folder, no Node module. */
const PURE = ['src/model', 'src/resolve', 'src/catalog/match', 'src/webhooks/health', 'src/webhooks/plan']

const rooms = FLOORS.flat()
const pattern = (room) => (room.endsWith('.ts') ? `^${room.replace('.', '\\.')}$` : `^${room}/`)

const upstreamOnly = FLOORS.flatMap((floor, i) =>
  floor.map((room) => ({
    name: `upstream-only:${room}`,
    comment: `${room} may import only its own files and rooms upstream of it`,
    severity: 'error',
    from: { path: pattern(room) },
    to: {
      path: '^(contract|src)/',
      pathNot: [pattern(room), ...FLOORS.slice(0, i).flat().map(pattern)],
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
    ...upstreamOnly,
    ...PURE.map((room) => ({
      name: `pure:${room}`,
      comment: `${room} is pure: it imports only model, contract, limits, itself and decimal.js`,
      severity: 'error',
      from: { path: pattern(room), pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^contract/', '^src/model/', '^src/ground/limits\\.ts$', pattern(room), 'node_modules/decimal\\.js/'] },
    })),
    {
      name: 'contract-stands-alone',
      severity: 'error',
      from: { path: '^contract/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/' },
    },
    {
      name: 'sql-stays-in-stores',
      comment: 'only store.ts files, db/ and the composition root may import the database client',
      severity: 'error',
      from: { path: '^src/', pathNot: ['/store\\.ts$', '^src/db/', '\\.test\\.ts$'] },
      to: { path: 'node_modules/postgres/' },
    },
    {
      name: 'no-test-code-in-the-house',
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
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js', '.json'], conditionNames: ['import', 'types', 'node', 'default'], exportsFields: ['exports'] },
  },
}
