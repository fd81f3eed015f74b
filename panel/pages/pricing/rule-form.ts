import i18next from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { needOf } from '../../../contract/exclusion-kinds.ts'
import { EVERY_CONDITION } from '../../../contract/rule-conditions.ts'
import { asProblem } from '../../api/problem.ts'
import type { FormState } from '../../components/form.tsx'
import type { RuleTab } from './rules.ts'
import { unfinished, type Unfinished } from './unfinished.ts'
import type { RuleValues } from './values.ts'

/** A rule's form that shows missing values beside its fields, even before it is saved. */
export interface RuleForm extends FormState<RuleValues> {
  /** The hint below a field's label. */
  hint: (name: keyof RuleValues) => string | undefined
}

interface FormWithFaults {
  form: RuleForm
  /** Why the rule cannot be previewed, with the field of each fault. */
  faults: readonly string[]
}

/** The missing values of a form, and whether they are shown as faults, which is only so after an attempt to save. */
export function useUnfinished(tab: RuleTab, form: FormState<RuleValues>) {
  const [isTried, setTried] = useState(false)
  const open = unfinished(tab, form.values, isTried)
  return {
    open,
    isTried,
    /** Whether the rule can be previewed, for which it needs no name. */
    isReadable: open.every(({ name }) => name === 'name'),
    /** Whether the rule can be saved. If not, the first faulty field gets the focus. */
    requireFinished(): boolean {
      if (unfinished(tab, form.values, true).length === 0) return true
      setTried(true)
      // after the faults have been rendered
      setTimeout(() => form.formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
      return false
    },
  }
}

/**
 * The form, with missing values and the service's faults beside its fields.
 * @param error the error of the preview
 */
export function useFormWithFaults(
  form: FormState<RuleValues>,
  { open, isTried }: { open: readonly Unfinished[]; isTried: boolean },
  error: unknown,
): FormWithFaults {
  const { t } = useTranslation(['pricing', 'conditions', 'shared'])
  const refused = error === null ? [] : asProblem(error).faults
  const isQuiet = ({ why }: Unfinished) => why === 'missing' && !isTried
  const faults = new Map([
    ...refused.map(({ name, reason }) => [name.split(/[.[]/)[0] ?? name, reason] as const),
    ...open.filter((entry) => !isQuiet(entry)).map(({ name, why }) => [name, t(`unfinished.${why}`)] as const),
  ])
  const hints = new Map(open.filter(isQuiet).map(({ name }) => [name, t('unfinished.needed')]))
  const labelOf = (name: string) => {
    const key = wordOf(name, form.values.kind)
    return i18next.exists(key) ? t(key as 'pricing:fields.percent') : name
  }
  const fault = (name: keyof RuleValues) => form.fault(name) ?? faults.get(name)
  return {
    faults: [
      ...open
        .filter(({ name }) => name !== 'name')
        .map(({ name, why }) => `${labelOf(name)}: ${t(`unfinished.${why}`)}`),
      ...refused.map(({ name, reason }) => `${labelOf(name)}: ${reason}`),
    ],
    form: {
      ...form,
      fault,
      hint: (name) => (fault(name) === undefined ? hints.get(name) : undefined),
      text: (name) => ({
        ...form.text(name),
        error: fault(name),
        'aria-invalid': fault(name) === undefined ? undefined : true,
      }),
    },
  }
}

/** The key of a field's label. */
function wordOf(name: string, kind: string): string {
  const { names, amount } = needOf(kind)
  if (name === 'names') return `conditions:field.${names ?? 'manufacturers'}`
  if (EVERY_CONDITION.some((condition) => condition.name === name)) return `conditions:field.${name}`
  if (name === 'amount' && amount?.hasCurrency === false) return 'pricing:fields.marginAmount'
  return `pricing:fields.${name === 'store_id' ? 'store' : name}`
}
