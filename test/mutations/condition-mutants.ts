import type { Mutant } from './mutant.ts'

const COMPILED = 'src/resolve/prices/price-rules.ts'
const ROWS = 'src/catalog/settings/rules/rule-rows.sql.ts'
const RESOURCES = 'test/api/account-resources.pg.test.ts'
const STORED = 'every condition of a rule is stored, read back, listed and taken away again'
const RULES = 'src/resolve/rules/rules.test.ts'
const DERIVED = 'test/api/rule-conditions.test.ts'
const MEMBER =
  'a condition is a member of its rules, an option of their commands, null by default, and a reason of explain'

/** Each omits a condition of rules in one of the places that are derived from the table. Other omissions do not compile. */
export const CONDITION_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-condition-is-not-tested',
    edits: [
      {
        file: COMPILED,
        from: 'if (value === null) continue',
        to: "if (value === null || condition.name === 'cost_below') continue",
      },
    ],
    file: RULES,
    test: 'tiers that meet have no gap and no overlap',
  },
  {
    name: 'a-bound-is-on-the-wrong-side',
    edits: [{ file: 'contract/rule-conditions.ts', from: "bound: 'below',", to: "bound: 'from'," }],
    file: RULES,
    test: 'tiers that meet have no gap and no overlap',
  },
  {
    name: 'a-condition-is-not-read',
    edits: [
      { file: ROWS, from: 'number: (column) => `trim_scale(${column})::text`', to: "number: () => 'null::text'" },
    ],
    file: RESOURCES,
    test: STORED,
  },
  {
    name: 'a-condition-is-not-stored',
    edits: [
      {
        file: ROWS,
        from: 'conditions.map(({ field, form }) => WRITTEN[form](tx, rule[field] ?? null)),',
        to: "conditions.map(({ field, form }) => WRITTEN[form](tx, field === 'costBelow' ? null : (rule[field] ?? null))),",
      },
    ],
    file: RESOURCES,
    test: STORED,
  },
  {
    name: 'a-condition-stays-as-it-was',
    edits: [
      {
        file: ROWS,
        from: 'conditions.map(({ name, field, form }) => tx',
        to: "conditions.filter(({ name }) => name !== 'cost_below').map(({ name, field, form }) => tx",
      },
    ],
    file: RESOURCES,
    test: STORED,
  },
  {
    name: 'a-condition-is-no-option',
    edits: [
      {
        file: 'src/commands/resources/resource-options.ts',
        from: 'one.name === name)',
        to: "one.name === name && name !== 'cost_below' && name !== 'categories')",
      },
    ],
    file: DERIVED,
    test: MEMBER,
  },
  {
    name: 'a-condition-is-no-member',
    edits: [
      {
        file: 'contract/rule-condition-schemas.ts',
        from: 'RULE_CONDITIONS[kind].map(',
        to: 'RULE_CONDITIONS[kind].slice(1).map(',
      },
    ],
    file: DERIVED,
    test: MEMBER,
  },
]
