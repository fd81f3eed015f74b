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

/** The value of an option, exact and folded, -> its texts by locale. Of several options that are the same, the last that has a text counts. */
type Options = ReadonlyMap<string, Texts | readonly Texts[]>

/** The definition of one attribute, ready for all stores. */
export interface SharedDefinition {
  definition: AttributeDefinitionInput
  options: Options
  /** All names of its units, folded. */
  unitNames: ReadonlySet<string>
  /** What it takes in memory, roughly. */
  bytes: number
}

/** The definition of one attribute, ready for one store. */
interface CompiledDefinition {
  /** In the store's locale, with the unit of that locale in parentheses. */
  label: string
  position: number
  isNumber: boolean
  /** The text shown for a value as it is stated; undefined: it is no option, or has no text here. */
  option(value: string): string | undefined
  /** How its values are read; null where the definition states no type. */
  rule: TypeRule | null
}

/** An account's attribute definitions, ready for one store. */
export interface Definitions {
  of(key: string): CompiledDefinition | undefined
  /** Between the whole part and the fraction of a number. */
  decimalSeparator: string
}

/**
 * Prepares what all stores share of the definitions, in small steps: one may have thousands of options. Kept once and not for each
 * locale: an account may have a hundred of these. docs/decisions/245-bounds-between-accounts.md says why.
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

/** What was made of the options of a definition: they are read once, until they change. */
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
  // an option that is exactly the value comes before those that are the same when folded
  for (const [value, texts] of given) {
    addOption(options, value, texts)
    yield
  }
  return { options, bytes }
}

/** What a definition, an option and a text take beside their letters: measured, and rounded up. */
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
 * Compiles the definitions for a store of this locale, in an account of that one, in small steps. An attribute without a definition, or
 * without a label in any of their locales, is labelled with its key.
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
    // `unit` is for every locale that is not named, so it comes before the unit of the account's locale
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

/** The same at once, of a few definitions. */
export function compileDefinitions(
  definitions: readonly AttributeDefinitionInput[],
  locale: string,
  accountLocale: string,
): Definitions {
  return atOnce(compilingDefinitions(atOnce(sharingDefinitions(definitions)), locale, accountLocale))
}

/** Runs what compiles a few of something to its end. */
export function atOnce<T>(steps: Generator<void, T, void>): T {
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
 * The decimal separator of a locale. It is the only part of number formatting that is used: the digits stay as the
 * supplier sent them, ungrouped, so that no value passes through a binary float and `1250 mm` cannot be read as 1.25.
 */
function decimalSeparator(locale: string): string {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1.5)
  return parts.find((part) => part.type === 'decimal')?.value ?? '.'
}

/**
 * A value, the owner's or a supplier's, as a store shows it: the option's text in the store's language; a number with a
 * unit in its notation; else unchanged.
 */
export function showValue(key: string, value: string, definitions: Definitions): string {
  const definition = definitions.of(key)
  if (definition === undefined) return value
  const option = definition.option(value)
  if (option !== undefined) return option
  return definition.isNumber && /^[+-]?\d+\.\d+$/.test(value) ? value.replace('.', definitions.decimalSeparator) : value
}

export interface FoundAttribute extends Pick<PayloadAttribute, 'key' | 'label'>, Found<string> {
  /** As the source has it, before options and notation. */
  stated: string
  /** What it is by the type of its definition; null where that states none. */
  typed: TypedValue | null
}

/** An attribute as a payload has it. */
export const payloadAttribute = ({ key, label, value, typed }: FoundAttribute): PayloadAttribute =>
  typed === null ? { key, label, value } : { key, label, value, ...typed.members }

/** The place of an override for every locale that is not named, which its source is named by as well: `*`. */
const EVERY = ''

/**
 * The places in which a store looks for overrides, in order: its locale and the parents of it, then every locale that
 * is not named, then the account's. `*` includes this store's language, so it comes before the account's locale,
 * which is only a fallback.
 */
export function overridePlaces(locale: string, accountLocale: string): string[] {
  return [...new Set([...localeParents(locale), EVERY, ...localeChain(locale, accountLocale)])]
}

/**
 * The value of each of the product's attributes: the account's override in the first of `places` that has one, else the first
 * value in the order of `sources`. null: the override hides it.
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
      // a blank value counts as none, as for texts: the next supplier's is shown
      const shown = visible(value)
      if (shown !== null) values.set(key, fromOffer(shown, offer))
    }
  }
  return values
}

/** The product's attributes as a store shows them: by the position of the definition, those without one last, then by key. */
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

/** The override that applies in these places, if any: a null value hides the attribute, a blank one counts as none. */
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
