import { Command } from 'commander'
import { expect, test } from 'vitest'
import { ASSORTMENT_RULES, PRICING_RULES } from '../../contract/account-resources.ts'
import { noConditions, PRICE_REASONS, PRICING_CONDITIONS, RULE_CONDITIONS } from '../../contract/rule-conditions.ts'
import { optionOf } from '../../src/commands/resources/resource-options.ts'
import { resourceCommands } from '../../src/commands/resources/resources.ts'
import { PLAIN_RULE } from '../../src/catalog/settings/rules/pricing-rules.ts'

// Everything that is derived from contract/rule-conditions.ts covers every condition.

test('a condition is a member of its rules, an option of their commands, null by default, and a reason of explain', () => {
  const program = new Command()
  resourceCommands(program)
  const options = (noun: string) =>
    program.commands
      .find((command) => command.name() === noun)
      ?.commands.find((command) => command.name() === 'create')
      ?.options.map(({ long }) => long)
  const rules = {
    pricing: { fields: PRICING_RULES.fields, noun: 'rule' },
    assortment: { fields: ASSORTMENT_RULES.fields, noun: 'assortment' },
  }
  for (const kind of ['pricing', 'assortment'] as const) {
    const { fields, noun } = rules[kind]
    expect(Object.keys(fields)).toEqual(expect.arrayContaining(RULE_CONDITIONS[kind].map(({ name }) => name)))
    expect(options(noun)).toEqual(expect.arrayContaining(RULE_CONDITIONS[kind].map(optionOf)))
  }
  expect(PLAIN_RULE).toMatchObject(noConditions('pricing'))
  expect(new Set(PRICE_REASONS)).toEqual(new Set(['active', ...PRICING_CONDITIONS.map(({ reason }) => reason), 'rate']))
})
