import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { useResource, useResources } from '../../api/resources.ts'
import { isOpen, repeatRun, type RunDetails, useRun } from '../../api/runs.ts'
import { Facts } from '../../components/facts.tsx'
import { FaultText } from '../../components/fault-text.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { showMessage } from '../../components/messages.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Section } from '../../components/page.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { Waiting } from '../../components/loaded.tsx'
import { Remark } from '../../runs/remark.tsx'
import { RowGroups } from '../../runs/row-groups.tsx'
import { toneOf, useExcessWords, useRunSentence } from '../../runs/run-words.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { remarksOf } from '../../words/remarks.ts'
import { isUnknownWord } from './availability.ts'
import { Comparison } from './comparison.tsx'
import classes from './import.module.css'
import type { Doc } from './mapping.ts'
import { LeaveOut } from './leave-out.tsx'
import { MappingSummary } from './mapping-summary.tsx'
import { WordMeaning } from './word-meaning.tsx'
import { useFieldName } from './words.ts'
import { useSettings } from '../../api/settings.ts'

const GOOD: readonly string[] = ['succeeded', 'unchanged']

/** A run: its progress; for a dry run the comparison, for an import the result. All of it is read from the service. */
export function RunView({
  code,
  runId,
  changeMapping,
}: {
  code: string
  runId: number
  /** Returns to the mapping, replaced by `mapping` if it is not null. */
  changeMapping: (mapping: Doc | null) => void
}) {
  const { t } = useTranslation('import')
  const account = useAccount()
  const navigate = useNavigate({ from: '/$account/suppliers/$supplier/import' })
  const { source, from } = useSearch({ from: '/signed/$account/suppliers/$supplier/import' })
  const supplier = useResource(account.id, 'suppliers', code)
  const read = useRun(account.id, runId)
  const run = read.data?.data
  const begin = useMutation({
    mutationFn: async (options: { dry_run: boolean; confirm?: boolean }) =>
      navigate({ search: { run: await repeatRun(account.id, runId, options), source, from } }),
  })
  const change = useMutation({
    mutationFn: (action: 'cancel' | 'confirm') =>
      call(`POST /v1/account/imports/{id}/${action}`, { accountId: account.id, params: { id: runId } }),
    onSettled: () => read.refetch(),
  })
  // a success returns to the steps of a new account; an error is shown here
  const isBack = from === 'steps' && run?.dry_run === false && GOOD.includes(run.state)
  const sentence = useRunSentence()
  useEffect(() => {
    if (!isBack || run === undefined) return
    showMessage(sentence(run))
    void navigate({ to: '/$account/overview', params: { account: String(account.id) }, replace: true })
    // runs once
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isBack])
  if (read.isError && run === undefined) return <ProblemNote error={read.error} retry={() => void read.refetch()} />
  if (run === undefined) return <Waiting lines={6} />
  return (
    <>
      <ProblemNote error={begin.error} />
      <ProblemNote error={change.error} />
      <Section title={run.dry_run ? t('run.check') : t('run.import')} note={run.file?.name}>
        <State run={run} />
        {isOpen(run) ? null : <WithoutRate code={code} />}
        <div className={classes.buttons}>
          {isOpen(run) && run.state !== 'resolving' ? (
            <Button variant="default" onClick={() => change.mutate('cancel')}>
              {t('run.cancel')}
            </Button>
          ) : null}
          {run.dry_run && run.state === 'succeeded' ? (
            <Button
              loading={begin.isPending}
              onClick={() => begin.mutate({ dry_run: false, ...(run.confirmed ? { confirm: true } : {}) })}
            >
              {t('run.importNow', { count: run.created + run.changed + run.zeroed })}
            </Button>
          ) : null}
          {!run.dry_run && run.state === 'held' ? (
            <Button variant="default" onClick={() => change.mutate('confirm')}>
              {t('run.confirm')}
            </Button>
          ) : null}
          {run.dry_run && run.state === 'held' ? (
            <Button
              variant="default"
              loading={begin.isPending}
              onClick={() => begin.mutate({ dry_run: true, confirm: true })}
            >
              {t('run.compareHeld')}
            </Button>
          ) : null}
          {isOpen(run) || (!run.dry_run && GOOD.includes(run.state)) ? null : (
            <Button variant="default" onClick={() => changeMapping(null)}>
              {t('run.changeMapping')}
            </Button>
          )}
          {!run.dry_run && GOOD.includes(run.state) ? (
            <LinkButton to={`/${account.id}/catalog`} search={{ supplier: supplier.data?.data.id }}>
              {t('run.products')}
            </LinkButton>
          ) : null}
          {run.dry_run ? null : (
            <LinkButton to={`/${account.id}/suppliers/${code}/runs/${run.id}`}>{t('run.open')}</LinkButton>
          )}
        </div>
      </Section>
      <Refusals run={run} changeMapping={changeMapping} />
      <RowGroups
        leftOut={run.left_out}
        withoutCost={run.without_cost}
        leaveOut={
          run.dry_run && run.mapping !== null ? (
            <LeaveOut field="cost" value={null} doc={run.mapping} change={changeMapping} />
          ) : undefined
        }
      />
      {run.dry_run && run.mapping !== null && !isOpen(run) ? <MappingSummary mapping={run.mapping} /> : null}
      {run.dry_run && run.state === 'succeeded' ? <Comparison runId={run.id} run={run} /> : null}
    </>
  )
}

/** The progress of a run, or its result. */
function State({ run }: { run: RunDetails }) {
  const { t } = useTranslation('import')
  const words = useRunSentence()(run)
  const excess = useExcessWords()
  const format = useFormats()
  const { state, rows, total, written, dry_run: isDryRun } = run
  if (isOpen(run)) {
    const share = total === null || total === 0 ? undefined : written / total
    return (
      <div className={classes.progress} role="status">
        <StateMark tone="busy">{words}</StateMark>
        <progress aria-label={words} {...(share === undefined || isDryRun ? {} : { value: share })} max={1} />
        <span className={classes.quiet}>
          {total === null || isDryRun
            ? t('run.rows', { count: rows })
            : t('run.written', { done: format.number(written), total: format.number(total) })}
        </span>
        <p className={classes.quiet}>{t('run.leave')}</p>
      </div>
    )
  }
  const counted = (['created', 'changed', 'zeroed', 'unchanged', 'refused', 'skipped', 'stale'] as const).filter(
    (name) => run[name] > 0 || name === 'created' || name === 'changed' || name === 'zeroed',
  )
  return (
    <>
      <p className={classes.lined}>
        <StateMark tone={toneOf(run)}>{words}</StateMark>
      </p>
      {run.problem === null || state === 'held' ? null : (
        <p className={`${classes.warning} ${classes.sentence}`}>
          <FaultText reason={run.problem.detail} />
        </p>
      )}
      {run.excesses.map((row) => (
        <p key={row.kind} className={classes.warning}>
          {excess(row)}
        </p>
      ))}
      {remarksOf(run).map((remark) => (
        <p key={remark.text} className={classes.warning}>
          <Remark of={remark} />
        </p>
      ))}
      {state === 'succeeded' ? (
        <div className={classes.facts}>
          <Facts facts={counted.map((name) => [t(`counts.${name}`), format.number(run[name])] as const)} />
        </div>
      ) : null}
    </>
  )
}

/** Rows that cannot be used, grouped by fault; and values that are dropped from usable rows. */
function Refusals({ run, changeMapping }: { run: RunDetails; changeMapping: (mapping: Doc | null) => void }) {
  const { t } = useTranslation('import')
  return (
    <>
      {run.refusals.length === 0 ? null : (
        <Section title={t('problems.title')} note={t('problems.whole')}>
          <Groups of={run.refusals} run={run} changeMapping={changeMapping} />
        </Section>
      )}
      {run.dropped.length === 0 ? null : (
        <Section title={t('problems.droppedTitle')} note={t('problems.droppedNote')}>
          <Groups of={run.dropped} run={run} changeMapping={null} />
        </Section>
      )}
    </>
  )
}

function Groups({
  of,
  run,
  changeMapping,
}: {
  of: RunDetails['refusals']
  run: RunDetails
  changeMapping: ((mapping: Doc | null) => void) | null
}) {
  const { t } = useTranslation('import')
  const nameOf = useFieldName()
  const format = useFormats()
  return (
    <ul className={classes.groups}>
      {of.map(({ field, columns, reason, count, examples: [example] }) => (
        <li key={`${field} ${reason} ${example?.value}`}>
          <strong>{t('problems.rows', { count })}</strong> {nameOf(field)}
          {columns.length === 0
            ? ''
            : ` (${t('problems.ofColumns', { count: columns.length, columns: columns.join(', ') })})`}
          :{' '}
          {isUnknownWord(field, example?.value ?? null) ? (
            t('problems.word', { word: format.quote(example?.value ?? '') })
          ) : (
            <FaultText reason={reason} />
          )}
          {example === undefined ? null : (
            <span className={classes.quiet}>
              {' '}
              (
              {[
                example.line === null ? null : t('line', { line: example.line }),
                example.sku,
                example.value === null || example.value === example.sku ? null : format.quote(example.value),
              ]
                .filter((part) => part !== null)
                .join(', ')}
              )
            </span>
          )}
          {changeMapping !== null && run.dry_run && run.mapping !== null ? (
            <>
              <LeaveOut field={field} value={example?.value ?? null} doc={run.mapping} change={changeMapping} />
              <WordMeaning field={field} value={example?.value ?? null} doc={run.mapping} change={changeMapping} />
            </>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

/** Warns before an import that costs in a currency without an exchange rate make no prices. */
function WithoutRate({ code }: { code: string }) {
  const { t } = useTranslation('import')
  const { id } = useAccount()
  const own = useSettings(id).data?.data.currency
  const currency = useResource(id, 'suppliers', code).data?.data.currency
  const rates = useResources(id, 'rates').data
  if (own === undefined || currency === undefined || rates === undefined) return null
  if (currency === own || rates.some((rate) => rate.currency === currency)) return null
  return (
    <p className={classes.warning}>
      {t('run.noRate', { currency, own })}{' '}
      <Link to="/$account/rates" params={{ account: String(id) }} search={{ new: true, from: currency }}>
        {t('run.setRate')}
      </Link>
    </p>
  )
}
