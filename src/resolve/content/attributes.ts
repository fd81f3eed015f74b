import { trimmed, visible } from '../../model/blank.ts'
import { localeChain, localeParents } from '../../model/locale.ts'
import type { PayloadAttribute } from '../../model/payload.ts'
import { foldUnit } from '../../model/units.ts'
import { foldName } from '../rules/conditions.ts'
import type { AttributeDefinitionInput, AttributeOverrideInput, OfferInput } from '../inputs.ts'
import { fromOffer, type Found } from '../sourcing/sources.ts'
import { compareText } from '../sourcing/sourcing.ts'
import { readTyped, type TypedValue, type TypeRule } from './typed-value.ts'

type Texts = Readonly<Record<string, string>>

/** Option value, exact and folded, -> its texts by locale. If several options have the same folded value, the last with a text counts. */
type Options = ReadonlyMap<string, Texts | readonly Texts[]>

/** One attribute's definition, compiled for all stores. */
export interface SharedDefinition {
  definition: AttributeDefinitionInput
  options: Options
  /** All names of its unit in any language, folded. */
  unitNames: ReadonlySet<string>
  /** Rough memory in bytes. */
  bytes: number
}

/** One attribute's definition, compiled for one store's locale. */
interface CompiledDefinition {
  /** In the store's locale, followed by the unit in that locale in parentheses. */
  label: string
  position: number
  isNumber: boolean
  /** The option's text for a stated value; undefined if the value is no option or the option has no text in this locale. */
  option(value: string): string | undefined
  /** How values are read; null if the definition has no type. */
  rule: TypeRule | null
}

/** An account's attribute definitions, compiled for one store's locale. */
export interface Definitions {
  of(key: string): CompiledDefinition | undefined
  /** The decimal separator of the locale. */
  decimalSeparator: string
}

/**
 * Compiles the part of the definitions that all stores share, in small steps: a definition may have thousands of options. Shared, because an
 * account may use a hundred locales. docs/decisions/245-bounds-between-accounts.md says why.
 */
export function* sharingDefinitions(
  definitions: readonly AttributeDefinitionInput[],
): Generator<void, SharedDefinition[], void> {
  const shared: SharedDefinition[] = []
  for (const definition of definitions) {
    let known = prepared.get(definition.options)
    if (known === undefined) {
      known = yield* preparingOptions(definition.options)
      prepared.set(definition.options, known)
    }
    const { options } = known
    const bytes = DEFINITION_BYTES + textBytes(definition.labels) + textBytes(definition.units) + known.bytes
    const names = [definition.unit, ...Object.values(definition.units)].flatMap((name) => visible(name) ?? [])
    shared.push({ definition, options, unitNames: new Set(names.map(foldUnit)), bytes })
    yield
  }
  return shared
}

/** Compiled options by the object they were read as, which is replaced only when they change. */
const prepared = new WeakMap<AttributeDefinitionInput['options'], Pick<SharedDefinition, 'options' | 'bytes'>>()

function* preparingOptions(
  stated: AttributeDefinitionInput['options'],
): Generator<void, Pick<SharedDefinition, 'options' | 'bytes'>, void> {
  const given = Object.entries(stated)
    .map(([value, texts]) => [trimmed(value), texts] as const)
    .sort(([a], [b]) => compareText(a, b))
  const options = new Map<string, Texts | readonly Texts[]>()
  let bytes = 0
  for (const [value, texts] of given) {
    addOption(options, foldName(value), texts)
    bytes += OPTION_BYTES + 3 * value.length + textBytes(texts)
    yield
  }
  // exact values last, so that they precede folded ones that are equal
  for (const [value, texts] of given) {
    addOption(options, value, texts)
    yield
  }
  return { options, bytes }
}

/** Memory of a definition, an option and a text in addition to their characters: measured and rounded up. */
const DEFINITION_BYTES = 2_000
const OPTION_BYTES = 200
const TEXT_BYTES = 40

function textBytes(texts: Texts): number {
  let bytes = 0
  for (const text of Object.values(texts)) bytes += TEXT_BYTES + text.length
  return bytes
}

function addOption(options: Map<string, Texts | readonly Texts[]>, key: string, texts: Texts): void {
  const before = options.get(key)
  if (before === undefined) options.set(key, texts)
  else if (isSeveral(before)) options.set(key, [...before, texts])
  else if (before !== texts) options.set(key, [before, texts])
}

const isSeveral = (found: Texts | readonly Texts[]): found is readonly Texts[] => Array.isArray(found)

/**
 * Compiles the definitions for a store of `locale` in an account of `accountLocale`, in small steps. An attribute without a definition, or
 * without a label in any of these locales, is labelled with its key.
 */
export function* compilingDefinitions(
  shared: readonly SharedDefinition[],
  locale: string,
  accountLocale: string,
): Generator<void, Definitions, void> {
  const own = localeParents(locale)
  const chain = localeChain(locale, accountLocale)
  const compiled = new Map<string, CompiledDefinition>()
  for (const { definition, options, unitNames } of shared) {
    const name = firstOf(definition.labels, chain) ?? definition.key
    // `unit` is for all locales that `units` does not name, so it precedes the unit in the account's locale
    const unit = firstOf(definition.units, own) ?? visible(definition.unit) ?? firstOf(definition.units, chain)
    const option = (value: string) => optionOf(options, value, chain)
    compiled.set(definition.key, {
      label: unit === null ? name : `${name} (${unit})`,
      position: definition.position,
      isNumber: unit !== null,
      option,
      rule: ruleOf(definition, unit, unitNames, option),
    })
    yield
  }
  return { of: (key) => compiled.get(key), decimalSeparator: decimalSeparator(locale) }
}

/** The same without steps, for a few definitions. */
export function compileDefinitions(
  definitions: readonly AttributeDefinitionInput[],
  locale: string,
  accountLocale: string,
): Definitions {
  return runToEnd(compilingDefinitions(runToEnd(sharingDefinitions(definitions)), locale, accountLocale))
}

/** Runs a generator to its end without pausing. */
export function runToEnd<T>(steps: Generator<void, T, void>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

function ruleOf(
  { type, separator, decimal }: AttributeDefinitionInput,
  unit: string | null,
  unitNames: ReadonlySet<string>,
  option: CompiledDefinition['option'],
): TypeRule | null {
  if (type === null) return null
  return { type, separator, decimal, unit, unitNames, option: (entry) => option(entry) ?? entry }
}

const optionOf = (options: Options, value: string, chain: readonly string[]): string | undefined =>
  options.size === 0
    ? undefined
    : (optionText(options.get(value), chain) ?? optionText(options.get(foldName(value)), chain) ?? undefined)

function optionText(found: Texts | readonly Texts[] | undefined, chain: readonly string[]): string | null {
  if (found === undefined) return null
  if (!isSeveral(found)) return firstOf(found, chain)
  const last = found.findLast((texts) => firstOf(texts, chain) !== null)
  return last === undefined ? null : firstOf(last, chain)
}

/** The text of the first of these locales that has one. */
function firstOf(texts: Readonly<Record<string, string>>, locales: readonly string[]): string | null {
  for (const locale of locales) {
    const text = visible(texts[locale])
    if (text !== null) return text
  }
  return null
}

/**
 * The decimal separator of a locale. It is the only part of number formatting used: digits stay as the supplier sent them, ungrouped, so that
 * no value passes through binary floating point and `1250 mm` cannot be read as 1.25.
 */
function decimalSeparator(locale: string): string {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1.5)
  return parts.find((part) => part.type === 'decimal')?.value ?? '.'
}

/**
 * The text that a store shows for a value of the owner or a supplier: the option's text in the store's language, a number with a unit in the
 * locale's notation, or the value unchanged.
 */
export function showValue(key: string, value: string, definitions: Definitions): string {
  const definition = definitions.of(key)
  if (definition === undefined) return value
  const option = definition.option(value)
  if (option !== undefined) return option
  return definition.isNumber && /^[+-]?\d+\.\d+$/.test(value) ? value.replace('.', definitions.decimalSeparator) : value
}

export interface FoundAttribute extends Pick<PayloadAttribute, 'key' | 'label'>, Found<string> {
  /** The source's value, before options and notation are applied. */
  stated: string
  /** The value read by the definition's type; null without a type. */
  typed: TypedValue | null
}

/** An attribute in the form of the payload. */
export const payloadAttribute = ({ key, label, value, typed }: FoundAttribute): PayloadAttribute =>
  typed === null ? { key, label, value } : { key, label, value, ...typed.members }

/** The locale of overrides that apply to every locale not named; sources show it as `*`. */
const EVERY = ''

/**
 * The locales in which a store looks for overrides, in order: its own and its parents, then the override for all unnamed locales, then the
 * account's. The second precedes the account's locale because it covers this store's language, whereas the account's locale is only a
 * fallback.
 */
export function overridePlaces(locale: string, accountLocale: string): string[] {
  return [...new Set([...localeParents(locale), EVERY, ...localeChain(locale, accountLocale)])]
}

/**
 * The value of each attribute of a product: the override in the first of `places` that has one, otherwise the first value in source order.
 * null: an override hides the attribute.
 * @param places the result of `overridePlaces`.
 */
export function attributeValues(
  places: readonly string[],
  overrides: readonly AttributeOverrideInput[],
  sources: readonly OfferInput[],
): Map<string, Found<string | null>> {
  const values = new Map<string, Found<string | null>>()
  for (const { key } of overrides) {
    const found = chosenOverride(key, places, overrides)
    if (found !== undefined)
      values.set(key, { value: found.value, source: { from: 'override', locale: found.locale || '*' } })
  }
  for (const offer of sources) {
    for (const { key, value } of offer.attributes) {
      if (values.has(key)) continue
      // a blank value is skipped, as for texts
      const shown = visible(value)
      if (shown !== null) values.set(key, fromOffer(shown, offer))
    }
  }
  return values
}

/** The product's attributes as a store shows them, by the definition's position (those without a definition last), then by key. */
export function findAttributes(
  places: readonly string[],
  definitions: Definitions,
  overrides: readonly AttributeOverrideInput[],
  sources: readonly OfferInput[],
): FoundAttribute[] {
  const attributes: (FoundAttribute & { position: number })[] = []
  for (const [key, { value, source }] of attributeValues(places, overrides, sources)) {
    if (value === null) continue
    const definition = definitions.of(key)
    attributes.push({
      key,
      label: definition?.label ?? key,
      value: showValue(key, value, definitions),
      stated: value,
      typed: definition === undefined || definition.rule === null ? null : readTyped(value, definition.rule),
      source,
      position: definition?.position ?? Number.MAX_SAFE_INTEGER,
    })
  }
  return attributes.sort((a, b) => a.position - b.position || compareText(a.key, b.key))
}

/** The override that applies in these places, if any: a null value hides the attribute, a blank one is skipped. */
function chosenOverride(
  key: string,
  places: readonly string[],
  overrides: readonly AttributeOverrideInput[],
): AttributeOverrideInput | undefined {
  for (const locale of places) {
    const found = overrides.find((entry) => entry.key === key && entry.locale === locale)
    if (found === undefined) continue
    const value = visible(found.value)
    if (value !== null || found.value === null) return { ...found, value }
  }
  return undefined
}
