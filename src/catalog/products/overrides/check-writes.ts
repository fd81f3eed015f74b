import type { Check } from '../../../input/check.ts'
import { canonicalLocale } from '../../../input/locale.ts'
import { checkAttributeOverride, checkOverride } from './check-overrides.ts'
import type { OverrideWrite } from './write-overrides.ts'

/** Checks a row of overrides, with checkOverride or checkAttributeOverride. @returns its stored form. */
export function checkWrite(check: Check, at: string, row: OverrideWrite): OverrideWrite {
  if (row.field !== 'attribute') return checkOverride(check, at, row)
  const { key, locale, value } = row
  if (value === null)
    return { ...row, locale: locale === null || locale === '' ? locale : (canonicalLocale(locale) ?? locale) }
  const clean = checkAttributeOverride(check, at, { key, locale: locale ?? '', value: value === false ? null : value })
  return { ...row, locale: clean.locale, value: clean.value ?? false }
}

/** The place of a row as callers name it: `title.pl`, `images`, `attributes.color.pl`; `*` for all locales. */
export function nameOf(row: OverrideWrite): string {
  const name = row.field === 'attribute' ? `attributes.${row.key}` : row.field
  return row.locale === '' ? name : `${name}.${row.locale ?? '*'}`
}
