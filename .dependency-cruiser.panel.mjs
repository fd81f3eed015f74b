// The rules on imports within panel/, which a browser runs: rooms by level, top first, as in .dependency-cruiser.mjs. Checked by `npm test`.

/** A room may import its own files and rooms of levels above. Each folder of pages/ is a room of its own. */
const LEVELS = [
  ['panel/words', 'panel/design'],
  ['panel/api'],
  ['panel/components'],
  ['panel/session'],
  ['panel/webhooks', 'panel/resources', 'panel/pictures', 'panel/runs'],
  ['panel/pages'],
  ['panel/shell'],
  ['panel/router.tsx'],
  ['panel/main.tsx'],
]

/**
 * Tables of contract/ that import nothing, so that the panel may have them when it runs (docs/decisions/060-declarations-that-everything-follows-from.md); .dependency-cruiser.mjs keeps them
 * so.
 */
const PURE_TABLES = [
  'contract/exclusion-kinds.ts',
  'contract/additional-members.ts',
  'contract/attribute-types.ts',
  'contract/eu-tax-rates.ts',
  'contract/field-names.ts',
  'contract/file-formats.ts',
  'contract/product-fields.ts',
  'contract/rule-conditions.ts',
  'contract/tiers.ts',
  'contract/notice-channel-kinds.ts',
  'contract/faults',
]

const pattern = (room) => (/\.tsx?$/.test(room) ? `^${room.replace('.', '\\.')}$` : `^${room}/`)

export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'every-file-has-a-room',
      severity: 'error',
      from: {
        path: '^panel/',
        pathNot: [...LEVELS.flat().map(pattern), '^panel/vite\\.config\\.ts$', '^panel/dist'],
      },
      to: {},
    },
    ...LEVELS.flatMap((level, i) =>
      level.map((room) => ({
        name: `higher-levels-only:${room}`,
        severity: 'error',
        from: { path: pattern(room) },
        to: { path: '^panel/', pathNot: [pattern(room), ...LEVELS.slice(0, i).flat().map(pattern)] },
      })),
    ),
    {
      name: 'pages-stand-alone',
      comment: 'what two pages share is a room or a component',
      severity: 'error',
      from: { path: '^panel/pages/([^/]+)/' },
      to: { path: '^panel/pages/', pathNot: '^panel/pages/$1/' },
    },
    {
      name: 'only-types-and-pure-tables-of-the-contract',
      comment:
        'the panel talks HTTP: of the service it knows the types of contract/, and runs nothing of it but tables that import nothing',
      severity: 'error',
      from: { path: '^panel/' },
      to: { path: '^contract/', pathNot: PURE_TABLES.map(pattern), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nothing-of-the-service',
      severity: 'error',
      from: { path: '^panel/' },
      to: { path: '^(src|test|bench|bin)/' },
    },
    {
      name: 'charts-are-lazy',
      comment: 'the chart library is larger than the rest: import what uses it with import()',
      severity: 'error',
      from: { path: '^panel/', pathNot: '^panel/pages/[^/]+/[^/]*charts?\\.tsx$' },
      to: {
        path: ['^panel/components/(step-)?chart\\.tsx$', '^panel/pages/[^/]+/[^/]*charts?\\.tsx$'],
        dynamic: false,
      },
    },
    {
      name: 'charts-are-components',
      comment: 'so that they look alike, and the rule above sees them',
      severity: 'error',
      from: { path: '^panel/', pathNot: '^panel/components/(step-)?chart\\.tsx$' },
      to: { path: 'node_modules/recharts/' },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'panel/tsconfig.json' },
    doNotFollow: { path: ['node_modules', '^contract/'] },
    exclude: { path: ['^panel/dist', '\\.css$', '\\?raw$'] },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      conditionNames: ['import', 'types', 'browser', 'default'],
      exportsFields: ['exports'],
    },
  },
}
