import i18next from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { asProblem } from '../../api/problem.ts'
import type { FormState } from '../../components/form.tsx'
import type { RuleTab } from './rules.ts'
import { unfinished, type Unfinished } from './unfinished.ts'
import type { RuleValues } from './values.ts'

/** A rule's form that says beside its fields what they lack, also before it is saved. */
export interface RuleForm extends FormState<RuleValues> {
  /** What stands below a field's label. */
  hint: (name: keyof RuleValues) => string | undefined
}

interface Judged {
  form: RuleForm
  /** What keeps the rule from being looked at, each with its field. */
  faults: readonly string[]
}

/** What a form lacks, and whether that is said as a fault: only once somebody has tried to save it. */
export function useUnfinished(tab: RuleTab, form: FormState<RuleValues>) {
  const [isTried, setTried] = useState(false)
  const open = unfinished(tab, form.values, isTried)
  return {
    open,
    isTried,
    /** Whether the service can be asked what the rule does; a name is not needed for that. */
    isReadable: open.every(({ name }) => name === 'name'),
    /** Whether it can be saved; otherwise the first field that keeps it from that is shown. */
    requireFinished(): boolean {
      if (unfinished(tab, form.values, true).length === 0) return true
      setTried(true)
      // once the faults are shown
      setTimeout(() => form.formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
      return false
    },
  }
}

/** The form with what it lacks, and what the service says of it, beside its fields. @param error of the preview */
export function useJudged(
  form: FormState<RuleValues>,
  { open, isTried }: { open: readonly Unfinished[]; isTried: boolean },
  error: unknown,
): Judged {
  const { t } = useTranslation(['pricing', 'shared'])
  const refused = error === null ? [] : asProblem(error).faults
  const isQuiet = ({ why }: Unfinished) => why === 'missing' && !isTried
  const faults = new Map([
    ...refused.map(({ name, reason }) => [name.split(/[.[]/)[0] ?? name, reason] as const),
    ...open.filter((entry) => !isQuiet(entry)).map(({ name, why }) => [name, t(`unfinished.${why}`)] as const),
  ])
  const hints = new Map(open.filter(isQuiet).map(({ name }) => [name, t('unfinished.needed')]))
  const labelOf = (name: string) => {
    const key = `fields.${wordOf(name, form.values.kind)}`
    return i18next.exists(`pricing:${key}`) ? t(key as 'fields.percent') : name
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

/** What a field is called, where that is not its own name. */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  store_ids: 'stores',
  group_ids: 'groups',
  supplier_ids: 'suppliers',
  product_ids: 'products',
  store_id: 'store',
}

function wordOf(name: string, kind: string): string {
  if (name === 'names') return kind === 'category' ? 'categories' : 'manufacturers'
  if (name === 'amount' && kind === 'margin_below') return 'marginAmount'
  return FIELD_WORDS[name] ?? name
}
