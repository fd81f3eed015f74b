import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RuleChangeBody } from '../../../contract/panel/previews.ts'
import type { Revised } from '../../api/resources.ts'
import { Conflict } from '../../components/conflict.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Section } from '../../components/section.tsx'
import { useConflict } from '../../components/use-conflict.ts'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { CheckProgress, isRunning, useCheck, useStartCheck } from './checking.tsx'
import { AssortmentFields, ExclusionFields } from './other-fields.tsx'
import { PreviewPane } from './preview-pane.tsx'
import { PricingFields } from './pricing-fields.tsx'
import classes from './pricing.module.css'
import { useJudged, useUnfinished } from './rule-form.ts'
import { isDefault, readRule, saveChange, type AnyRule, type NamedThings, type RuleTab } from './rules.ts'
import { effectSentence, ruleSentence } from './sentences.ts'
import { usePreview } from './use-preview.ts'
import { WhyNothing } from './why-nothing.tsx'
import { changeOf, NEW_RULE, previewedOf, unnamed, valuesOf, valuesOfChange, type RuleValues } from './values.ts'

export interface EditorProps {
  tab: RuleTab
  /** The rule that is edited; null: a new one. */
  base: Revised<AnyRule> | null
  /** What the form of a new one begins with; null: with nothing. */
  begun: RuleValues | null
  named: NamedThings
  /** Of the account. */
  currency: string
  checkId: number | undefined
  /** The change that was sent with a check of everything; the form starts from it. */
  draft: RuleChangeBody | null
  setCheck: (operationId: number | undefined) => void
  /** @param operationId computes what follows; null: it is done. */
  saved: (operationId: number | null) => void
  close: () => void
}

/** A rule's form with what it would do beside it, over a sample as one types and over everything when asked. */
export function RuleEditor({
  tab,
  base: opened,
  begun,
  named,
  currency,
  checkId,
  draft,
  setCheck,
  saved,
  close,
}: EditorProps) {
  const { t } = useTranslation(['pricing', 'shared'])
  const format = useFormats()
  const account = useAccount()
  const { base, theirs, guard, choices } = useConflict(opened, async () =>
    opened === null ? null : readRule(account.id, tab, opened.data.id),
  )
  const [asking, setAsking] = useState<'save' | 'delete' | null>(null)
  const initial =
    draft === null
      ? base === null
        ? (begun ?? NEW_RULE)
        : valuesOf(tab, base.data)
      : valuesOfChange(tab, draft, base?.data ?? null)
  const save = (values: RuleValues) =>
    guard(() => saveChange(account.id, changeOf(tab, values, base?.data ?? null), base?.revision ?? null))
  const plainForm = useForm({ initial, submit: save, done: saved })
  const finish = useUnfinished(tab, plainForm)
  const change = changeOf(tab, plainForm.values, base?.data ?? null)
  const sent = finish.isReadable ? previewedOf(change) : null
  const { preview, error, isOld } = usePreview(account.id, sent === null ? null : unnamed(sent))
  const { form, faults } = useJudged(plainForm, finish, error)
  const startCheck = useStartCheck()
  const { check, error: checkError } = useCheck(checkId)
  const [startError, setStartError] = useState<unknown>(null)
  // what was found over everything holds for the change it was asked for, and while no setting was written
  const isSameChange = check?.change !== null && JSON.stringify(check?.change) === JSON.stringify(sent)
  const isExact = check?.state === 'succeeded' && isSameChange && check.is_current
  const whole = isSameChange ? (check?.preview ?? null) : null
  const shown = isExact && whole !== null ? whole : preview
  // a small catalog is looked at as a whole while one types
  const isAll = isExact || (preview?.is_everything === true && error === null)
  const words = ruleSentence(
    tab,
    { ...base?.data, ...(change.body as object), rounding: wordsRounding(form.values) } as unknown as AnyRule,
    { t, format, currency, named },
  )
  const begin = async () => {
    if (sent === null) return
    setStartError(null)
    try {
      setCheck(await startCheck(sent))
    } catch (caught) {
      setStartError(caught)
    }
  }
  const title = base === null ? t(`new.${tab}`) : t('edit.title', { name: base.data.name })
  return (
    <div className={classes.editor}>
      <Section title={title}>
        {theirs === null ? null : (
          <Conflict
            differences={differences(valuesOf(tab, theirs.data), form.values, t)}
            {...choices(form, (read) => (read === null ? NEW_RULE : valuesOf(tab, read.data)))}
          />
        )}
        <Form
          form={{
            ...form,
            onSubmit: (event) => {
              event.preventDefault()
              if (finish.requireFinished()) setAsking('save')
            },
          }}
          submit={t('save')}
          isErrorHidden={theirs !== null}
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
          {tab === 'assortment-rules' ? <AssortmentFields form={form} named={named} isNew={base === null} /> : null}
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
          <div className={isAll && check === undefined ? undefined : classes.check}>
            {startError === null ? null : <ProblemNote error={startError} />}
            {checkError === null ? null : <ProblemNote error={checkError} />}
            {check === undefined ? null : <CheckProgress check={check} />}
            {check?.state === 'succeeded' && !isExact ? (
              <p className={classes.quiet}>{t(isSameChange ? 'check.outdated' : 'check.other')}</p>
            ) : null}
            {isAll || (check !== undefined && isRunning(check.state)) ? null : (
              <div className={classes.buttons}>
                <Button variant="default" disabled={sent === null || error !== null} onClick={() => void begin()}>
                  {t('check.start')}
                </Button>
                <span className={classes.quiet}>{t('check.note')}</span>
              </div>
            )}
          </div>
        </Section>
      </div>
      {asking === 'save' ? (
        <Confirm
          title={t('confirm.title')}
          action={t('confirm.action')}
          isDangerous={false}
          close={() => setAsking(null)}
          // the form shows what is refused, beside its fields
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

/** Asks before a rule is deleted, with what that would do. */
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

/** The rounding as it is typed: in the body, null takes a currency away. */
const wordsRounding = ({ rounding }: RuleValues) =>
  Object.fromEntries(rounding.filter(({ step }) => step !== '').map(({ currency, ...row }) => [currency || '…', row]))

function differences(theirs: RuleValues, mine: RuleValues, t: (key: 'fields.name') => string) {
  const show = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return Object.keys(theirs)
    .filter((name) => show(theirs[name as keyof RuleValues]) !== show(mine[name as keyof RuleValues]))
    .map((name) => ({
      name: name === 'name' ? t('fields.name') : name.replaceAll('_', ' '),
      theirs: show(theirs[name as keyof RuleValues]),
      mine: show(mine[name as keyof RuleValues]),
    }))
}
