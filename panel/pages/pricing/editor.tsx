import { Button, Checkbox, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Preview, PreviewOperation, RuleChangeBody } from '../../../contract/panel/previews.ts'
import type { Revised } from '../../api/resources.ts'
import { Confirm } from '../../components/dialog.tsx'
import { Form, useRevisedForm } from '../../components/form.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Section } from '../../components/page.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { CheckProgress, isRunning, useCheck, usePreview, useStartCheck } from './checking.tsx'
import { AssortmentFields, ExclusionFields } from './other-fields.tsx'
import { type AnyRule, isDefault, type NamedThings, readRule, type RuleTab, saveChange } from './rules.ts'
import { useNamedProducts } from './rule-list.tsx'
import { PreviewPane } from './preview-pane.tsx'
import { PricingFields } from './pricing-fields.tsx'
import classes from './pricing.module.css'
import { useFormWithFaults, useUnfinished } from './rule-form.ts'
import { effectSentence, ruleSentence } from './sentences.ts'
import { changeOf, idsIn, NEW_RULE, previewedOf, type RuleValues, unnamed, valuesOf, valuesOfChange } from './values.ts'

/** The most products of a rule that are named below their IDs. */
const PRODUCTS_NAMED = 50

interface EditorProps {
  tab: RuleTab
  /** The edited rule; null: a new one. */
  base: Revised<AnyRule> | null
  /** Initial values of a new one; null: none. */
  begun: RuleValues | null
  named: NamedThings
  /** The account's currency. */
  currency: string
  checkId: number | undefined
  /** The change of the preview over all products, from which the form starts. */
  draft: RuleChangeBody | null
  setCheck: (operationId: number | undefined) => void
  /** @param operationId the operation that computes payloads; null: they are up to date */
  saved: (operationId: number | null) => void
  close: () => void
}

/** A rule's form with a preview beside it: over a sample while one types, and over all products on request. */
export function RuleEditor({
  tab,
  base: opened,
  begun,
  named: things,
  currency,
  checkId,
  draft,
  setCheck,
  saved,
  close,
}: EditorProps) {
  const { t } = useTranslation(['pricing', 'conditions', 'shared'])
  const format = useFormats()
  const account = useAccount()
  const [asking, setAsking] = useState<'save' | 'delete' | null>(null)
  const plainForm = useRevisedForm<Revised<AnyRule> | null, RuleValues, number | null>({
    first: opened,
    read: async () => (opened === null ? null : readRule(account.id, tab, opened.data.id)),
    valuesOf: (read) => (read === null ? (begun ?? NEW_RULE) : valuesOf(tab, read.data)),
    initial: draft === null ? undefined : valuesOfChange(tab, draft, opened?.data ?? null),
    save: (values, read) => saveChange(account.id, changeOf(tab, values, read?.data ?? null), read?.revision ?? null),
    shown: (values) =>
      Object.entries(values).map(([name, value]) => [
        name === 'name' ? t('fields.name') : name.replaceAll('_', ' '),
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    done: saved,
    isBegun: draft !== null || begun !== null,
  })
  const { base } = plainForm
  const finish = useUnfinished(tab, plainForm)
  const productIds = idsIn(plainForm.values.product_ids)
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0)
  const named = useNamedProducts(things, productIds.slice(0, PRODUCTS_NAMED))
  const change = changeOf(tab, plainForm.values, base?.data ?? null)
  const sent = finish.isReadable ? previewedOf(change) : null
  const { preview, error, isOld } = usePreview(account.id, sent === null ? null : unnamed(sent))
  const { form, faults } = useFormWithFaults(plainForm, finish, error)
  const startCheck = useStartCheck()
  const { check, error: checkError } = useCheck(checkId)
  const begin = useMutation({ mutationFn: async (change: RuleChangeBody) => setCheck(await startCheck(change)) })
  // a preview over all products is only valid for the change for which it was requested, and until a setting changes
  const isSameChange = check?.change !== null && JSON.stringify(check?.change) === JSON.stringify(sent)
  const isExact = check?.state === 'succeeded' && isSameChange && check.is_current
  const whole = isSameChange ? (check?.preview ?? null) : null
  const shown = isExact && whole !== null ? whole : preview
  // for a small catalog the sample contains all products
  const isAll = isExact || (preview?.is_everything === true && error === null)
  const words = ruleSentence(
    tab,
    { ...base?.data, ...(change.body as object), rounding: typedRounding(form.values) } as unknown as AnyRule,
    { t, format, currency, named },
  )
  const title = base === null ? t(`new.${tab}`) : t('edit.title', { name: base.data.name })
  return (
    <div className={classes.editor}>
      <Section title={title}>
        <Form
          form={{
            ...form,
            onSubmit: (event) => {
              event.preventDefault()
              if (finish.requireFinished()) setAsking('save')
            },
          }}
          submit={t('save')}
          // a change that is being checked is stored with its check, and can be reopened from the list
          isLostQuietly={isSameChange && check !== undefined && isRunning(check.state)}
          beside={
            <>
              <Button variant="default" onClick={close}>
                {t('shared:cancel')}
              </Button>
              {base === null || isDefault(base.data) ? null : (
                <Button variant="default" c="var(--sw-bad)" onClick={() => setAsking('delete')}>
                  {t('delete.action')}
                </Button>
              )}
            </>
          }
        >
          <TextInput {...form.text('name')} label={t('fields.name')} autoComplete="off" dir="auto" data-autofocus />
          <p className={classes.says} aria-live="polite">
            {words}
          </p>
          {tab === 'pricing-rules' ? (
            <PricingFields
              form={form}
              named={named}
              currency={currency}
              isDefault={base !== null && isDefault(base.data)}
            />
          ) : null}
          {tab === 'exclusion-rules' ? <ExclusionFields form={form} named={named} currency={currency} /> : null}
          {tab === 'assortment-rules' ? (
            <AssortmentFields form={form} named={named} currency={currency} isNew={base === null} />
          ) : null}
          {base !== null && isDefault(base.data) ? null : (
            <div className={classes.pair}>
              <TextInput
                {...form.text('priority')}
                label={t('fields.priority')}
                description={t('fields.priorityHint')}
                inputMode="numeric"
                dir="ltr"
              />
              <Checkbox
                label={t('fields.active')}
                checked={form.values.is_active}
                onChange={(event) => form.set({ is_active: event.currentTarget.checked })}
              />
            </div>
          )}
        </Form>
      </Section>
      <div className={classes.beside}>
        <Section title={t('preview.title')}>
          <PreviewPane
            preview={shown}
            error={isExact ? null : error}
            isOld={!isExact && isOld}
            faults={faults}
            note={<WhyNothing tab={tab} values={form.values} preview={shown} named={named} />}
          />
          <CheckEverything
            check={check}
            errors={[begin.error, checkError]}
            isExact={isExact}
            isSameChange={isSameChange}
            isAll={isAll}
            start={sent === null || error !== null ? null : () => begin.mutate(sent)}
          />
        </Section>
      </div>
      {asking === 'save' ? (
        <Confirm
          title={t('confirm.title')}
          action={t('confirm.action')}
          isDangerous={false}
          close={() => setAsking(null)}
          // a refusal is shown beside the form's fields
          run={async () => form.onSubmit(new Event('submit') as never)}
        >
          {shown === undefined || error !== null ? null : <p>{effectSentence(shown, t, format)}</p>}
          <p>{isAll ? t('check.exact') : shown === undefined ? '' : t('confirm.sample', { count: shown.products })}</p>
        </Confirm>
      ) : null}
      {asking === 'delete' && base !== null ? (
        <DeleteRule tab={tab} base={base} close={() => setAsking(null)} saved={saved} />
      ) : null}
    </div>
  )
}

/** The preview of the change over all products: its progress, whether it is still valid, and the button to start it. */
function CheckEverything({
  check,
  errors,
  isExact,
  isSameChange,
  isAll,
  start,
}: {
  check: PreviewOperation | undefined
  errors: readonly unknown[]
  isExact: boolean
  isSameChange: boolean
  /** The shown preview is already over all products. */
  isAll: boolean
  /** null: there is nothing to preview. */
  start: (() => void) | null
}) {
  const { t } = useTranslation('pricing')
  return (
    <div className={isAll && check === undefined ? undefined : classes.check}>
      {errors.map((error, i) => (
        <ProblemNote key={i} error={error} />
      ))}
      {check === undefined ? null : <CheckProgress check={check} />}
      {check?.state === 'succeeded' && !isExact ? (
        <p className={classes.quiet}>{t(isSameChange ? 'check.outdated' : 'check.other')}</p>
      ) : null}
      {isAll || (check !== undefined && isRunning(check.state)) ? null : (
        <div className={classes.buttons}>
          <Button variant="default" disabled={start === null} onClick={() => start?.()}>
            {t('check.start')}
          </Button>
          <span className={classes.quiet}>{t('check.note')}</span>
        </div>
      )}
    </div>
  )
}

/** Asks before a rule is deleted, with a preview of that. */
function DeleteRule({
  tab,
  base,
  close,
  saved,
}: {
  tab: RuleTab
  base: Revised<AnyRule>
  close: () => void
  saved: (operationId: number | null) => void
}) {
  const { t } = useTranslation(['pricing', 'shared'])
  const account = useAccount()
  const change: RuleChangeBody = { resource: tab, action: 'delete', id: base.data.id }
  const { preview, error, isOld } = usePreview(account.id, change)
  return (
    <Confirm
      title={t('delete.title', { name: base.data.name })}
      action={t('delete.action')}
      close={close}
      run={async () => saved(await saveChange(account.id, change, base.revision))}
    >
      <PreviewPane preview={preview} error={error} isOld={isOld} />
    </Confirm>
  )
}

/** The rounding as it is typed. The body cannot be used, because null in it removes a currency. */
const typedRounding = ({ rounding }: RuleValues) =>
  Object.fromEntries(rounding.filter(({ step }) => step !== '').map(({ currency, ...row }) => [currency || '…', row]))

/** Explains why a rule has no effect, because products are treated the same without it, and what to do instead. */
function WhyNothing({
  tab,
  values,
  preview,
  named,
}: {
  tab: RuleTab
  values: RuleValues
  preview: Preview | undefined
  named: NamedThings
}) {
  const { t } = useTranslation('pricing')
  if (preview?.changed.payloads !== 0) return null
  if (tab === 'exclusion-rules' && values.kind === 'no_price')
    return <p className={classes.quiet}>{t('already.unpriced')}</p>
  const store = named.stores?.find(({ id }) => String(id) === values.store_id)
  const isListed = values.is_listed === 'yes'
  if (tab !== 'assortment-rules' || store?.lists_by_default !== isListed) return null
  const words = { store: store.name, unlists: t('fields.unlists') }
  return <p className={classes.quiet}>{t(isListed ? 'already.listed' : 'already.unlisted', words)}</p>
}
